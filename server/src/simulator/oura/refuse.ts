// Oura's error responses.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import type { RateUse } from '../rate-meter.ts';
import { replyJson } from '../reply-json.ts';

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, detail: string]>> = {
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'The token does not have the scope for this.'],
  rate_limited: [429, 'Request Rate Limit Exceeded.'],
  unavailable: [503, 'Service Unavailable'],
  not_found: [404, 'Not Found'],
};

const DEFAULT_RETRY_SECONDS = 60;

export function refuseOura(refusal: Refusal, uses: readonly RateUse[]): RawReply {
  const [status, detail] = REFUSALS[refusal];
  const retryAfter = String(uses[0]?.resetSeconds ?? DEFAULT_RETRY_SECONDS);
  return replyJson(status, { detail }, refusal === 'rate_limited' ? { 'retry-after': retryAfter } : {});
}

export function refuseParameter(position: 'query' | 'body', name: string, problem: string): RawReply {
  return replyJson(422, { detail: [{ loc: [position, name], msg: problem, type: 'value_error' }] });
}

export function refuseRequest(detail: string): RawReply {
  return replyJson(400, { detail });
}

export const documentNotFound = (): RawReply => replyJson(404, { detail: 'Document not found.' });
