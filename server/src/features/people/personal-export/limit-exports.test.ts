import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, mock } from 'node:test';
import type { PersonId } from '../../../domain/roster.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Pieces } from '../../reads/exports/index.ts';
import { limitExport, MAX_EXPORTS } from './limit-exports.ts';

async function* twoPieces(): Pieces {
  yield 'one';
  yield 'two';
}
async function* failing(): Pieces {
  yield 'one';
  throw new Error('the database went away');
}
const newPerson = () => randomUUID() as PersonId;

function open(person: PersonId, pieces: () => Pieces = twoPieces): Pieces {
  const opened = limitExport(person, pieces);
  assert.ok(typeof opened === 'object', `refused: ${String(opened)}`);
  return opened;
}

describe('limitExport', () => {
  it('limits a person to one export at a time and the process to MAX_EXPORTS', async () => {
    const people = Array.from({ length: MAX_EXPORTS }, newPerson);
    const exports = people.map((person) => open(person));
    assert.equal(limitExport(people[0] as PersonId, twoPieces), 'person');
    assert.equal(limitExport(newPerson(), twoPieces), 'process');
    for (const one of exports) assert.deepEqual(await Array.fromAsync(one), ['one', 'two']);
    for (const person of people) await open(person).return(undefined);
  });

  it('ends the oldest export after ten minutes if another person waits', async () => {
    const [first, second, ...others] = Array.from({ length: MAX_EXPORTS }, newPerson) as [PersonId, PersonId];
    const slow = limitExport(first, twoPieces, 0);
    const next = limitExport(second, twoPieces, 1);
    assert.ok(typeof slow === 'object' && typeof next === 'object');
    const rest = others.map((person) => limitExport(person, twoPieces, 1));
    assert.equal((await slow.next()).value, 'one');
    const late = newPerson();
    assert.equal(limitExport(late, twoPieces, 10 * MINUTE_MS - 1), 'process');
    assert.equal((await next.next()).value, 'one');
    const admitted = limitExport(late, twoPieces, 10 * MINUTE_MS);
    assert.ok(typeof admitted === 'object', `refused: ${String(admitted)}`);
    await assert.rejects(slow.next(), /too slow/);
    assert.equal((await next.next()).value, 'two', 'the other exports continue');
    assert.equal(limitExport(newPerson(), twoPieces, 10 * MINUTE_MS), 'process', 'only one slot was freed');
    for (const one of [next, admitted, ...rest]) if (typeof one === 'object') await one.return(undefined);
  });

  it('frees the slot after an error', async () => {
    const person = newPerson();
    await assert.rejects(Array.fromAsync(open(person, failing)), /went away/);
    await open(person).return(undefined);
  });

  it('ends an export whose client reads nothing for a minute and frees its slot', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const person = newPerson();
      const stalled = open(person);
      assert.equal((await stalled.next()).value, 'one');
      mock.timers.tick(59_000);
      assert.equal(limitExport(person, twoPieces), 'person');
      mock.timers.tick(1_000);
      const second = open(person);
      await assert.rejects(stalled.next(), /too slow/);
      await stalled.return(undefined);
      assert.equal(limitExport(person, twoPieces), 'person', 'the second keeps its slot');
      await second.return(undefined);
    } finally {
      mock.timers.reset();
    }
  });
});
