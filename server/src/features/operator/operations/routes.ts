// Endpoints without a credential: health, readiness, version, metrics, and the API description.

import type { Form } from '../../../domain/tenancy.ts';
import { type RequestContext, type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { DOCS_HEADERS, listGuides, renderDocsHome } from '../docs-site/index.ts';
import { presentLlmsText } from './llms-text.ts';
import { type Readiness, readReadiness } from './readiness.ts';

const tag = 'Operations';
const access = { to: 'anyone' } as const;

export const readiness = Type.Object(
  {
    status: oneOfWords(['ready', 'degraded', 'unavailable']),
    checks: Type.Object(
      {
        database: Type.Object({ ok: Type.Boolean() }, { title: 'DatabaseCheck' }),
        migrations: Type.Object(
          { ok: Type.Boolean(), applied: nullable(Type.Integer()), expected: Type.Integer() },
          { title: 'MigrationCheck' },
        ),
        jobs: Type.Object(
          {
            ok: Type.Boolean(),
            lag_seconds: nullable(Type.Number()),
            waiting: nullable(Type.Integer()),
            given_up: nullable(Type.Integer()),
          },
          { title: 'JobCheck' },
        ),
      },
      { title: 'ReadinessChecks' },
    ),
  },
  { title: 'Readiness' },
);

export const operationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/healthz',
    operationId: 'readHealth',
    tag,
    summary: 'Check that the process is alive',
    description: 'For liveness probes. It does not use the database.',
    access: { to: 'probes' },
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ status: oneOfWords(['ok']) }, { title: 'Health' }) },
    present: () => ({ status: 200, body: { status: 'ok' } }),
    handle: () => null,
  }),
  route({
    method: 'GET',
    path: '/readyz',
    operationId: 'readReadiness',
    tag,
    summary: 'Check that the process can serve requests: database, migrations, job lag',
    description:
      'For readiness probes and load balancers. 503 means that the process cannot serve requests; `degraded` means that it can, but jobs are late or failed permanently.',
    access: { to: 'probes' },
    healthDataOf: 'nobody',
    replies: { 200: readiness, 503: readiness },
    present: (state: Readiness) => ({
      status: state.status === 'unavailable' ? 503 : 200,
      body: state,
      headers: { 'cache-control': 'no-store' },
    }),
    handle: ({ services }) => readReadiness(services),
  }),
  route({
    method: 'GET',
    path: '/version',
    operationId: 'readVersion',
    tag,
    summary: 'Read the running version',
    description: 'Include the version when you report a problem.',
    access,
    healthDataOf: 'nobody',
    replies: {
      200: Type.Object(
        {
          name: Type.String(),
          version: Type.String(),
          api: Type.String(),
          runtime: Type.String(),
          schema: Type.Integer(),
        },
        { title: 'Version' },
      ),
    },
    present: (body: object) => ({ status: 200, body }),
    handle: ({ services }) => ({
      name: 'tributary',
      version: services.settings.version,
      api: '1.0.0',
      runtime: `node ${process.version}`,
      schema: services.settings.schemaVersion,
    }),
  }),
  text(
    '/metrics',
    'readMetrics',
    'Read Prometheus metrics',
    'Counters and gauges of this process and of the service in the Prometheus text format. docs/service-metrics.md lists them.',
    'text/plain; version=0.0.4; charset=utf-8',
    async ({ services }) => {
      await Promise.all([readReadiness(services), services.gauges.refresh()]); // the former sets gauges of the database and the jobs
      return services.metrics.render();
    },
  ),
  route({
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'readOpenApi',
    tag,
    summary: 'Read the OpenAPI 3.1 document',
    description:
      'Describes the public API with named schemas, recorded examples and webhooks. The server URL is that of this service. With `form`, the document describes only Form 1 or Form 2; generate a client from it, and each response has one type.',
    access,
    healthDataOf: 'nobody',
    query: requestObject({ form: Type.Optional(oneOfWords(['1', '2'], { description: 'only this form' })) }),
    replies: { 200: { mediaType: 'application/json; charset=utf-8', description: 'OpenAPI 3.1' } },
    present: (document: object) => ({ status: 200, body: writeDocument(document) }),
    handle: ({ services }, { query }) => services.openapi(query.form && (Number(query.form) as Form)),
  }),
  text(
    '/llms.txt',
    'readLlmsText',
    'Read a summary of the API for language models',
    'Plain text: what the service does, every endpoint and where to read more.',
    'text/plain; charset=utf-8',
    async ({ services }) => presentLlmsText(services, await listGuides()),
  ),
  route({
    method: 'GET',
    path: '/docs',
    operationId: 'readDocs',
    tag,
    summary: 'Open the docs: guides and the API reference',
    description: 'The guides of this version and every call with parameters, examples and a form to try it.',
    access,
    healthDataOf: 'nobody',
    replies: { 200: { mediaType: 'text/html; charset=utf-8', description: 'HTML page' } },
    present: (body: string) => ({ status: 200, body, headers: DOCS_HEADERS }),
    handle: ({ services }) => renderDocsHome(services),
  }),
];

/** Anyone can ask for half a megabyte, so each document is written once. */
function writeDocument(document: object): string {
  return writtenDocuments.getOrInsertComputed(document, () => JSON.stringify(document));
}
const writtenDocuments = new WeakMap<object, string>();

function text(
  path: string,
  operationId: string,
  summary: string,
  description: string,
  mediaType: string,
  read: (context: RequestContext<typeof access>) => string | Promise<string>,
): Route {
  return route({
    method: 'GET',
    path,
    operationId,
    tag,
    summary,
    description,
    access,
    healthDataOf: 'nobody',
    replies: { 200: { mediaType, description: summary } },
    present: (body: string) => ({ status: 200, body }),
    handle: read,
  });
}
