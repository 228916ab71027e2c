// Withings always answers HTTP 200: a status in the body says what happened, and the data is in `body`.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { Refusal } from '../dialect.ts';
import type { RateUse } from '../rate-meter.ts';
import { replyJson } from '../reply-json.ts';

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, error: string]>> = {
  unauthorized: [401, 'XRequestID: Not provided invalid_token: The access token provided is invalid'],
  forbidden: [214, 'Unauthorized: the scope of the token does not reach'],
  rate_limited: [601, 'Too Many Requests'],
  unavailable: [522, 'Timeout'],
  not_found: [2554, 'Unknown action or service'],
};

const DEFAULT_WAIT_SECONDS = 60;

export function replyBody(body: unknown): RawReply {
  return replyJson(200, { status: 0, body });
}

export function refuseWithings(refusal: Refusal, uses: readonly RateUse[]): RawReply {
  const [status, error] = REFUSALS[refusal];
  const wait = { wait_seconds: uses[0]?.resetSeconds ?? DEFAULT_WAIT_SECONDS };
  return refuseWith(status, error, refusal === 'rate_limited' ? wait : {});
}

/** This 503 is not the HTTP status. */
export function refuseParameter(problem: string): RawReply {
  return refuseWith(503, `Invalid Params: ${problem}`);
}

export function refuseWith(status: number, error: string, body: unknown = {}): RawReply {
  return replyJson(200, { status, body, error });
}
