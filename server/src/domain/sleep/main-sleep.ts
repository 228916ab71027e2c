// Which sleeps of a date are the night and which are naps (gap G-91).

import { compareText } from '../consolidate/ranking.ts';
import { overlapMs } from '../records/session.ts';
import type { Session, SessionCandidate } from '../sessions/sessions.ts';
import type { LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';
import { nightOf, SAME_NIGHT_GAP_MS } from './nights.ts';

type Sleep = SessionCandidate<Session>;

/** Sleeps of one device that are closer than this are one, also by day: who works at night sleeps in parts too. */
const ONE_SLEEP_GAP_MS = 60 * 60_000;

/**
 * The sessions with `is_main_sleep` among those of one date: all sessions of the longest night, by start. A night lasts as
 * long as its sessions do, without the gaps. Only sessions of the same date join; all parts of a night have one (`nights.ts`).
 */
export function findMainSleep<Kind extends Sleep>(sleepsOfDate: readonly Kind[], zone: Zone): Kind[] {
  return listNights(sleepsOfDate, zone).sort(compareNights)[0] ?? [];
}

/**
 * The same among the sleeps that some devices saw of a date whose night is known: the longest of their nights that overlaps it.
 * Without one they saw no night, and all of their sleeps are naps: a nap never stands in for the night.
 */
export function findSeenNight<Kind extends Sleep>(
  sleeps: readonly Kind[],
  nightOfDate: readonly Sleep[],
  zone: Zone,
): Kind[] {
  const isOfNight = ({ session }: Kind) => nightOfDate.some((part) => overlapMs(session, part.session) > 0);
  const seen = listNights(sleeps, zone).filter((parts) => parts.some(isOfNight));
  return seen.sort(compareNights)[0] ?? [];
}

/** A part of the night that is shorter, beside a longer one, is a fragment of it. */
const FRAGMENT_MS = 60 * 60_000;

/** Those to be marked as the main sleep: the parts of the night, short fragments apart (specification, sleep session). */
export function listMainSessions<Kind extends Sleep>(sleepsOfDate: readonly Kind[], zone: Zone): Kind[] {
  const night = findMainSleep(sleepsOfDate, zone);
  const isLong = ({ session }: Kind) => session.end - session.start >= FRAGMENT_MS;
  return night.some(isLong) ? night.filter(isLong) : night.slice(0, 1);
}

function listNights<Kind extends Sleep>(sleeps: readonly Kind[], zone: Zone): Kind[][] {
  const byDevice = Map.groupBy(sleeps, ({ device }) => device.id);
  return [...byDevice.values()].flatMap((sleepsOfDevice) => joinNights(sleepsOfDevice, zone));
}

function joinNights<Kind extends Sleep>(sleepsOfDevice: readonly Kind[], zone: Zone): Kind[][] {
  const nights: { parts: Kind[]; of: Set<LocalDate | null> }[] = [];
  let reachMs = Number.NEGATIVE_INFINITY;
  for (const sleep of sleepsOfDevice.toSorted((a, b) => a.session.start - b.session.start)) {
    const before = nights.at(-1);
    const night = nightOf(sleep.session, zone);
    const isSameNight = night !== null && (before?.of.has(night) ?? false);
    const isPart = sleep.session.start - reachMs < (isSameNight ? SAME_NIGHT_GAP_MS : ONE_SLEEP_GAP_MS);
    if (before === undefined || !isPart) nights.push({ parts: [sleep], of: new Set([night]) });
    else {
      before.parts.push(sleep);
      before.of.add(night);
    }
    reachMs = Math.max(reachMs, sleep.session.end);
  }
  return nights.map(({ parts }) => parts);
}

/** The longest first; of equal ones the earlier, then the device id. */
function compareNights(a: readonly Sleep[], b: readonly Sleep[]): number {
  const [firstOfA, firstOfB] = [a[0], b[0]];
  if (firstOfA === undefined || firstOfB === undefined) return b.length - a.length;
  return (
    sumDurations(b) - sumDurations(a) ||
    firstOfA.session.start - firstOfB.session.start ||
    compareText(firstOfA.device.id, firstOfB.device.id)
  );
}

function sumDurations(night: readonly Sleep[]): number {
  return night.reduce((sum, { session }) => sum + (session.end - session.start), 0);
}
