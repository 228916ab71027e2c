// Waits until loops of a service have looked again, instead of a time in which they probably have.
import assert from 'node:assert/strict';
import type { RunningService } from '../../src/start-service.ts';
import { waitUntil } from './wait-until.ts';

/** One loop after the other: each has begun and ended `count` rounds since the one before it was done. */
export async function awaitRounds(
  running: RunningService,
  names: readonly ['publisher' | 'dispatcher' | 'scorer', ...string[]],
  count = 1,
): Promise<void> {
  for (const name of names) {
    const loop = running.loops.find((candidate) => candidate.name === name) ?? assert.fail(`no loop ${name}`);
    const goal = loop.roundsDone() + 1 + count; // the one under way may have looked already
    await waitUntil(`${count} rounds of the ${name}`, () => {
      loop.wake();
      return loop.roundsDone() >= goal;
    });
  }
}
