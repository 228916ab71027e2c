// Which sleeps of a date are the night and which are naps (gap G-91).

import { compareText } from '../consolidate/ranking.ts';
import { overlapMs } from '../records/session.ts';
import type { CanonicalSession, Session, SessionCandidate } from '../sessions/sessions.ts';
import type { Zone } from '../time/day.ts';
import { HOUR_MS } from '../time/durations.ts';
import { chainRecords, joinSleeps, nightOf, SAME_NIGHT_GAP_MS } from './nights.ts';

/** With its duplicates, because a device whose record is a duplicate may show that two sleeps are one night. */
type Sleep = CanonicalSession<Session>;

/** Sleeps of one device that are closer than this are one, even by day, because shift workers sleep in parts too. */
const ONE_SLEEP_GAP_MS = HOUR_MS;

/**
 * The sessions with `is_main_sleep` of one date: all sessions of the longest night, by start. The length of a night
 * excludes its gaps. Only sessions of the same date join; all parts of a night have the same date (`nights.ts`).
 */
export function findMainSleep<Kind extends Sleep>(sleepsOfDate: readonly Kind[], zone: Zone): Kind[] {
  return listNights(sleepsOfDate, zone).sort(compareNights)[0] ?? [];
}

/**
 * The same for the sleeps that some devices recorded on a date whose night is known: the longest of their nights that
 * overlaps it. Without an overlap all of their sleeps are naps, because a nap never replaces the night.
 */
export function findSeenNight<Kind extends Sleep>(
  sleeps: readonly Kind[],
  nightOfDate: readonly SessionCandidate<Session>[],
  zone: Zone,
): Kind[] {
  const isOfNight = ({ session }: Kind) => nightOfDate.some((part) => overlapMs(session, part.session) > 0);
  const seen = listNights(sleeps, zone).filter((parts) => parts.some(isOfNight));
  return seen.sort(compareNights)[0] ?? [];
}

/** A shorter part of a night next to a longer one is a fragment. */
export const FRAGMENT_MS = HOUR_MS;

/**
 * The sessions marked as the main sleep: the parts of the night without short fragments (specification, sleep session),
 * or the longest part if all are short.
 */
export function listMainSessions<Kind extends Sleep>(sleepsOfDate: readonly Kind[], zone: Zone): Kind[] {
  const night = findMainSleep(sleepsOfDate, zone);
  const isLong = (part: Kind) => durationMs(part) >= FRAGMENT_MS;
  if (night.some(isLong)) return night.filter(isLong);
  return night.toSorted((a, b) => durationMs(b) - durationMs(a)).slice(0, 1); // a stable sort: of equal parts the earlier
}

/** The sleeps of one date by night, each by start. */
export function listNights<Kind extends Sleep>(sleepsOfDate: readonly Kind[], zone: Zone): Kind[][] {
  const recordsOf = ({ device, session, duplicates }: Kind) =>
    [{ device, session }, ...duplicates].map((one) => ({
      device: one.device.id,
      start: one.session.start,
      end: one.session.end,
      night: nightOf(one.session, zone),
    }));
  const records = new Map(sleepsOfDate.map((sleep) => [sleep, recordsOf(sleep)]));
  const nights = joinSleeps(
    sleepsOfDate,
    (sleep) => records.get(sleep) ?? [],
    (ofDevice) =>
      chainRecords(ofDevice, (gapMs, record, before) => {
        if (gapMs < ONE_SLEEP_GAP_MS) return true;
        if (gapMs >= SAME_NIGHT_GAP_MS) return false;
        return record.night !== null && before.some(({ night }) => night === record.night);
      }),
  );
  return nights.map((parts) => parts.sort(compareSleeps));
}

/** The longest first; of equal ones the earlier, then the device id. */
function compareNights(a: readonly Sleep[], b: readonly Sleep[]): number {
  const [firstOfA, firstOfB] = [a[0], b[0]];
  if (firstOfA === undefined || firstOfB === undefined) return b.length - a.length;
  return sumDurations(b) - sumDurations(a) || compareSleeps(firstOfA, firstOfB);
}

function compareSleeps(a: Sleep, b: Sleep): number {
  return a.session.start - b.session.start || compareText(a.device.id, b.device.id);
}

function sumDurations(night: readonly Sleep[]): number {
  return night.reduce((sum, part) => sum + durationMs(part), 0);
}

function durationMs({ session }: Sleep): number {
  return session.end - session.start;
}
