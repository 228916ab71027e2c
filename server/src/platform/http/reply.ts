// Writes results and errors as responses: one serialiser per schema, one format for all errors.

import fastJson from 'fast-json-stringify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { chooseLanguage } from '../../domain/texts/index.ts';
import { asUnavailable } from '../db/database-errors.ts';
import { wireCodeOf } from '../error-codes.ts';
import { AppError, type ErrorDetails } from '../errors.ts';
import type { Logger } from '../log.ts';
import { errorPage } from '../pages/error-page.ts';
import { openContent, type Pace, PreparedJson } from './prepared-json.ts';
import type { ReplyBudget } from './reply-budget.ts';
import type { Dialect, MediaType, Reply } from './route.ts';
import { wantsPage } from './wants-page.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

const serialisers = new WeakMap<TSchema, (value: unknown) => string>();

export async function sendReply(
  reply: FastifyReply,
  dialect: Dialect<unknown, unknown>,
  answer: Reply,
  replies: ReplyBudget,
  pace?: Pace,
): Promise<void> {
  const shape = dialect.replies[answer.status];
  if (shape === undefined) throw new Error(`status ${answer.status} is not declared`);
  reply.code(answer.status);
  if (answer.headers) reply.headers(answer.headers);
  if (shape === null) reply.send();
  else if (isMediaType(shape)) await sendMedia(reply, shape, answer, replies, pace);
  else await sendJson(reply.header('content-type', JSON_TYPE), shape, answer.body, replies, pace);
}

async function sendMedia(
  reply: FastifyReply,
  { mediaType }: MediaType,
  { headers, body }: Reply,
  replies: ReplyBudget,
  pace: Pace | undefined,
): Promise<void> {
  const content = body instanceof PreparedJson ? await openContent(body, pace) : body;
  replies.hold(reply, content);
  reply.header('content-type', headers?.['content-type'] ?? mediaType).send(content);
}

async function sendJson(
  reply: FastifyReply,
  schema: TSchema,
  body: unknown,
  replies: ReplyBudget,
  pace: Pace | undefined,
): Promise<void> {
  const content = body instanceof PreparedJson ? await openContent(body, pace) : serialiserFor(schema)(body);
  replies.hold(reply, content);
  reply.send(content);
}

export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown, log: Logger): FastifyReply {
  const error = toAppError(thrown);
  request.errorCode = wireCodeOf(error.code);
  if (error.status >= 500) {
    log[levelOf(error)](
      { err: error.cause ?? error, request_id: request.id, route: request.routeOptions?.url },
      error.message,
    );
  }
  if (error.status === 401)
    reply.header('www-authenticate', error.code === 'missing_token' ? 'Bearer' : 'Bearer error="invalid_token"');
  reply.headers(error.headers);
  if (wantsPage(request)) return sendPage(request, reply, error);
  const details = error.code === 'internal' ? { request_id: request.id } : error.details;
  return reply
    .code(error.status)
    .header('content-type', JSON_TYPE)
    .send(formatError(wireCodeOf(error.code), error.message, details));
}

/** Logs only unexpected errors at error level: an outage is logged by its cause, and overload must not fill the log. */
function levelOf({ code, status }: AppError): 'debug' | 'warn' | 'error' {
  if (code === 'overloaded') return 'debug';
  return status === 503 ? 'warn' : 'error';
}

function sendPage(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const retryAfter = reply.getHeader('retry-after');
  const language = chooseLanguage(request.headers['accept-language']);
  const [path = ''] = request.url.split('?', 1);
  const page = errorPage(error, {
    requestId: request.id,
    path,
    retryAfter: retryAfter === undefined ? null : Number(retryAfter),
    language,
  });
  return reply
    .code(page.status)
    .removeHeader('api-form')
    .headers({ ...page.headers })
    .send(page.body);
}

export function formatError(error: string, message: string, details: ErrorDetails = {}): string {
  return JSON.stringify({ error, message, details });
}

export function isMediaType(shape: TSchema | MediaType): shape is MediaType {
  return 'mediaType' in shape;
}

function serialiserFor(schema: TSchema): (value: unknown) => string {
  let serialise = serialisers.get(schema);
  if (!serialise) {
    serialise = fastJson(schema as Parameters<typeof fastJson>[0]);
    serialisers.set(schema, serialise);
  }
  return serialise;
}

/** Maps errors of the framework and the database driver to our codes; anything unexpected is `internal`. */
function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_media_type', { cause: thrown });
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new AppError('not_found', { cause: thrown }); // no ID is that long
  if (code === 'FST_ERR_BAD_URL') {
    return new AppError('invalid_parameter', {
      details: { issues: [{ path: '', message: 'the path is not valid percent-encoding' }] },
    });
  }
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || code === 'ECONNRESET') {
    return new AppError('invalid_body', {
      details: { issues: [{ path: '', message: 'the body is shorter than its Content-Length' }] },
    });
  }
  return asUnavailable(thrown) ?? new AppError('internal', { cause: thrown });
}
