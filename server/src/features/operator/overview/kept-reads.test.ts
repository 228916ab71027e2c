import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Services } from '../../../platform/services.ts';
import { createKeptReads } from './kept-reads.ts';

const KEPT_MS = 1_000;

function setUp(isKept?: (value: number) => boolean) {
  let nowMs = 0;
  let reads = 0;
  const openProcess = () => {
    const pool = {};
    return { clock: { monotonicMs: () => nowMs }, db: { pool: () => pool } } as unknown as Services;
  };
  const keep = createKeptReads<number>({ keptMs: KEPT_MS, limit: 2, ...(isKept && { isKept }) });
  const services = openProcess();
  const read = async () => {
    reads += 1;
    return reads;
  };
  return {
    keep,
    openProcess,
    wait: (ms: number) => {
      nowMs += ms;
    },
    ask: (key: string, version = 0, from = services) => keep(from, { key, version, read }),
    services,
  };
}

describe('createKeptReads', () => {
  it('reads again after the time, and for another version', async () => {
    const { ask, wait } = setUp();
    assert.deepEqual([await ask('a'), await ask('a')], [1, 1]);
    wait(KEPT_MS - 1);
    assert.equal(await ask('a'), 1);
    wait(1);
    assert.equal(await ask('a'), 2);
    assert.deepEqual([await ask('a', 7), await ask('a', 7), await ask('a', 8)], [3, 3, 4]);
  });

  it('keeps a value per key, of few keys, and per database', async () => {
    const { ask, openProcess } = setUp();
    assert.deepEqual([await ask('a'), await ask('b'), await ask('a')], [1, 2, 1]);
    assert.equal(await ask('a', 0, openProcess()), 3);
    assert.equal(await ask('c'), 4);
    assert.equal(await ask('a'), 5, 'the oldest was dropped');
  });

  it('shares a read that is under way, and keeps no value that is refused', async () => {
    const { ask } = setUp((value) => value > 2);
    assert.deepEqual(await Promise.all([ask('a'), ask('a')]), [1, 1]);
    assert.deepEqual([await ask('a'), await ask('a'), await ask('a')], [2, 3, 3]);
  });

  it('keeps no failure', async () => {
    const { keep, ask, services } = setUp();
    const fail = () => Promise.reject(new Error('away'));
    await assert.rejects(keep(services, { key: 'a', read: fail }), /away/);
    assert.equal(await ask('a'), 1);
  });
});
