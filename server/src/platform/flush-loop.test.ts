import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { oneAtATime, startFlushLoop } from './flush-loop.ts';
import { createLogger } from './log.ts';

const log = createLogger('silent');

describe('startFlushLoop', () => {
  it('flushes once more when it is stopped', async () => {
    let flushed = 0;
    const first = Promise.withResolvers<void>();
    const flush = async () => {
      flushed += 1;
      first.resolve();
    };
    const loop = startFlushLoop({ name: 'test', everyMs: 3_600_000, log, flush });
    await first.promise;
    await loop.stop();
    assert.equal(flushed, 2);
  });

  it('stops although the last flush fails', async () => {
    let flushed = 0;
    const flush = async () => {
      flushed += 1;
      throw new Error('no database');
    };
    const loop = startFlushLoop({ name: 'test', everyMs: 3_600_000, log, flush });
    await loop.stop();
    assert.equal(flushed, 2);
  });
});

describe('oneAtATime', () => {
  it('waits for the flush before, also for one that fails', async () => {
    let [running, most, isBroken] = [0, 0, true];
    const flush = oneAtATime(async () => {
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
      if (isBroken) throw new Error('no database');
    });
    const first = assert.rejects(flush(), /no database/).then(() => {
      isBroken = false;
    });
    await Promise.allSettled([first, flush()]);
    await flush();
    assert.equal(most, 1);
  });
});
