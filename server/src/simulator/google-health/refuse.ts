// Google's error responses.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';

const REFUSALS: Readonly<Record<Refusal, readonly [code: number, status: string, message: string]>> = {
  unauthorized: [401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  forbidden: [403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.'],
  rate_limited: [429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for quota metric and limit.'],
  unavailable: [503, 'UNAVAILABLE', 'The service is currently unavailable.'],
  not_found: [404, 'NOT_FOUND', 'Requested entity was not found.'],
};

export function refuseGoogle(refusal: Refusal): RawReply {
  return refuseWith(...REFUSALS[refusal]);
}

export function refuseArgument(message: string): RawReply {
  return refuseWith(400, 'INVALID_ARGUMENT', message);
}

export function refuseWith(code: number, status: string, message: string): RawReply {
  return replyJson(code, { error: { code, message, status } });
}
