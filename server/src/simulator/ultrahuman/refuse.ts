// Ultrahuman's error responses, which repeat the status in the body.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, error: string]>> = {
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  rate_limited: [429, 'Too Many Requests'],
  unavailable: [503, 'Service Unavailable'],
  not_found: [404, 'Not Found'],
};

export function refuseUltrahuman(refusal: Refusal): RawReply {
  return replyError(...REFUSALS[refusal]);
}

export function replyError(status: number, error: string): RawReply {
  return replyJson(status, { status, error });
}
