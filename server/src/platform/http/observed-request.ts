// The facts about an answered request, for metrics, the request log and the usage counters.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';

/** Whose health data a response contains: of the user in the path, or of the users of a list. */
export type HealthDataOf = 'nobody' | 'path_user' | readonly string[];

export type ObservedRequest = {
  readonly id: string;
  readonly method: string;
  /** The path of the route table. */
  readonly route: string;
  /** The path and query as requested. */
  readonly url: string;
  readonly status: number;
  /** The error code of the response; null: no error. */
  readonly error: string | null;
  readonly ms: number;
  /** Of a streamed body: how long the client waited for it. */
  readonly firstByteMs?: number | undefined;
  /** Of the response body; null: it was streamed. */
  readonly bytes: number | null;
  readonly caller: Caller | null;
  /** The user in the path. */
  readonly pathUserId: string | undefined;
  readonly healthDataOf: HealthDataOf;
  readonly agent: string | undefined;
};

export type Observe = (request: ObservedRequest) => void;

export function describeRequest(request: FastifyRequest, reply: FastifyReply): ObservedRequest {
  const length = reply.getHeader('content-length');
  return {
    id: request.id,
    method: request.method,
    route: request.route?.path ?? 'unknown', // the framework would rebuild its own handler at every call
    url: request.url,
    status: reply.statusCode,
    error: request.errorCode,
    ms: reply.elapsedTime,
    bytes: length === undefined ? null : Number(length),
    caller: request.caller,
    pathUserId: (request.params as { user_id?: string } | undefined)?.user_id,
    healthDataOf: request.healthDataOf,
    agent: request.headers['user-agent'],
  };
}
