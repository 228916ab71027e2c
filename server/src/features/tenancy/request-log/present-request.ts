// Presents entries of the request log.
import { roundTo } from '../../../domain/round-to.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { RequestEntry } from './list-requests.ts';

export const requestSchema = Type.Object({
  id: Type.String({ description: 'request id, as in the response header X-Request-Id' }),
  at: timestamp(),
  method: Type.String(),
  route: Type.String({ description: 'path of the endpoint, with parameter names' }),
  path: Type.String({ description: 'path and query; values that could describe a person are hidden' }),
  status: Type.Integer(),
  error: nullable(Type.String({ description: 'error code' })),
  ms: Type.Number(),
  bytes: nullable(Type.Integer({ description: 'length of the response; null if it was streamed' })),
  credential: Type.Object({
    kind: oneOfWords(['api_key', 'user_token', 'sdk_session']),
    id: nullable(Type.String()),
  }),
  user_id: nullable(uuid('the user that the call concerns')),
  reference_id: nullable(Type.String()),
  agent: nullable(Type.String({ description: 'User-Agent header' })),
});

export function presentRequest(entry: RequestEntry) {
  return {
    id: entry.id,
    at: formatInstant(entry.at),
    method: entry.method,
    route: entry.route,
    path: entry.path,
    status: entry.status,
    error: entry.error,
    ms: roundTo(entry.ms, 1),
    bytes: entry.bytes,
    credential: { kind: entry.credentialKind, id: entry.credentialId },
    user_id: entry.userId,
    reference_id: entry.referenceId,
    agent: entry.agent,
  };
}
