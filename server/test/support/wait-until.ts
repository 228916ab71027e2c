// Waits for a condition instead of a fixed time, and names the condition when it fails.
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 10;
/** A condition that opens a connection or reads much takes a fifth of a processor at most, and leaves the rest to the awaited work. */
const PAUSES_PER_CHECK = 4;
const MAX_PAUSE_MS = 100;
const LIMIT_MS = 30_000; // a loaded machine is ten times slower

/** Resolves with the first result that is neither false, null nor undefined. */
export async function waitUntil<Result>(
  what: string,
  condition: () => Result | Promise<Result>,
  limitMs = LIMIT_MS,
): Promise<NonNullable<Exclude<Result, false>>> {
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    const checkedMs = performance.now();
    const result = await condition();
    if (result !== false && result !== null && result !== undefined)
      return result as NonNullable<Exclude<Result, false>>;
    if (performance.now() > deadlineMs) throw new Error(`timed out after ${limitMs} ms waiting for: ${what}`);
    await delay(pauseAfter(performance.now() - checkedMs));
  }
}

/** How long to wait before the next check, after one that took `tookMs`. */
export function pauseAfter(tookMs: number, leastMs = PAUSE_MS): number {
  return Math.max(leastMs, Math.min(PAUSES_PER_CHECK * tookMs, MAX_PAUSE_MS));
}
