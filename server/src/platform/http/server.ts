// The HTTP server: mounts the route table on Fastify.

import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { AppError } from '../errors.ts';
import { traceRequests } from '../tracing/index.ts';
import { registerBodyParsers } from './body.ts';
import { type BodyBudget, createBodyBudget } from './body-budget.ts';
import { registerByteParsers } from './byte-body.ts';
import { createClientAddress } from './client-address.ts';
import { answerClientError } from './client-error.ts';
import { allowOrigins, registerCors } from './cors.ts';
import { guessForm } from './forms.ts';
import { describeRequest, type Observe } from './observed-request.ts';
import { registerPackedBodyParsers } from './packed-body.ts';
import { createPipelineLimit } from './pipelined-requests.ts';
import { mountRawRoutes, type RawRoute } from './raw-route.ts';
import { sendError } from './reply.ts';
import { createReplyBudget } from './reply-budget.ts';
import type { HttpMethod, Route } from './route.ts';
import { type QueryText, type RouteRuntime, runRoute } from './run-route.ts';
import { createUnfinishedRequests } from './unfinished-requests.ts';
import { isVersioned, VERSION_PREFIX } from './version-prefix.ts';

/**
 * `draining`: requests are answered and their connections closed, so that clients and proxies go elsewhere. `stopping`: requests
 * in flight finish and new ones are rejected.
 */
export type ServingPhase = 'serving' | 'draining' | 'stopping';

type HttpServerOptions = Omit<RouteRuntime, 'replies'> & {
  readonly routes: readonly Route[];
  /** Hosted pages and provider webhooks, outside of /v1. */
  readonly rawRoutes: readonly RawRoute[];
  readonly trustedProxies: readonly string[];
  readonly phase: () => ServingPhase;
  readonly observe: Observe;
  /** Called before the first byte of a streamed response, which can take long to end. */
  readonly observeStream: Observe;
};

const HEADERS_TIMEOUT_MS = 10_000; // a client that sends its headers slowly is disconnected
const TIMEOUT_CHECK_MS = 2_000; // precision of the timeouts; Node's default of 30 s is longer than the header timeout itself
const REQUEST_TIMEOUT_MS = 2 * MINUTE_MS; // for phones that upload on a slow connection
const READABLE_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;
const MAX_PARAMETER_LENGTH = 16_384; // as long as the headers may be: any id reaches its route, which then says that it is unknown

export async function createHttpServer(given: HttpServerOptions): Promise<FastifyInstance> {
  const options = { ...given, replies: createReplyBudget() };
  const nextRequestId = createRequestIds();
  const budget = createBodyBudget();
  const unfinished = createUnfinishedRequests();
  const beginOnConnection = createPipelineLimit();
  const refuseUnknown = createRefusal([...options.routes, ...options.rawRoutes.flatMap(listMethods)]);
  const app = fastify({
    logger: false,
    genReqId: nextRequestId,
    routerOptions: {
      ignoreTrailingSlash: false,
      maxParamLength: MAX_PARAMETER_LENGTH,
      querystringParser: (text): QueryText => ({ text }), // each route parses its own
    },
    return503OnClosing: false, // we refuse in our own shape while stopping
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    bodyLimit: Number.MAX_SAFE_INTEGER, // body.ts counts and drains
    clientErrorHandler: answerClientError,
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    frameworkErrors: (error, request, reply) => {
      if (!beginOnConnection(request, reply)) return void reply.hijack();
      prepare(options, request, reply);
      if (isVersioned(request.url)) allowOrigins(reply);
      reply.header('connection', 'close'); // no hook runs for these, so their remaining body is not awaited
      sendError(request, reply, error, options.log);
    },
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('route', null);
  app.decorateRequest('response', null);
  app.decorateRequest('errorCode', null);
  app.decorateRequest('healthDataOf', 'nobody');
  const readAddress = createClientAddress(options.trustedProxies);
  app.decorateRequest('clientAddress', {
    getter: function () {
      return readAddress(this.raw);
    },
  });
  registerBodyParsers(app, budget);
  if (options.services.tracer) traceRequests(app, options.services.tracer);
  const observed = new WeakSet<FastifyRequest>();
  const firstByteMs = new WeakMap<FastifyRequest, number>();
  const observe = (request: FastifyRequest, reply: FastifyReply) => {
    if (observed.has(request)) return;
    observed.add(request);
    const facts = { ...describeRequest(request, reply), firstByteMs: firstByteMs.get(request) };
    options.observe(facts);
    if (options.log.isLevelEnabled('debug')) {
      const { id: request_id, method, route, status, ms } = facts;
      options.log.debug({ request_id, method, route, status, ms }, 'request');
    }
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (!beginOnConnection(request, reply)) return void reply.hijack();
    prepare(options, request, reply);
    // The framework calls onResponse only if the response was sent to its end, and a reader has what came before a cut.
    reply.raw.once('close', () => {
      if (reply.raw.headersSent && !reply.raw.writableFinished) observe(request, reply);
    });
    const refusal = options.phase() === 'stopping' ? stopping() : unfinished.begin(request);
    if (refusal !== null) done(refusal);
    else done(request.is404 && !isVersioned(request.url) ? refuseUnknown(request) : undefined);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (payload instanceof Readable) {
      firstByteMs.set(request, reply.elapsedTime);
      options.observeStream(describeRequest(request, reply));
    }
    // Close each connection after its request in flight: an open one would keep the server from closing.
    if (options.phase() !== 'serving') reply.header('connection', 'close');
    done(null, request.method === 'HEAD' && payload instanceof Readable ? endUnread(payload) : payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply);
    unfinished.limitRest(request);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error, options.log));
  mountAll(app, options, budget, '');
  mountRawRoutes(app, options, options.rawRoutes, budget);
  await app.register(
    async (scope) => {
      registerCors(scope);
      // Registered after CORS, so that scripts of other origins can read a 404 under /v1.
      scope.addHook('onRequest', (request, _reply, done) => done(refuseUnknown(request)));
      scope.setNotFoundHandler(() => undefined); // gives unknown paths under /v1 the hooks of this scope
      mountAll(scope, options, budget, VERSION_PREFIX);
    },
    { prefix: VERSION_PREFIX },
  );
  return app;
}

function mountAll(
  scope: FastifyInstance,
  options: HttpServerOptions & RouteRuntime,
  budget: BodyBudget,
  prefix: string,
): void {
  const routes = options.routes.filter(({ path }) => isVersioned(path) === (prefix !== ''));
  const mount = (target: FastifyInstance, route: Route) => {
    const { onRequest, handler } = runRoute(route, options);
    target.route({ method: route.method, url: route.path.slice(prefix.length), onRequest, handler });
  };
  const {
    json = [],
    packed_json: packed = [],
    bytes = [],
  } = Object.groupBy(routes, ({ bodyKind = 'json' }) => bodyKind);
  for (const route of json) mount(scope, route);
  scope.register(async (inner) => {
    registerPackedBodyParsers(inner, budget);
    for (const route of packed) mount(inner, route);
  });
  scope.register(async (inner) => {
    registerByteParsers(inner, budget);
    for (const route of bytes) mount(inner, route);
  });
}

/** Our routes have no schemas of the framework (run-route.ts). Without this it loads the compilers for them, which are 30 modules. */
function refuseSchemas(): never {
  throw new Error('routes have no schemas of the framework');
}

/** Runs before the body is read: 404 for an unknown path, 405 with Allow for an unsupported method. */
function createRefusal(routes: readonly Addressed[]): (request: FastifyRequest) => AppError | undefined {
  const known = groupByPath(routes).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`),
    allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), ...(isVersioned(path) ? ['OPTIONS'] : [])],
  }));
  return (request) => {
    if (!request.is404) return undefined;
    const [path = ''] = request.url.split('?', 1);
    const allow = known.find(({ pattern }) => pattern.test(path))?.allow;
    if (!allow) return new AppError('not_found', { details: { path } });
    return new AppError('method_not_allowed', { details: { allow }, headers: { allow: allow.join(', ') } });
  };
}

function groupByPath(routes: readonly Addressed[]): [string, HttpMethod[]][] {
  const groups = Map.groupBy(routes, ({ path }) => path);
  return [...groups].map(([path, group]) => [path, group.map(({ method }) => method)]);
}

type Addressed = Pick<Route, 'method' | 'path'>;

function listMethods({ methods, path }: RawRoute): Addressed[] {
  return methods.map((method) => ({ method, path }));
}

/** Headers of every response, including errors. */
function prepare(options: HttpServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  request.response = reply.raw;
  replaceUnreadableType(request);
  reply.header('x-request-id', request.id);
  reply.header('vary', 'Api-Form, Authorization');
  reply.header('api-form', String(guessForm(request.headers['api-form'], options.defaultForm)));
}

/** The framework rejects unknown content types even without a body, so the header is replaced and body.ts decides. */
function replaceUnreadableType({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type !== undefined && !READABLE_TYPE.test(type)) headers['content-type'] = 'application/octet-stream';
}

function stopping(): AppError {
  return new AppError('unavailable', { message: 'The service is stopping. Retry shortly.' });
}

/** The framework reads the stream of a response to HEAD to its end, which can be far away. */
function endUnread(content: Readable): Readable {
  content.destroy();
  return Readable.from([]);
}

/** A random prefix and a counter: short, cheap and unique across processes and restarts. */
function createRequestIds(): () => string {
  const start = crypto.randomUUID().replaceAll('-', '').slice(0, 12);
  let count = 0;
  return () => `req_${start}${(count++).toString(36).padStart(6, '0')}`;
}
