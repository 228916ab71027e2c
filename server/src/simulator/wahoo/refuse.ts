// Wahoo's error responses and its rate-limit headers: each has a list with one number per window.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import type { RateUse } from '../rate-meter.ts';
import { replyJson } from '../reply-json.ts';

const STATUSES: Readonly<Record<Refusal, number>> = {
  unauthorized: 401,
  forbidden: 403,
  rate_limited: 429,
  unavailable: 503,
  not_found: 404,
};

export function refuseWahoo(refusal: Refusal): RawReply {
  return replyJson(STATUSES[refusal], { error: refusal });
}

export function writeRateHeaders(uses: readonly RateUse[]): Readonly<Record<string, string>> {
  const list = (read: (use: RateUse) => number) => uses.map(read).join(', ');
  if (uses.length === 0) return {};
  return {
    'x-ratelimit-limit': list(({ limit }) => limit),
    'x-ratelimit-remaining': list(({ limit, used }) => Math.max(0, limit - used)),
    'x-ratelimit-reset': list(({ resetSeconds }) => resetSeconds),
  };
}
