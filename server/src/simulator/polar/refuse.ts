// Polar's error responses: a status, mostly without a body. Every response has rate-limit headers.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import { nameUuid } from '../names.ts';
import type { ProviderContext } from '../provider-context.ts';
import type { RateUse } from '../rate-meter.ts';
import { replyJson } from '../reply-json.ts';

/** 403: not registered, or a consent that Polar requires is missing. */
const STATUSES: Readonly<Record<Refusal, number>> = {
  unauthorized: 401,
  forbidden: 403,
  rate_limited: 429,
  unavailable: 503,
  not_found: 404,
};

export function refusePolar(refusal: Refusal): RawReply {
  return { status: STATUSES[refusal] };
}

export const badRequest = (): RawReply => ({ status: 400 });
export const nothingThere = (): RawReply => ({ status: 204 });

/** The few errors with a body. */
export function explainError({ now }: ProviderContext, status: number, errorType: string, message: string): RawReply {
  const timestamp = now().toISOString();
  return replyJson(status, { timestamp, status, errorType, message, corrId: nameUuid('polar', timestamp, message) });
}

/** Short and long window; usage counts up. */
export function writeRateHeaders(uses: readonly RateUse[]): Readonly<Record<string, string>> {
  const both = (read: (use: RateUse) => number) => uses.map(read).join(', ');
  if (uses.length === 0) return {};
  return {
    'ratelimit-usage': both(({ used }) => used),
    'ratelimit-limit': both(({ limit }) => limit),
    'ratelimit-reset': both(({ resetSeconds }) => resetSeconds),
  };
}
