import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, mock } from 'node:test';
import type { PersonId } from '../../../domain/roster.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Pieces } from '../../reads/exports/index.ts';
import { type HeldExport, limitExport, MAX_EXPORTS, MAX_RAW_EXPORTS } from './limit-exports.ts';

async function* twoPieces(): Pieces {
  yield 'one';
  yield 'two';
}
async function* failing(): Pieces {
  yield 'one';
  throw new Error('the database went away');
}
async function* pieces(length: number): Pieces {
  for (;;) yield 'x'.repeat(length);
}
const endless = () => pieces(40_000);
const newPerson = () => randomUUID() as PersonId;
const newAddress = () => `address:${randomUUID()}`;

type Options = { person?: PersonId; address?: string; hasRaw?: boolean; pieces?: () => Pieces; now?: () => number };

const request = ({ pieces = endless, now, ...options }: Options = {}) =>
  limitExport({ person: newPerson(), address: newAddress(), hasRaw: false, ...options }, pieces, now);

function open(options: Options = {}): HeldExport {
  const opened = request(options);
  assert.ok(typeof opened === 'object', `refused: ${String(opened)}`);
  return opened;
}

const close = async (exports: readonly HeldExport[]) => {
  for (const { body } of exports) await body.return(undefined);
};
const countEnded = (exports: readonly HeldExport[]) => exports.filter(({ signal }) => signal.aborted).length;

describe('limitExport', () => {
  it('limits a person to one export at a time and the process to MAX_EXPORTS', async () => {
    const people = Array.from({ length: MAX_EXPORTS }, newPerson);
    const exports = people.map((person) => open({ person, pieces: twoPieces }));
    assert.equal(request({ person: people[0] as PersonId }), 'person');
    assert.equal(request(), 'process');
    for (const { body } of exports) assert.deepEqual(await Array.fromAsync(body), ['one', 'two']);
    await close(people.map((person) => open({ person })));
  });

  it('limits exports with raw payloads, because each holds one in memory', async () => {
    const raw = Array.from({ length: MAX_RAW_EXPORTS }, () => open({ hasRaw: true, address: 'busy' }));
    assert.equal(request({ hasRaw: true, address: 'busy' }), 'process');
    const other = open({ hasRaw: true });
    assert.equal(countEnded(raw), 1);
    const rest = Array.from({ length: MAX_EXPORTS - MAX_RAW_EXPORTS }, () => open());
    assert.equal(request({ address: 'busy' }), 'process');
    await close([...raw, other, ...rest]);
  });

  it('lets others export while many clients read nothing', async () => {
    const stalled = Array.from({ length: 8 }, () => open());
    for (const { body } of stalled) await body.next();
    const { body } = open({ pieces: twoPieces });
    assert.deepEqual(await Array.fromAsync(body), ['one', 'two']);
    assert.equal(countEnded(stalled), 0);
    await close(stalled);
  });

  it('reads at most four pieces at once, two of them for one address, and each address gets its turn', async () => {
    const begun: string[] = [];
    const waiting: (() => void)[] = [];
    const read = (address: string) =>
      async function* (): Pieces {
        begun.push(address);
        await new Promise<void>((resolve) => waiting.push(resolve));
        yield address;
      };
    const [busy, other, third] = ['busy', 'other', 'third'];
    const exports = [busy, busy, busy, busy, other, third, third].map((address) =>
      open({ address, pieces: read(address) }),
    );
    const all = Promise.all(exports.map(({ body }) => Array.fromAsync(body)));
    await new Promise(setImmediate);
    assert.deepEqual(begun, [busy, busy, other, third]);
    for (let count = 0; count < exports.length; count += 1) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
    assert.equal((await all).flat().length, exports.length);
  });

  it('ends the slowest export of the address with the most, so that no address can use all', async () => {
    let nowMs = 0;
    const now = () => nowMs;
    const many = Array.from({ length: MAX_EXPORTS }, () => open({ address: 'busy', now }));
    for (const { body } of many) await body.next();
    nowMs += 2_000;
    for (const { body } of many.slice(1)) await body.next();
    const others = Array.from({ length: 3 }, () => open({ address: 'other', now }));
    assert.equal(countEnded(many), 3);
    assert.ok(many[0]?.signal.aborted, 'the slowest');
    assert.equal(request({ address: 'busy', now }), 'process');
    assert.equal(countEnded(others), 0);
    await assert.rejects(many[0].body.next(), /too slow/);
    await close([...many, ...others]);
  });

  it('ends the slowest client below the minimum rate if the process is full', async () => {
    let nowMs = 0;
    const now = () => nowMs;
    const exports = Array.from({ length: MAX_EXPORTS }, () => open({ now }));
    for (const { body } of exports) await body.next();
    const [slow, ...fast] = exports as [HeldExport, ...HeldExport[]];
    for (let second = 0; second < 11; second += 1) {
      nowMs += 1_000;
      for (const { body } of fast) await body.next();
    }
    assert.equal(request({ now }), 'process', 'each client has some time');
    nowMs += 1_000;
    for (const { body } of fast) await body.next();
    const late = open({ now });
    assert.ok(slow.signal.aborted);
    assert.equal(countEnded(fast), 0);
    assert.equal(request({ now }), 'process', 'the others are fast enough');
    await close([...exports, late]);
  });

  it('ends a client that has been slow for long, although another one has waited longer for its last piece', async () => {
    let nowMs = 0;
    const now = () => nowMs;
    const slow = open({ now, pieces: () => pieces(20_000) });
    for (let second = 0; second < 120; second += 1) {
      await slow.body.next();
      nowMs += 1_000;
    }
    const [paused, ...others] = Array.from({ length: MAX_EXPORTS - 1 }, () => open({ now })) as [HeldExport];
    await paused.body.next();
    nowMs += 9_000;
    const late = open({ now });
    assert.ok(slow.signal.aborted);
    await close([slow, paused, ...others, late]);
  });

  it('does not let a client live long on a fast start', async () => {
    let nowMs = 0;
    const now = () => nowMs;
    const begun = open({ now, pieces: () => pieces(1_000_000) });
    for (let count = 0; count < 100; count += 1) await begun.body.next();
    const others = Array.from({ length: MAX_EXPORTS - 1 }, () => open({ now }));
    nowMs += 50_000;
    assert.equal(request({ now }), 'process', 'its buffers may hold as much');
    nowMs += 50_000;
    const late = open({ now });
    assert.ok(begun.signal.aborted);
    await close([begun, ...others, late]);
  });

  it('ends the oldest export after ten minutes if all are fast and the process is full', async () => {
    let nowMs = 0;
    const now = () => nowMs;
    const oldest = open({ now });
    nowMs += 1;
    const others = Array.from({ length: MAX_EXPORTS - 1 }, () => open({ now }));
    nowMs += 10 * MINUTE_MS - 2;
    assert.equal(request({ now }), 'process');
    nowMs += 1;
    const late = open({ now });
    assert.ok(oldest.signal.aborted);
    assert.equal(countEnded(others), 0);
    assert.equal(request({ now }), 'process', 'the others are not old enough');
    await close([oldest, ...others, late]);
  });

  it('does not count the time to read the data as the time of the client', async () => {
    let nowMs = 0;
    const now = () => nowMs;
    async function* slowToRead(): Pieces {
      nowMs += 20_000;
      yield 'x';
    }
    const first = open({ now, pieces: slowToRead });
    await first.body.next();
    const others = Array.from({ length: MAX_EXPORTS - 1 }, () => open({ now }));
    assert.equal(request({ now }), 'process');
    await close([first, ...others]);
  });

  it('frees its slot after an error', async () => {
    const person = newPerson();
    await assert.rejects(Array.fromAsync(open({ person, pieces: failing }).body), /went away/);
    await close([open({ person })]);
  });

  it('ends an export whose client reads nothing for a minute and frees its slot', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const person = newPerson();
      const { body: stalled, signal } = open({ person });
      await stalled.next();
      mock.timers.tick(59_000);
      assert.equal(request({ person }), 'person');
      mock.timers.tick(1_000);
      assert.ok(signal.aborted, 'its connection is closed');
      const second = open({ person });
      await assert.rejects(stalled.next(), /too slow/);
      await stalled.return(undefined);
      assert.equal(request({ person }), 'person', 'the second keeps its slot');
      await close([second]);
    } finally {
      mock.timers.reset();
    }
  });
});
