// The main sleep of a date as the scores use it: all its parts together (gap G-91).

import type { SleepSession } from '../records/records.ts';
import type { CanonicalSession } from '../sessions/sessions.ts';
import { findMainSleep, type SleepTotals, totalSleep } from '../sleep/index.ts';
import type { Zone } from '../time/day.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { MainSleep } from './day-inputs.ts';

type Sleep = CanonicalSession<SleepSession>;

/** The canonical sleeps of one date. */
export function describeMainSleep(sleeps: readonly Sleep[], zone: Zone): MainSleep | null {
  const main = findMainSleep(sleeps, zone);
  const last = main.at(-1);
  if (last === undefined) return null;
  const totals = main.map(({ session }) => totalSleep(session));
  return {
    asleep: sumKnown(totals, ({ asleep }) => asleep),
    inBed: sumKnown(totals, ({ inBed }) => inBed),
    awake: sumKnown(totals, ({ awake }) => awake),
    deep: sumKnown(totals, ({ deep }) => deep),
    rem: sumKnown(totals, ({ rem }) => rem),
    wokeAt: last.session.end,
  };
}

/** Minutes of each sleep after the main one. A sleep without minutes asleep counts with its duration. */
export function listNaps(sleeps: readonly Sleep[], zone: Zone): number[] {
  const main = describeMainSleep(sleeps, zone);
  if (main === null) return [];
  return sleeps
    .filter(({ session }) => session.start >= main.wokeAt)
    .map(({ session }) => totalSleep(session).asleep ?? (session.end - session.start) / MINUTE_MS);
}

function sumKnown(totals: readonly SleepTotals[], read: (one: SleepTotals) => number | null): number | null {
  const known = totals.map(read).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
