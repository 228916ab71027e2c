// The canonical value of one metric on one day, from each device's own value and, where sleeps or workouts tell the metric,
// from those that are shown. Used where values are stored and where they are explained, so that the two agree.

import type { Method, Metric } from '../metrics/metric.ts';
import { WORKOUT_METRICS } from '../metrics/session-metrics.ts';
import type { HrvKind } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import { NO_QUARTER_HOURS } from '../time/quarter-hours.ts';
import type { DayOrigin } from './day-notes.ts';
import { type Candidate, type CandidateOutcome, type Consolidated, consolidate, type DayOfDevice } from './index.ts';

export type DayCandidate = Candidate & {
  readonly origin: DayOrigin | null;
  /** Of a night's heart rate variability. */
  readonly hrvKind?: HrvKind | null;
};

/** What the shown sleeps or workouts of the day tell of the metric; the device of the main one first. */
export type SessionsOfDay = {
  readonly value: number;
  /** Those whose records the value is from. */
  readonly devices: readonly DeviceId[];
  /** What each of them gave: its share of the value. */
  readonly amounts?: ReadonlyMap<DeviceId, number>;
  readonly hrvKind?: HrvKind | null;
};

/**
 * With its samples of the day, for a merge. What a device's own samples come to by time does not stand where one of them was
 * divided between days by other devices' data; what the device stated does.
 */
export function addDayOfDevice(candidate: DayCandidate, { quarterHours, wornHours }: DayOfDevice): DayCandidate {
  const isDivided = candidate.origin === 'samples' && quarterHours.long.some(({ divided }) => divided !== undefined);
  return { ...candidate, total: isDivided ? null : candidate.total, quarterHours, wornHours };
}

/**
 * By rank, sessions count as they are shown: a night that gave way to another device's does not come back through the day's
 * total, and a nap that only the watch saw is added to the ring's night. They speak for the device of the main one.
 * The other methods compare devices, so each speaks for itself.
 */
export function consolidateDayValue(
  metric: Metric,
  method: Method,
  candidates: readonly DayCandidate[],
  sessions: SessionsOfDay | null,
): Consolidated {
  return chooseAmongHeard(metric, method, hearWorkouts(metric, candidates, sessions), sessions);
}

/**
 * The choice of workouts is not part of consolidation: where a provider is off, its samples and totals are not heard, but its
 * workouts stay listed, and the day agrees with the list.
 */
export function hearWorkouts(
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

function chooseAmongHeard(
  metric: Metric,
  method: Method,
  candidates: readonly DayCandidate[],
  sessions: SessionsOfDay | null,
): Consolidated {
  if (isComparing(method)) return compareAmong(metric, method, candidates);
  if (candidates.every(({ origin }) => origin !== 'sessions')) return consolidate(method, metric.ranking, candidates);
  const [mainId] = sessions?.devices ?? [];
  const heard = candidates.map((candidate) =>
    candidate.origin !== 'sessions'
      ? candidate
      : { ...candidate, total: candidate.device.id === mainId ? (sessions?.value ?? null) : null },
  );
  const chosen = consolidate(method, metric.ranking, heard);
  const bySessions = new Set(heard.filter(({ origin }) => origin === 'sessions').map(({ device }) => device.id));
  const [first] = chosen.contributors;
  const canonical =
    first !== undefined && first.id === mainId && bySessions.has(first.id) ? (sessions?.devices ?? []) : [];
  return {
    value: chosen.value,
    contributors: canonical.length === 0 ? chosen.contributors : pickDevices(candidates, canonical),
    get outcomes() {
      const usedRank = chosen.outcomes.findIndex(({ outcome }) => outcome === 'used');
      const isOutranked = (rank: number) => usedRank !== -1 && rank > usedRank;
      return chosen.outcomes.map((reported, rank): CandidateOutcome => {
        const { id } = reported.device;
        const contributed = sessions?.amounts?.get(id) ?? reported.contributed;
        if (canonical.includes(id)) return { ...reported, outcome: 'used', contributed };
        if (!bySessions.has(id) || reported.outcome !== 'no_value') return reported;
        return { ...reported, outcome: isOutranked(rank) ? 'outranked' : 'other_record' };
      });
    },
  };
}

/** Whether the method compares what each device says by itself. */
export function isComparing(method: Method): boolean {
  return method !== 'priority' && method !== 'merge';
}

/** Two kinds of heart rate variability are never mixed: those of the kind that ranks first are compared. */
function compareAmong(metric: Metric, method: Method, candidates: readonly DayCandidate[]): Consolidated {
  const byRank = consolidate('priority', metric.ranking, candidates);
  const [first] = byRank.contributors;
  const kind = candidates.find(({ device }) => device === first)?.hrvKind ?? null;
  if (kind === null) return consolidate(method, metric.ranking, candidates);
  const chosen = consolidate(
    method,
    metric.ranking,
    candidates.filter(({ hrvKind }) => hrvKind === kind),
  );
  return {
    value: chosen.value,
    contributors: chosen.contributors,
    get outcomes() {
      const ofKind = new Map(chosen.outcomes.map((outcome) => [outcome.device, outcome]));
      return byRank.outcomes.map((outcome) => ofKind.get(outcome.device) ?? outcome);
    },
  };
}

function pickDevices(candidates: readonly DayCandidate[], ids: readonly DeviceId[]): Consolidated['contributors'] {
  return ids.flatMap((id) => candidates.filter(({ device }) => device.id === id).map(({ device }) => device));
}
