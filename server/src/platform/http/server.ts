// The HTTP server: mounts the route table on Fastify. Knows how requests run, not what any of them does.
import cors from '@fastify/cors';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { registerBodyParsers } from './body.ts';
import { answerClientError } from './client-error.ts';
import { guessForm } from './forms.ts';
import { sendError } from './reply.ts';
import type { Method, Route } from './route.ts';
import { type RouteRuntime, runRoute } from './run-route.ts';

export type RequestObserver = (method: string, route: string, status: number, seconds: number) => void;

export type HttpServerOptions = RouteRuntime & {
  readonly routes: readonly Route[];
  readonly trustedProxies: readonly string[];
  /** What is in flight finishes, nothing new begins. */
  readonly isStopping: () => boolean;
  readonly observe: RequestObserver;
};

const VERSION_PREFIX = '/v1';
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HEADERS_TIMEOUT_MS = 20_000; // a client that dribbles its headers is cut
const REQUEST_TIMEOUT_MS = 120_000; // a phone on a bad line still gets its upload through
const EXPOSED_HEADERS = ['Api-Form', 'X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'ETag'];

export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const nextRequestId = createRequestIds();
  const app = fastify({
    logger: false,
    genReqId: nextRequestId,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 512 },
    return503OnClosing: false, // we refuse in our own shape while stopping
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    bodyLimit: Number.MAX_SAFE_INTEGER, // body.ts counts and drains
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      prepare(options, request, reply);
      sendError(request, reply, error, options.log);
    },
  });
  app.decorateRequest('caller', null);
  registerBodyParsers(app);
  app.addHook('onRequest', (request, reply, done) => {
    prepare(options, request, reply);
    done(options.isStopping() ? stopping(reply) : undefined);
  });
  app.addHook('onResponse', (request, reply, done) => {
    options.observe(request.method, request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000);
    options.log.debug(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: reply.elapsedTime,
      },
      'request',
    );
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error, options.log));
  app.setNotFoundHandler(refuseUnknown(options));
  const isVersioned = (route: Route) => route.path.startsWith(`${VERSION_PREFIX}/`);
  mountAll(
    app,
    options,
    options.routes.filter((route) => !isVersioned(route)),
    '',
  );
  await app.register(
    async (scope) => {
      // Bearer tokens from any origin, never cookies: open to scripts that hold a token, useless to those that do not.
      await scope.register(cors, {
        origin: '*',
        methods: [...METHODS],
        exposedHeaders: EXPOSED_HEADERS,
        maxAge: 86_400,
      });
      scope.setNotFoundHandler(refuseUnknown(options)); // so that a 404 under /v1 is readable across origins too
      mountAll(scope, options, options.routes.filter(isVersioned), VERSION_PREFIX);
    },
    { prefix: VERSION_PREFIX },
  );
  return app;
}

function mountAll(scope: FastifyInstance, options: HttpServerOptions, routes: readonly Route[], prefix: string): void {
  for (const route of routes) {
    const { onRequest, handler } = runRoute(route, options);
    scope.route({ method: route.method, url: route.path.slice(prefix.length), onRequest, handler });
  }
  for (const [path, allowed] of groupByPath(routes)) mountRefusals(scope, options, path.slice(prefix.length), allowed);
}

function refuseUnknown(options: HttpServerOptions) {
  return (request: FastifyRequest, reply: FastifyReply) =>
    sendError(
      request,
      reply,
      new AppError('not_found', { details: { path: request.url.split('?', 1)[0] } }),
      options.log,
    );
}

/** Every other method on a known path: 405 with Allow. */
function mountRefusals(
  app: FastifyInstance,
  options: HttpServerOptions,
  path: string,
  allowed: readonly Method[],
): void {
  const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  app.route({
    method: METHODS.filter((method) => !allowed.includes(method)),
    url: path,
    handler: (request, reply) => {
      sendError(
        request,
        reply,
        new AppError('method_not_allowed', { details: { allow: allowed }, headers: { allow } }),
        options.log,
      );
    },
  });
}

function groupByPath(routes: readonly Route[]): Map<string, Method[]> {
  const paths = new Map<string, Method[]>();
  for (const { path, method } of routes) paths.set(path, [...(paths.get(path) ?? []), method]);
  return paths;
}

/** What every answer carries, errors too. */
function prepare(options: HttpServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('vary', 'Api-Form, Authorization');
  reply.header('api-form', String(guessForm(request.headers['api-form'], options.defaultForm)));
}

function stopping(reply: FastifyReply): AppError {
  reply.header('connection', 'close');
  return new AppError('unavailable', {
    message: 'The service is stopping. Retry shortly.',
    headers: { 'retry-after': '1' },
  });
}

/** Short, unique across processes and restarts, cheap: a random start and a counter. */
function createRequestIds(): () => string {
  const start = crypto.randomUUID().replaceAll('-', '').slice(0, 12);
  let count = 0;
  return () => `req_${start}${(count++).toString(36).padStart(6, '0')}`;
}
