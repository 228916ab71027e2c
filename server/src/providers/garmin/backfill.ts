// Backfill: requested by kind and time, and pushed later like all other data. Nothing marks the last push.
import type { FetchWindow, ProviderAnswer, ProviderRequest, PushedBackfill } from '../contract.ts';

/** Kinds whose path differs from their name in webhooks. */
const PATHS: Readonly<Record<string, string>> = { pulseox: 'pulseOx', allDayRespiration: 'respiration' };

export const GARMIN_BACKFILL: PushedBackfill = {
  windowDays: 30, // the limit for activities; health summaries allow 90
  kinds: [
    'dailies',
    'sleeps',
    'activityDetails',
    'activities',
    'hrv',
    'epochs',
    'pulseox',
    'allDayRespiration',
    'stressDetails',
    'bodyComps',
    'userMetrics',
    'bloodPressures',
    'skinTemp',
    'healthSnapshot',
  ],
  request: (kind: string, { from, to }: FetchWindow): ProviderRequest => ({
    origin: 'api',
    method: 'GET',
    path: `/wellness-api/rest/backfill/${PATHS[kind] ?? kind}`,
    query: {
      summaryStartTimeInSeconds: String(Math.floor(from / 1_000)),
      summaryEndTimeInSeconds: String(Math.floor(to / 1_000)),
    },
    as: 'person',
  }),
  readAnswer,
};

/** 403 and 412: too far back for the contract, or the user did not share history; a retry does not help. */
function readAnswer({ status, body }: ProviderAnswer): ReturnType<PushedBackfill['readAnswer']> {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 409) return 'done';
  if (status === 401) return 'unauthorized';
  if (status === 403 || status === 412) return 'denied';
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'unavailable';
  return /min start time/i.test(JSON.stringify(body ?? '')) ? 'denied' : 'bad_request';
}
