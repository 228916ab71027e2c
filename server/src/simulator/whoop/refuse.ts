// WHOOP's error responses: a sentence, not JSON.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';

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
