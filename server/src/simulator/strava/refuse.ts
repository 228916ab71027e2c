// Strava's error responses, and its two pairs of rate-limit headers: all requests, and reads.
import { DAY_SECONDS } from '../../domain/time/durations.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import type { RateUse } from '../rate-meter.ts';
import { replyJson } from '../reply-json.ts';

type Fault = { readonly resource: string; readonly field: string; readonly code: string };

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, message: string, Fault | null]>> = {
  unauthorized: [401, 'Authorization Error', { resource: 'Athlete', field: 'access_token', code: 'invalid' }],
  forbidden: [
    403,
    'Authorization Error',
    { resource: 'AccessToken', field: 'activity:read_permission', code: 'missing' },
  ],
  rate_limited: [429, 'Rate Limit Exceeded', { resource: 'Application', field: 'rate limit', code: 'exceeded' }],
  unavailable: [503, 'Service Unavailable', null],
  not_found: [404, 'Resource Not Found', null],
};

export function refuseStrava(refusal: Refusal): RawReply {
  const [status, message, fault] = REFUSALS[refusal];
  return replyJson(status, { message, errors: fault === null ? [] : [fault] });
}

export function badRequest(resource: string, field: string, code = 'invalid'): RawReply {
  return replyJson(400, { message: 'Bad Request', errors: [{ resource, field, code }] });
}

const QUARTER_SECONDS = 15 * 60;

/** Overall, then reads; each in the order of the headers. */
export const LIMITS = [
  { seconds: QUARTER_SECONDS, requests: () => 200 },
  { seconds: DAY_SECONDS, requests: () => 2_000 },
  { seconds: QUARTER_SECONDS, requests: () => 100 },
  { seconds: DAY_SECONDS, requests: () => 1_000 },
].map((limit) => ({ ...limit, per: 'application' as const, isAligned: true as const }));

/** "quarter of an hour,day"; usage counts up. */
export function writeRateHeaders(uses: readonly RateUse[]): Readonly<Record<string, string>> {
  if (uses.length < LIMITS.length) return {};
  const pair = (from: number, read: (use: RateUse) => number) =>
    uses
      .slice(from, from + 2)
      .map(read)
      .join(',');
  return {
    'x-ratelimit-limit': pair(0, ({ limit }) => limit),
    'x-ratelimit-usage': pair(0, ({ used }) => used),
    'x-readratelimit-limit': pair(2, ({ limit }) => limit),
    'x-readratelimit-usage': pair(2, ({ used }) => used),
  };
}
