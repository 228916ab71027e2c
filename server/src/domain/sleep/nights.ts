// Which sleeps of one device are parts of one night, and the day that they count toward (gap G-91).

import type { Session } from '../records/session.ts';
import { addDays, type LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';

type Times = Pick<Session, 'start' | 'end'>;

/** A sleep is in the night when its middle lies between these times of the person's clock. */
const NIGHT_BEGINS_MINUTE = 21 * 60;
const NIGHT_ENDS_MINUTE = 9 * 60;

/** Sleeps of one device in the same night that are closer than this are one night: people get up, and devices then begin a new session. */
export const SAME_NIGHT_GAP_MS = 90 * 60_000;

/** A night lasts 12 hours and no sleep more than 24: all parts of a night lie within these. */
export const NIGHT_REACH_MS = 36 * 3_600_000;

/** The date of the morning of the night that a sleep is in; null: it is a sleep by day. */
export function nightOf({ start, end }: Times, zone: Zone): LocalDate | null {
  const middleMs = (start + end) / 2;
  const { date } = zone.dayAt(middleMs);
  const minute = zone.wallMinutes(middleMs, date);
  if (minute >= NIGHT_BEGINS_MINUTE) return addDays(date, 1);
  return minute < NIGHT_ENDS_MINUTE ? date : null;
}

/** The calendar day a sleep counts toward where nothing is known of others: the local day of its end. */
export function sleepDate({ end }: Pick<Session, 'end'>, zone: Zone): LocalDate {
  return zone.dayAt(end).date;
}

/** The same with all sleeps of the device around: the local day on which the night ends that a sleep is a part of. */
export function dateSleeps<Sleep extends Times>(sleepsOfDevice: readonly Sleep[], zone: Zone): Map<Sleep, LocalDate> {
  const dates = new Map<Sleep, LocalDate>();
  for (const [night, sleeps] of Map.groupBy(sleepsOfDevice, (sleep) => nightOf(sleep, zone))) {
    for (const parts of night === null ? sleeps.map((sleep) => [sleep]) : joinParts(sleeps)) {
      const end = parts.reduce<number>((latest, part) => Math.max(latest, part.end), Number.NEGATIVE_INFINITY);
      const { date } = zone.dayAt(end);
      for (const part of parts) dates.set(part, date);
    }
  }
  return dates;
}

function joinParts<Sleep extends Times>(sleepsOfNight: readonly Sleep[]): Sleep[][] {
  const nights: Sleep[][] = [];
  let reachMs = Number.NEGATIVE_INFINITY;
  for (const sleep of sleepsOfNight.toSorted((a, b) => a.start - b.start)) {
    if (sleep.start - reachMs < SAME_NIGHT_GAP_MS) nights.at(-1)?.push(sleep);
    else nights.push([sleep]);
    reachMs = Math.max(reachMs, sleep.end);
  }
  return nights;
}
