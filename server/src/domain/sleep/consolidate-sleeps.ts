// Selects the canonical sleeps: one for each period of sleep, whichever devices recorded it (gap G-39).
import { findMetric } from '../metrics/index.ts';
import {
  type CanonicalSession,
  consolidateSessions,
  type Session,
  type SessionCandidate,
  type SessionDetail,
} from '../sessions/sessions.ts';

/** Below this fraction of the longest session that overlaps it, a night is a fragment. */
export const MIN_FRAGMENT_COVERAGE = 0.6;

const RANKING = findMetric('asleep')?.ranking ?? [];

/** A globally disabled provider loses its nights (gap G-33); one that is disabled for a sleep metric does not. */
export function consolidateSleeps<Sleep extends Session>(
  candidates: readonly SessionCandidate<Sleep>[],
  isProviderOn: (provider: string) => boolean,
  detailOf: (sleep: Sleep) => SessionDetail,
): CanonicalSession<Sleep>[] {
  const enabled = candidates.filter(({ device }) => isProviderOn(device.provider));
  return consolidateSessions(enabled, { ranking: RANKING, minCoverage: MIN_FRAGMENT_COVERAGE, detailOf });
}
