// The HRV kind of each device's nightly value, and of the canonical value.

import type { DayCandidate, SessionsOfDay } from '../../../domain/consolidate/day-value.ts';
import type { Consolidated } from '../../../domain/consolidate/index.ts';
import { defaultHrvKind } from '../../../domain/metrics/hrv-kind.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import type { DayFacts } from './device-days.ts';

export function addHrvKinds(
  { devices }: ConsolidationContext,
  { sleep }: DayFacts,
  date: LocalDate,
  candidates: readonly DayCandidate[],
): DayCandidate[] {
  return candidates.map((candidate) => {
    const known = devices.find(({ id }) => id === candidate.device.id);
    const ofNight = candidate.origin === 'sessions' && known ? sleep.get(date)?.hrvKindOf?.(known.number) : null;
    return { ...candidate, hrvKind: ofNight ?? defaultHrvKind(candidate.device.provider) };
  });
}

/** The kind of the canonical sleeps if they contribute first; otherwise the kind of the first contributing device. */
export function findCanonicalKind(
  { contributors: [first] }: Consolidated,
  candidates: readonly DayCandidate[],
  canonical: SessionsOfDay | null,
): HrvKind | null {
  if (first === undefined) return null;
  const candidate = candidates.find(({ device }) => device.id === first.id);
  const isCanonical = candidate?.origin === 'sessions' && canonical?.devices[0] === first.id;
  return (isCanonical ? canonical.hrvKind : null) ?? candidate?.hrvKind ?? null;
}
