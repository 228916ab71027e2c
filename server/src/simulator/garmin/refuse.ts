// Garmin's error responses. There is no Retry-After.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, message: string]>> = {
  unauthorized: [401, 'Unable to read oAuth header'],
  forbidden: [403, 'The user has not permitted this'],
  rate_limited: [429, 'Too many requests'],
  unavailable: [503, 'Service Unavailable'],
  not_found: [404, 'Not Found'],
};

export function refuseGarmin(refusal: Refusal): RawReply {
  const [status, message] = REFUSALS[refusal];
  return refuseWith(status, message);
}

export function refuseWith(status: number, errorMessage: string): RawReply {
  return replyJson(status, { errorMessage });
}
