// Requests that are no API calls: pages for people, notices of providers. They are taken as bytes and answered as they are;
// nothing of them is in the API's description.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import { admitAddress, countGuess } from './admission.ts';
import { readBytes } from './body.ts';
import type { RawReply, RawRequest, StreamedReply } from './raw-exchange.ts';
import { type ParamMarks, requireMarkedParams } from './redact-urls.ts';
import type { Method } from './route.ts';
import type { RouteRuntime } from './run-route.ts';

export type { RawReply, RawRequest } from './raw-exchange.ts';

export type RawRoute = {
  readonly methods: readonly Method[];
  /** May end in `*`. */
  readonly path: string;
  /** Each parameter of the path: is it a secret, which nobody may read in a log? Queries are never logged. */
  readonly params: ParamMarks;
  readonly maxBodyBytes: number;
  /** False: machines call it, many from one address. */
  readonly isRateLimited: boolean;
  /** People open it in a browser: they get errors as pages. */
  readonly isForPeople?: boolean;
  /** Before a byte of the body is read. Null: go on. */
  readonly admit?: (services: Services, params: RawRequest['params']) => Promise<RawReply | null>;
  handle(services: Services, request: RawRequest): Promise<RawReply | StreamedReply>;
};

export function mountRawRoutes(app: FastifyInstance, runtime: RouteRuntime, routes: readonly RawRoute[]): void {
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
          if (route.isRateLimited) await admitAddress(runtime.door, request, reply);
        },
        handler: (request, reply) => answer(route, runtime, request, reply),
      });
    }
  });
}

async function answer(
  route: RawRoute,
  runtime: RouteRuntime,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = await route.admit?.(runtime.services, request.params as Record<string, string>);
  if (refusal) return refuse(refusal, request, reply);
  const [path = '', query = ''] = request.url.split(/\?(.*)/s, 2);
  const {
    status,
    headers = {},
    body,
    isWrongGuess,
  } = await route.handle(runtime.services, {
    method: request.method,
    path,
    params: request.params as Record<string, string>,
    query: new URLSearchParams(query),
    headers: joinHeaders(request),
    body: await readBytes(request.raw, route.maxBodyBytes),
  });
  if (isWrongGuess) await countGuess(runtime.door, request, reply);
  return reply.code(status).removeHeader('api-form').removeHeader('vary').headers(headers).send(toPayload(body));
}

/** What is still to come is read by nobody. */
function refuse({ status }: RawReply, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.raw.resume();
  return reply.code(status).removeHeader('api-form').removeHeader('vary').header('connection', 'close').send();
}

function toPayload(body: (RawReply | StreamedReply)['body']): string | Buffer | Readable | undefined {
  return typeof body === 'object' && Symbol.asyncIterator in body ? Readable.from(body) : body;
}

function joinHeaders({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]];
    }),
  );
}
