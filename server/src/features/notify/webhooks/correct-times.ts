// Corrects the times of deliveries that were planned or attempted while a clock was ahead. Without it they would wait until the
// right clock reaches these times.
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Services } from '../../../platform/services.ts';
import { bringMisdatedForward, listMisdated, MISDATED_AT_ONCE } from './misdated-store.ts';

/** A clock that was corrected while this process did not run, or the one of another process. */
const LOOK_EVERY_MS = 10 * MINUTE_MS;
/** Clocks of several machines differ by less. */
const TOLERANCE_MS = MINUTE_MS;

export type CorrectTimes = (now: Date) => Promise<void>;

/** For every round of a dispatcher: looks for such deliveries now and then, and when the clock was set back. */
export function createCorrectTimes({ db, log }: Pick<Services, 'db' | 'log'>): CorrectTimes {
  let lookedMs = Number.NEGATIVE_INFINITY;
  let latestMs = Number.NEGATIVE_INFINITY;
  return async (now) => {
    const nowMs = now.getTime();
    if (nowMs >= latestMs - TOLERANCE_MS && performance.now() - lookedMs < LOOK_EVERY_MS) {
      latestMs = Math.max(latestMs, nowMs);
      return;
    }
    const times = { now, future: new Date(nowMs + TOLERANCE_MS) };
    const ids = await listMisdated(db, times);
    let total = 0;
    for (let count = MISDATED_AT_ONCE; ids.length > 0 && count === MISDATED_AT_ONCE; total += count)
      count = await db.transaction((tx) => bringMisdatedForward(tx, ids, times));
    latestMs = nowMs;
    lookedMs = performance.now();
    if (total === 0) return;
    log.warn(
      { deliveries: total, webhooks: ids.length },
      'deliveries had times of a clock that was ahead; they are sent now',
    );
  };
}
