// The canonical value of one metric on one day, from each device's value and, for metrics derived from sleeps or
// workouts, from the canonical sessions. Used for storing values and for explaining them, so that the two agree.

import type { Method, Metric } from '../metrics/metric.ts';
import { WORKOUT_METRICS } from '../metrics/session-metrics.ts';
import type { HrvKind } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import { NO_QUARTER_HOURS } from '../time/quarter-hours.ts';
import type { DayOrigin } from './day-notes.ts';
import { type Candidate, type CandidateOutcome, type Consolidated, consolidate, type DayOfDevice } from './index.ts';

export type DayCandidate = Candidate & {
  readonly origin: DayOrigin | null;
  /** The kind of a night's heart rate variability. */
  readonly hrvKind?: HrvKind | null;
};

/**
 * The value that the canonical sleeps or workouts of the day give for the metric; the device of the main one comes
 * first.
 */
export type SessionsOfDay = {
  readonly value: number;
  /** The devices whose records the value comes from. */
  readonly devices: readonly DeviceId[];
  /** The part of the value from each device. */
  readonly amounts?: ReadonlyMap<DeviceId, number>;
  readonly hrvKind?: HrvKind | null;
};

/**
 * Adds the device's samples of the day for a merge. If other devices' data divided one of its samples between days, the
 * total computed from its samples by time no longer holds; a total that the device reported does.
 */
export function addDayOfDevice(candidate: DayCandidate, { quarterHours, wornHours }: DayOfDevice): DayCandidate {
  const isDivided = candidate.origin === 'samples' && quarterHours.long.some(({ divided }) => divided !== undefined);
  return { ...candidate, total: isDivided ? null : candidate.total, quarterHours, wornHours };
}

/**
 * `priority` and `merge` use the canonical sessions, credited to the device of the main one: a night that is a
 * duplicate does not come back through the day's total, and a nap that only the watch recorded is added to the ring's
 * night. The other methods compare devices, so each device counts with its own sessions.
 */
export function consolidateDayValue(
  metric: Metric,
  method: Method,
  candidates: readonly DayCandidate[],
  sessions: SessionsOfDay | null,
): Consolidated {
  return consolidateEnabled(metric, method, enableCanonicalWorkouts(metric, candidates, sessions), sessions);
}

/**
 * Which workouts are canonical does not depend on the consolidation settings: a disabled provider's samples and totals
 * are ignored, but its workouts stay listed, and the day's value agrees with the list.
 */
export function enableCanonicalWorkouts(
  metric: Metric,
  candidates: readonly DayCandidate[],
  sessions: SessionsOfDay | null,
): readonly DayCandidate[] {
  if (!WORKOUT_METRICS.has(metric.id)) return candidates;
  return candidates.map((candidate) => {
    const { device, isEnabled, origin } = candidate;
    if (isEnabled) return candidate;
    if (origin === 'sessions') return { ...candidate, isEnabled: true };
    const isListed = sessions?.devices.includes(device.id) ?? false;
    if (!isListed) return candidate;
    return { device, isEnabled: true, total: null, quarterHours: NO_QUARTER_HOURS, origin: 'sessions' };
  });
}

function consolidateEnabled(
  metric: Metric,
  method: Method,
  candidates: readonly DayCandidate[],
  sessions: SessionsOfDay | null,
): Consolidated {
  if (isComparing(method)) return compareAmong(metric, method, candidates);
  if (candidates.every(({ origin }) => origin !== 'sessions')) return consolidate(method, metric.ranking, candidates);
  const [mainId] = sessions?.devices ?? [];
  const withSessions = candidates.map((candidate) =>
    candidate.origin !== 'sessions'
      ? candidate
      : { ...candidate, total: candidate.device.id === mainId ? (sessions?.value ?? null) : null },
  );
  const consolidated = consolidate(method, metric.ranking, withSessions);
  const bySessions = new Set(withSessions.filter(({ origin }) => origin === 'sessions').map(({ device }) => device.id));
  const [first] = consolidated.contributors;
  const canonical =
    first !== undefined && first.id === mainId && bySessions.has(first.id) ? (sessions?.devices ?? []) : [];
  return {
    value: consolidated.value,
    contributors: canonical.length === 0 ? consolidated.contributors : pickDevices(candidates, canonical),
    get outcomes() {
      const usedRank = consolidated.outcomes.findIndex(({ outcome }) => outcome === 'used');
      const isOutranked = (rank: number) => usedRank !== -1 && rank > usedRank;
      return consolidated.outcomes.map((reported, rank): CandidateOutcome => {
        const { id } = reported.device;
        const contributed = sessions?.amounts?.get(id) ?? reported.contributed;
        if (canonical.includes(id)) return { ...reported, outcome: 'used', contributed };
        if (!bySessions.has(id) || reported.outcome !== 'no_value') return reported;
        return { ...reported, outcome: isOutranked(rank) ? 'outranked' : 'other_record' };
      });
    },
  };
}

/** Whether the method compares the values of devices. */
export function isComparing(method: Method): boolean {
  return method !== 'priority' && method !== 'merge';
}

/** RMSSD and SDNN are never mixed: only values of the kind that ranks first are compared. */
function compareAmong(metric: Metric, method: Method, candidates: readonly DayCandidate[]): Consolidated {
  const byRank = consolidate('priority', metric.ranking, candidates);
  const [first] = byRank.contributors;
  const kind = candidates.find(({ device }) => device === first)?.hrvKind ?? null;
  if (kind === null) return consolidate(method, metric.ranking, candidates);
  const consolidated = consolidate(
    method,
    metric.ranking,
    candidates.filter(({ hrvKind }) => hrvKind === kind),
  );
  return {
    value: consolidated.value,
    contributors: consolidated.contributors,
    get outcomes() {
      const ofKind = new Map(consolidated.outcomes.map((outcome) => [outcome.device, outcome]));
      return byRank.outcomes.map((outcome) => ofKind.get(outcome.device) ?? outcome);
    },
  };
}

function pickDevices(candidates: readonly DayCandidate[], ids: readonly DeviceId[]): Consolidated['contributors'] {
  return ids.flatMap((id) => candidates.filter(({ device }) => device.id === id).map(({ device }) => device));
}
