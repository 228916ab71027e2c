// Error answers of the API gateway.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, Refusal, SimulatedRoute } from '../dialect.ts';
import type { RateUse } from '../rate-meter.ts';
import { replyJson } from '../reply-json.ts';

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, message: string]>> = {
  unauthorized: [401, 'Unauthorized. Access token is missing or invalid.'],
  forbidden: [403, 'Forbidden.'],
  rate_limited: [429, 'Rate limit is exceeded.'],
  unavailable: [503, 'Service unavailable.'],
  not_found: [404, 'Resource not found'],
};

export function refuseSuunto(refusal: Refusal, uses: readonly RateUse[]): RawReply {
  const [statusCode, message] = REFUSALS[refusal];
  const seconds = Math.max(1, ...uses.map(({ resetSeconds }) => resetSeconds));
  return replyJson(
    statusCode,
    { statusCode, message },
    refusal === 'rate_limited' ? { 'retry-after': String(seconds) } : {},
  );
}

export const badRequest = (message: string): RawReply => replyJson(400, { statusCode: 400, message });

/** A route of the API, which the gateway opens only with the subscription key. */
export function apiRoute(path: string, answer: (call: PersonCall) => RawReply): SimulatedRoute {
  return {
    method: 'GET',
    path,
    access: 'person',
    scope: null,
    answer(call) {
      const { extras } = call.context.client;
      if (call.request.headers['ocp-apim-subscription-key'] === extras?.subscription_key) return answer(call);
      const message = 'Access denied due to invalid subscription key.';
      return replyJson(401, { statusCode: 401, message });
    },
  };
}
