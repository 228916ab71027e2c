// CORS: scripts of any origin can call the API with a bearer token. Cookies are never accepted.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const EXPOSED_HEADERS = 'Api-Form, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, ETag';
const MAX_AGE_SECONDS = '86400';

/** Replies to OPTIONS before authorization, because preflight requests have no credential. */
export function registerCors(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, reply, done) => {
    allowOrigins(reply);
    if (request.method === 'OPTIONS') answerPreflight(request, reply);
    else done();
  });
  scope.options('*', (_request, reply) => reply.send()); // so that the hook runs for them
}

export function allowOrigins(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', EXPOSED_HEADERS);
}

function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const requested = request.headers['access-control-request-headers'];
  if (requested !== undefined) reply.header('access-control-allow-headers', requested);
  reply
    .code(204)
    .header('vary', `${reply.getHeader('vary')}, Access-Control-Request-Headers`)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-max-age', MAX_AGE_SECONDS)
    .header('content-length', '0')
    .send();
}
