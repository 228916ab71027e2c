// Concept2's error responses.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, message: string]>> = {
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  rate_limited: [429, 'Too Many Requests'],
  unavailable: [503, 'Down for maintenance'],
  not_found: [404, 'Not Found'],
};

export function refuseConcept2(refusal: Refusal): RawReply {
  return replyError(...REFUSALS[refusal]);
}

export function replyError(status: number, message: string): RawReply {
  return replyJson(status, { status_code: status, message });
}
