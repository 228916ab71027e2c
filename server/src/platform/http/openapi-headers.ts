// The headers of responses in the OpenAPI document, apart from those of CORS and caches, which clients do not read.
import type { Json } from './openapi-components.ts';
import type { Route } from './route.ts';

type Header = { readonly description: string; readonly required?: true; readonly schema: Json };

const HEADERS: Readonly<Record<string, Header>> = {
  'Api-Form': { description: 'the form of the response', required: true, schema: { type: 'string', enum: ['1', '2'] } },
  'X-Request-Id': {
    description: 'the id of the request, for questions to the operator of the service',
    required: true,
    schema: { type: 'string' },
  },
  ETag: {
    description: 'the version of the response, for `If-None-Match` of the next request',
    required: true,
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'how many requests are left, and the seconds until all are available again',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'the quota, and the seconds in which it refills',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'the seconds to wait before the next request',
    required: true,
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': {
    description: 'the scheme of authentication: Bearer',
    required: true,
    schema: { type: 'string' },
  },
};

/** Components of the document. */
export function listHeaders(): Json {
  return HEADERS;
}

export function describeHeaders(route: Pick<Route, 'access' | 'isConditional'>, status: number): Json {
  const names = ['Api-Form', 'X-Request-Id'];
  if (route.isConditional === true && [200, 304].includes(status)) names.push('ETag');
  if (route.access.to !== 'probes' && (status < 400 || status === 429)) names.push('RateLimit', 'RateLimit-Policy');
  if (status === 429 || (status === 503 && route.access.to !== 'probes')) names.push('Retry-After');
  if (status === 401) names.push('WWW-Authenticate');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
