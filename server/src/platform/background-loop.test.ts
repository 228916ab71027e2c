import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../../test/support/wait-until.ts';
import { HOUR_MS } from '../domain/time/durations.ts';
import { startLoop } from './background-loop.ts';
import { createLogger } from './log.ts';

const LONG_MS = HOUR_MS;

describe('startLoop', () => {
  it('runs again immediately while there is more work, then waits', async () => {
    let rounds = 0;
    const round = async () => ++rounds < 3;
    const loop = startLoop({ name: 'test', pauseMs: LONG_MS, log: createLogger('silent'), round });
    await waitUntil('three rounds', () => rounds === 3);
    loop.wake();
    await waitUntil('a fourth', () => rounds === 4);
    await loop.stop();
    assert.equal(rounds, 4);
    assert.equal(loop.roundsDone(), 4);
  });

  it('runs again when it is woken during a round', async () => {
    let rounds = 0;
    const gate = Promise.withResolvers<void>();
    const round = async () => {
      rounds += 1;
      await gate.promise;
      return false;
    };
    const loop = startLoop({ name: 'test', pauseMs: LONG_MS, log: createLogger('silent'), round });
    loop.wake();
    gate.resolve();
    await waitUntil('a second round', () => rounds === 2);
    await loop.stop();
  });

  it('survives failing rounds, and logs the failure once', async () => {
    const lines: string[] = [];
    let rounds = 0;
    const loop = startLoop({
      name: 'test',
      pauseMs: 1,
      log: createLogger('warn', { write: (line: string) => void lines.push(line) }),
      round: async () => {
        rounds += 1;
        if (rounds <= 2) throw new Error('away');
        return false;
      },
    });
    await waitUntil('a round after the failed ones', () => rounds >= 4);
    await loop.stop();
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /round failed, retrying/);
  });

  it('stops after the current round', async () => {
    let isDone = false;
    const gate = Promise.withResolvers<void>();
    const round = async () => {
      await gate.promise;
      isDone = true;
      return true;
    };
    const loop = startLoop({ name: 'test', pauseMs: 1, log: createLogger('silent'), round });
    const stopped = loop.stop();
    gate.resolve();
    await stopped;
    assert.equal(isDone, true);
  });
});
