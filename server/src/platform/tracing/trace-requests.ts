// Adds a span for each request: method, route pattern and status, never the URL. Continues the trace of the caller.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { describeRequest } from '../http/observed-request.ts';
import { parseTraceparent } from './trace-context.ts';
import type { OpenSpan, Tracer } from './tracer.ts';

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Must be registered before other hooks, so that their statements belong to the request. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    if (PROBES.has(request.url)) return done();
    const span = tracer.open(request.method, 'server', parseTraceparent(request.headers.traceparent));
    spans.set(request, span);
    tracer.within(span.context, done);
  });
  // Reading the body continues outside of the span, in the events of the socket.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else tracer.within(span.context, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, route, status, error } = describeRequest(request, reply);
    spans.get(request)?.end({
      name: `${method} ${route}`,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        ...(error !== null && { 'error.type': error }),
      },
      isError: status >= 500,
    });
    done();
  });
}
