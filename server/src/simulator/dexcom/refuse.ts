// Dexcom's error responses: a fault with the details of its gateway.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, text: string, code: string]>> = {
  unauthorized: [401, 'Invalid Access Token', 'keymanagement.service.invalid_access_token'],
  forbidden: [403, 'Forbidden', 'oauth.v2.InsufficientScope'],
  rate_limited: [429, 'Rate limit quota violation', 'policies.ratelimit.QuotaViolation'],
  unavailable: [503, 'Service Unavailable', 'messaging.adaptors.http.flow.ServiceUnavailable'],
  not_found: [404, 'Not Found', 'messaging.adaptors.http.flow.NotFound'],
};

export function refuseDexcom(refusal: Refusal): RawReply {
  const [status, faultstring, errorcode] = REFUSALS[refusal];
  return replyJson(status, { fault: { faultstring, detail: { errorcode } } });
}

export function refuseRange(message: string): RawReply {
  return replyJson(400, { errors: [{ message }] });
}
