// WHOOP's error responses (a sentence, not JSON) and its rate-limit headers.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import type { RateUse } from '../rate-meter.ts';

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, text: string]>> = {
  unauthorized: [401, 'Authorization was not valid'],
  forbidden: [403, 'Forbidden'],
  rate_limited: [429, 'Too Many Requests'],
  unavailable: [503, 'Service Unavailable'],
  not_found: [404, 'Not Found'],
};

export function refuseWhoop(refusal: Refusal): RawReply {
  return replyText(...REFUSALS[refusal]);
}

export function refuseRequest(problem: string): RawReply {
  return replyText(400, problem);
}

function replyText(status: number, body: string): RawReply {
  return { status, headers: { 'content-type': 'text/plain' }, body };
}

/** For the limit that is reached first, followed by both limits: `100, 100;window=60, 10000;window=86400`. */
export function writeRateHeaders(uses: readonly RateUse[]): Readonly<Record<string, string>> {
  const left = ({ limit, used }: RateUse) => Math.max(0, limit - used);
  const [closest] = uses.toSorted((a, b) => left(a) - left(b));
  if (closest === undefined) return {};
  const budgets = uses.map(({ limit, windowSeconds }) => `${limit};window=${windowSeconds}`);
  return {
    'x-ratelimit-limit': [closest.limit, ...budgets].join(', '),
    'x-ratelimit-remaining': String(left(closest)),
    'x-ratelimit-reset': String(closest.resetSeconds),
  };
}
