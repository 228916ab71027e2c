// Waits until background loops of a service have run again, instead of for a fixed time.
import assert from 'node:assert/strict';
import type { RunningService } from '../../src/start-service.ts';
import { waitUntil } from './wait-until.ts';

/** Waits for one loop after the other: each starts and completes `count` rounds after the previous loop. */
export async function awaitRounds(
  running: RunningService,
  names: readonly ['publisher' | 'dispatcher' | 'scorer', ...string[]],
  count = 1,
): Promise<void> {
  for (const name of names) {
    const loop = running.loops.find((candidate) => candidate.name === name) ?? assert.fail(`no loop ${name}`);
    const goal = loop.roundsDone() + 1 + count; // the current round may have read its input already
    await waitUntil(`${count} rounds of the ${name}`, () => {
      loop.wake();
      return loop.roundsDone() >= goal;
    });
  }
}
