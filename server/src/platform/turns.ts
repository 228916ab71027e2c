// Long computations stop now and then, so that other requests have their turn.
import { setImmediate } from 'node:timers/promises';

/** What a waiting request hardly notices. */
const TURN_MS = 50;

/** To be awaited between pieces of work; stops only when the turn is over. */
export function takeTurns(): () => Promise<void> {
  let beganMs = performance.now();
  return async () => {
    if (performance.now() - beganMs < TURN_MS) return;
    await setImmediate();
    beganMs = performance.now();
  };
}
