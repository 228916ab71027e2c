// Routes outside of the API: hosted pages and provider webhooks. They receive raw bytes and are not part of the OpenAPI
// document.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import { admitAddress, countGuess } from './admission.ts';
import { BODY_TIMEOUT_MS, readHeldBytes } from './body.ts';
import type { BodyBudget } from './body-budget.ts';
import type { RawReply, RawRequest, StreamedReply } from './raw-exchange.ts';
import { type ParamMarks, requireMarkedParams } from './redact-urls.ts';
import type { HttpMethod } from './route.ts';
import type { RouteRuntime } from './run-route.ts';
import { requireStorableParams } from './validate.ts';

export type { RawReply, RawRequest } from './raw-exchange.ts';

export type RawRoute = {
  readonly methods: readonly HttpMethod[];
  /** Can end in `*`. */
  readonly path: string;
  /** Whether each path parameter is a secret that must not be logged. Queries are never logged. */
  readonly params: ParamMarks;
  readonly maxBodyBytes: number;
  /** False: many machines call it from one address. `unless_own`: applies to all callers except this process. */
  readonly isRateLimited: boolean | 'unless_own';
  /** The handler records in the audit trail who read or changed what. */
  readonly showsHealthData: boolean;
  /** Opened in a browser, so errors are HTML pages. */
  readonly servesPages?: boolean;
  /** Runs before any of the body is read. Null: continue. */
  readonly admit?: (services: Services, params: RawRequest['params']) => Promise<RawReply | null>;
  handle(services: Services, request: RawRequest): Promise<RawReply | StreamedReply>;
};

export function mountRawRoutes(
  app: FastifyInstance,
  runtime: RouteRuntime,
  routes: readonly RawRoute[],
  budget: BodyBudget,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request: FastifyRequest, _payload: IncomingMessage, done) => done(null)); // read below
    for (const route of routes) {
      requireMarkedParams(route);
      scope.route({
        method: [...route.methods],
        url: route.path,
        onRequest: async (request, reply) => {
          request.route = route;
          const isExempt = route.isRateLimited === 'unless_own' && runtime.services.ownCalls.isOwn(request.headers);
          if (route.isRateLimited && !isExempt) await admitAddress(runtime.auth, request, reply);
          requireStorableParams(request.params as Record<string, string>);
        },
        handler: (request, reply) => answer(route, runtime, budget, request, reply),
      });
    }
  });
}

async function answer(
  route: RawRoute,
  runtime: RouteRuntime,
  budget: BodyBudget,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = await route.admit?.(runtime.services, request.params as Record<string, string>);
  if (refusal) return refuse(refusal, request, reply);
  const [path = '', query = ''] = request.url.split(/\?(.*)/s, 2);
  const answered = await route.handle(runtime.services, {
    method: request.method,
    path,
    params: request.params as Record<string, string>,
    query: new URLSearchParams(query),
    headers: joinHeaders(request),
    body: await readHeldBytes(request, request.raw, {
      budget,
      limitBytes: route.maxBodyBytes,
      timeMs: BODY_TIMEOUT_MS,
    }),
    clientAddress: request.clientAddress,
    requestId: request.id,
  });
  const { status, headers = {}, isWrongGuess } = answered;
  if (isWrongGuess) await countGuess(runtime.auth, request, reply);
  const content = toContent(answered);
  if (content instanceof Readable) runtime.replies.hold(reply, content);
  return reply.code(status).removeHeader('api-form').removeHeader('vary').headers(headers).send(content);
}

/** Nobody reads the rest of the body. */
function refuse({ status }: RawReply, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.raw.resume();
  return reply.code(status).removeHeader('api-form').removeHeader('vary').header('connection', 'close').send();
}

function toContent(answered: RawReply | StreamedReply): string | Buffer | Readable | undefined {
  if (!('signal' in answered)) return answered.body;
  return Readable.from(answered.body, { objectMode: true, highWaterMark: 1, signal: answered.signal }); // one chunk ahead
}

function joinHeaders({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]];
    }),
  );
}
