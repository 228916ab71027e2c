// Records that a phone forwards although the vendor's cloud is connected too: a re-export of an original.

import { compareText, type RankedDevice } from '../consolidate/ranking.ts';
import { findFirst } from '../find-first.ts';
import type { Session } from '../records/session.ts';
import { MINUTE_MS } from '../time/durations.ts';

type Recorded = { readonly device: RankedDevice; readonly session: Session };

/** Apps round to the minute, and cut the time in bed before the first and after the last stage. */
const SAME_TIMES_MS = 5 * MINUTE_MS;

/** Maps a re-export to its original, the record of the vendor's cloud with the same times; the nearest of several. */
export function findOriginals<Candidate extends Recorded>(
  candidates: readonly Candidate[],
): ReadonlyMap<Candidate, Candidate> {
  const originals = new Map<Candidate, Candidate>();
  if (!candidates.some(isPassedOn)) return originals;
  const clouds = Map.groupBy(
    candidates.filter(({ device }) => device.transport === 'cloud').toSorted(byStart),
    ({ device }) => device.provider,
  );
  for (const candidate of candidates) {
    if (!isPassedOn(candidate)) continue;
    const original = findNearest(clouds.get(candidate.device.vendor ?? '') ?? [], candidate);
    if (original !== null) originals.set(candidate, original);
  }
  return originals;
}

function isPassedOn({ device }: Recorded): boolean {
  return device.transport === 'sdk' && (device.vendor ?? null) !== null;
}

function byStart(a: Recorded, b: Recorded): number {
  return (
    a.session.start - b.session.start ||
    a.session.end - b.session.end ||
    compareText(a.device.id, b.device.id) ||
    compareText(a.session.key, b.session.key)
  );
}

/** `records` ascend by start. */
function findNearest<Candidate extends Recorded>(
  records: readonly Candidate[],
  { session }: Candidate,
): Candidate | null {
  let nearest: Candidate | null = null;
  const earliest = session.start - SAME_TIMES_MS;
  const first = findFirst(records.length, (at) => (records[at] as Recorded).session.start >= earliest);
  for (let at = first; ; at += 1) {
    const record = records[at];
    if (record === undefined || record.session.start > session.start + SAME_TIMES_MS) return nearest;
    if (Math.abs(record.session.end - session.end) > SAME_TIMES_MS) continue;
    if (nearest === null || distance(record.session, session) < distance(nearest.session, session)) nearest = record;
  }
}

function distance(a: Session, b: Session): number {
  return Math.abs(a.start - b.start) + Math.abs(a.end - b.end);
}
