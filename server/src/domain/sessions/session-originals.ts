// Re-exports: records that their source received from another vendor, such as Garmin's run in Strava, and Strava's run in
// Apple Health. Each is mapped to the original, over any number of steps. A function of the set of records.

import { compareText, type RankedDevice } from '../consolidate/ranking.ts';
import type { RecordedBy } from '../records/records.ts';
import { lengthMs, overlapMs, type Session } from '../records/session.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { isRelay } from '../vendors.ts';

type Recorded = { readonly device: RankedDevice; readonly session: Session };

/** What identifies a workout beside its times. */
export type WorkoutTraits = {
  /** The sport family. */
  readonly family: string;
  /** Null: recorded by a device of its source, as far as is known. */
  readonly recordedBy: RecordedBy | null;
};
export type TraitsOf<Kind extends Session> = (session: Kind) => WorkoutTraits;

export type Original<Candidate> = {
  /** The record that no other record explains. */
  readonly record: Candidate;
  /** How often it was passed on, as far as the records show. */
  readonly steps: number;
};

/** Two sessions are the same if they overlap by more than this fraction of the shorter one. */
export const SAME_SESSION_SHARE = 0.5;

/** Apps round to the minute, and cut the time in bed before the first and after the last stage. */
const SAME_TIMES_MS = 5 * MINUTE_MS;
/** Sources begin a workout when the button is pressed, with the first movement or at the full minute. */
const SAME_START_MS = 2 * MINUTE_MS;

/** Maps each re-export to its original. `traitsOf`: workouts only. */
export function findOriginals<Candidate extends Recorded>(
  candidates: readonly Candidate[],
  traitsOf?: TraitsOf<Candidate['session']>,
): ReadonlyMap<Candidate, Original<Candidate>> {
  const sources = new Map(candidates.map((one) => [one, sourceOf(one, traitsOf)]));
  if (candidates.every((one) => sources.get(one) === null)) return new Map();
  const byProvider = Map.groupBy(candidates, ({ device }) => device.provider);
  const firstHand = candidates.filter((one) => sources.get(one) === null);
  const nearest = (among: readonly Candidate[], one: Candidate) => findNearest(among, one, traitsOf);
  const previous = new Map<Candidate, Candidate>();
  for (const [one, source] of sources) {
    if (source === null) continue;
    const ofVendor = source.vendor === null ? [] : (byProvider.get(source.vendor) ?? []);
    // A relay's own record may differ from the original in the other direction.
    const found = (isRelay(source.vendor) ? nearest(firstHand, one) : null) ?? nearest(ofVendor, one);
    if (found !== null) previous.set(one, found);
  }
  return new Map(
    [...previous.keys()].flatMap((one) => {
      const original = followToOriginal(previous, one);
      return original === null ? [] : [[one, original] as const];
    }),
  );
}

/** The vendor that the source received the record from; null if it is not known to have received it. */
function sourceOf<Candidate extends Recorded>(
  { device, session }: Candidate,
  traitsOf?: TraitsOf<Candidate['session']>,
): RecordedBy | null {
  const recordedBy = traitsOf?.(session).recordedBy ?? null;
  const ofDevice = device.transport === 'sdk' ? (device.vendor ?? null) : null;
  if (recordedBy === null && ofDevice === null) return null;
  const vendor = recordedBy?.vendor ?? ofDevice;
  return vendor === device.provider ? null : { vendor, id: recordedBy?.id ?? null };
}

/** Null if records explain each other in a circle: then none is the original. */
function followToOriginal<Candidate extends Recorded>(
  previous: ReadonlyMap<Candidate, Candidate>,
  from: Candidate,
): Original<Candidate> | null {
  const seen = new Set([from]);
  for (let record = previous.get(from); record !== undefined; record = previous.get(record)) {
    if (seen.has(record)) return null;
    if (!previous.has(record)) return { record, steps: seen.size };
    seen.add(record);
  }
  return null;
}

/** The record of the same session: that with the vendor's id, else one that begins with it, else the largest overlap. */
function findNearest<Candidate extends Recorded>(
  records: readonly Candidate[],
  one: Candidate,
  traitsOf?: TraitsOf<Candidate['session']>,
): Candidate | null {
  let nearest: Candidate | null = null;
  const compare = (a: Candidate, b: Candidate) =>
    Number(isSameId(one, b, traitsOf)) - Number(isSameId(one, a, traitsOf)) ||
    Number(beginsTogether(one, b)) - Number(beginsTogether(one, a)) ||
    overlapMs(b.session, one.session) - overlapMs(a.session, one.session) ||
    distance(a.session, one.session) - distance(b.session, one.session) ||
    compareRecords(a, b);
  for (const record of records) {
    const isSame =
      traitsOf === undefined ? hasSameTimes(record.session, one.session) : isSameWorkout(record, one, traitsOf);
    if (record !== one && isSame && (nearest === null || compare(record, nearest) < 0)) nearest = record;
  }
  return nearest;
}

/**
 * Whether two records are the same workout: they overlap by more than half of the shorter; or they overlap and have the
 * same id, or begin together in the same sport family on two devices. The last rule is for records of a few minutes.
 */
export function isSameWorkout<Candidate extends Recorded>(
  a: Candidate,
  b: Candidate,
  traitsOf: TraitsOf<Candidate['session']>,
): boolean {
  const sharedMs = overlapMs(a.session, b.session);
  if (sharedMs === 0) return false;
  if (sharedMs > SAME_SESSION_SHARE * Math.min(lengthMs(a.session), lengthMs(b.session))) return true;
  return isSameId(a, b, traitsOf) || isSameBeginning(a, b, traitsOf);
}

function isSameBeginning<Candidate extends Recorded>(
  a: Candidate,
  b: Candidate,
  traitsOf: TraitsOf<Candidate['session']>,
): boolean {
  return (
    beginsTogether(a, b) && a.device.id !== b.device.id && traitsOf(a.session).family === traitsOf(b.session).family
  );
}

function beginsTogether(a: Recorded, b: Recorded): boolean {
  return Math.abs(a.session.start - b.session.start) <= SAME_START_MS;
}

/** Whether one names the other by the vendor's own id, or both name the same record of a vendor. */
function isSameId<Candidate extends Recorded>(
  a: Candidate,
  b: Candidate,
  traitsOf?: TraitsOf<Candidate['session']>,
): boolean {
  const [byA, byB] = [traitsOf?.(a.session).recordedBy ?? null, traitsOf?.(b.session).recordedBy ?? null];
  const names = (by: RecordedBy | null, { device, session }: Recorded) =>
    by !== null && by.id === session.key && by.vendor === device.provider;
  const isKnown = byA !== null && byA.id !== null && byA.vendor !== null;
  return names(byA, b) || names(byB, a) || (isKnown && byA.id === byB?.id && byA.vendor === byB.vendor);
}

function hasSameTimes(a: Session, b: Session): boolean {
  return Math.abs(a.start - b.start) <= SAME_TIMES_MS && Math.abs(a.end - b.end) <= SAME_TIMES_MS;
}

function compareRecords(a: Recorded, b: Recorded): number {
  return (
    a.session.start - b.session.start ||
    a.session.end - b.session.end ||
    compareText(a.device.id, b.device.id) ||
    compareText(a.session.key, b.session.key)
  );
}

function distance(a: Session, b: Session): number {
  return Math.abs(a.start - b.start) + Math.abs(a.end - b.end);
}
