// Generates the OpenAPI 3.1 document from the route table, with the same schemas that validate requests.
import type { TObject } from 'typebox';
import type { Form } from '../../domain/tenancy.ts';
import { ERROR_CODES, type ErrorCode, wireCodeOf } from '../error-codes.ts';
import type { MemberAccess } from './access.ts';
import { type Components, createComponents, type Json } from './openapi-components.ts';
import {
  findRequests,
  findResponses,
  NO_EXAMPLES,
  type RecordedCall,
  type RecordedExamples,
  showErrors,
  showExamples,
} from './openapi-examples.ts';
import { describeHeaders, listHeaders } from './openapi-headers.ts';
import { describeWebhooks, type WebhookPayload } from './openapi-webhooks.ts';
import { isMediaType } from './reply.ts';
import type { Dialect, Route } from './route.ts';
import { errorBody } from './schema.ts';

type Content = { readonly schema: Json; readonly example?: unknown; readonly examples?: unknown };
type Response = { readonly description: string; readonly headers?: Json; readonly content?: Record<string, Content> };
type FormDialect = { readonly form: Form | null; readonly dialect: Dialect<unknown, unknown> };

const TWO_FORMS = `**Two forms.** The API returns the same data in two formats: Form 1 (\`data\` envelope, page numbers, \`start_date\`/\`end_date\`) or
Form 2 (bare resources, cursors, \`from_date\`/\`to_date\`). Choose one with the \`Api-Form\` header. Without the header, the
parameters determine the form; without either, the account's default applies. The \`Api-Form\` response header has the form used.`;

const DESCRIPTION = `Health data of your users from phones, wearables and cloud providers, normalized and merged into one value per metric and day.

${TWO_FORMS}

**Errors** have one format: \`error\` (a stable code), \`message\` (human-readable, may change) and \`details\` (always an object).
Unknown fields and parameters are rejected, and the error lists them.`;

const describeForm = (
  form: Form,
) => `**Form ${form} only.** This document describes one of the two formats of the API, so that a generated client has one type per
response. Send \`Api-Form: ${form}\` with every request: set the header once, in the configuration of the client.`;

const DASHBOARD_DESCRIPTION = `The calls that the dashboard makes for a signed-in member. They are internal: they change with the dashboard, without notice.
Programs use the public API (\`docs/openapi.json\`), which members can call too, under \`/dashboard/api/{environment}/v1\`.`;

type ApiParts = {
  /** Descriptions by name, in the order of the document. */
  readonly tags: Readonly<Record<string, string>>;
  readonly webhooks: readonly WebhookPayload[];
  readonly examples: RecordedExamples;
  /** Describes only this form. Absent: both. */
  readonly form?: Form | undefined;
};

type Document = ApiParts & { readonly title: string; readonly description: string; readonly hasHeaders: boolean };

/** The public API. */
export function describeApi(routes: readonly Route[], serverUrl: string, parts: ApiParts): Json {
  const description = parts.form === undefined ? DESCRIPTION : DESCRIPTION.replace(TWO_FORMS, describeForm(parts.form));
  return describe(routes, serverUrl, { title: 'Tributary', description, hasHeaders: true, ...parts });
}

/** The internal calls of the dashboard. */
export function describeDashboardApi(routes: readonly Route[], serverUrl: string): Json {
  const about = { title: 'Tributary dashboard', description: DASHBOARD_DESCRIPTION, hasHeaders: false };
  return describe(routes, serverUrl, { ...about, tags: {}, webhooks: [], examples: NO_EXAMPLES });
}

function describe(routes: readonly Route[], serverUrl: string, document: Document): Json {
  const published = routes.filter((route) => route.access.to !== 'operator');
  const components = createComponents();
  components.refer(errorBody as unknown as Json);
  const paths: Record<string, Json> = {};
  for (const route of published) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, components, document) };
  }
  const webhooks = describeWebhooks(document.webhooks, components, document.examples.webhooks);
  const errors = Object.entries(document.examples.errors).map(([code, value]) => [code, { summary: code, value }]);
  return {
    openapi: '3.1.0',
    info: {
      title: document.title,
      version: '1.0.0',
      description: document.description,
      contact: { name: 'API reference', url: `${serverUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(published.map((route) => route.tag))].map((name) => ({
      name,
      ...(document.tags[name] && { description: document.tags[name] }),
    })),
    paths,
    ...(document.webhooks.length > 0 && { webhooks }),
    components: {
      schemas: components.list(),
      ...(document.hasHeaders && { headers: listHeaders() }),
      ...(errors.length > 0 && { examples: Object.fromEntries(errors) }),
      securitySchemes: describeSchemes(published),
    },
  };
}

function describeSchemes(routes: readonly Route[]): Json {
  if (routes.some(({ access }) => access.to === 'member'))
    return { session: { type: 'apiKey', in: 'cookie', name: '__Host-tributary', description: 'session of a member' } };
  return {
    apiKey: { type: 'http', scheme: 'bearer', description: 'API key: sk_live_… or sk_sandbox_…' },
    sdkSession: { type: 'http', scheme: 'bearer', description: 'access token of an SDK session' },
    userToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'user token: read-only access to one user for one hour',
    },
  };
}

function describeRoute(route: Route, components: Components, { examples, form, hasHeaders }: Document): Json {
  const isDescribed = (one: { readonly form: Form | null }) => !form || one.form === null || one.form === form;
  const calls = (examples.calls[route.operationId] ?? []).filter(isDescribed);
  const dialects = listDialects(route).filter(isDescribed);
  const body = describeBody(route, dialects, components, calls);
  const responses: Record<string, Response> = {
    ...(route.isConditional
      ? { 304: { description: 'Not modified: the client has the current version (If-None-Match)' } }
      : {}),
    ...joinResponses(describeReplies(dialects, components, calls), describeErrors(route, examples)),
  };
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: describeSecurity(route),
    parameters: describeParameters(route, dialects, components, form),
    ...(body ? { requestBody: body } : {}),
    responses: hasHeaders ? addHeaders(route, responses) : responses,
  };
}

function addHeaders(route: Route, responses: Readonly<Record<string, Response>>): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, ...rest }]) => [
      status,
      { description, headers: describeHeaders(route, Number(status)), ...rest },
    ]),
  );
}

function listDialects(route: Route): FormDialect[] {
  if ('both' in route.dialects) return [{ form: null, dialect: route.dialects.both }];
  return [
    { form: 1, dialect: route.dialects[1] },
    { form: 2, dialect: route.dialects[2] },
  ];
}

function describeSecurity(route: Route): Json[] {
  if (isOpen(route)) return [];
  if (route.access.to === 'sdk_session') return [{ sdkSession: [] }];
  if (route.access.to === 'member') return [{ session: [] }];
  return route.access.to === 'api_key_or_own_user' ? [{ apiKey: [] }, { userToken: [] }] : [{ apiKey: [] }];
}

function describeParameters(
  route: Route,
  dialects: readonly FormDialect[],
  components: Components,
  form: Form | undefined,
): Json[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = describeQuery(dialects, components);
  const header = {
    name: 'Api-Form',
    in: 'header',
    required: false,
    description: 'response format',
    schema: { type: 'string', enum: form ? [String(form)] : ['1', '2'] },
  };
  const ownHeaders = dialects.flatMap(({ dialect }) => dialect.headers);
  const inHeader = ownHeaders.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } }));
  const condition = {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of an earlier response; returns 304 if it is still current',
    schema: { type: 'string' },
  };
  return [
    ...inPath,
    ...inQuery,
    ...inHeader,
    ...(route.isConditional ? [condition] : []),
    ...(route.path.startsWith('/v1/') ? [header] : []),
  ];
}

/** Lists a parameter that both forms have only once. */
function describeQuery(dialects: readonly FormDialect[], components: Components): Json[] {
  const named = dialects.flatMap(({ form, dialect }) =>
    Object.entries((dialect.query as TObject | null)?.properties ?? {}).map(([name, schema]) => ({
      name,
      form,
      schema: schema as Json,
      isRequired: isRequired(dialect.query, name),
    })),
  );
  return [...Map.groupBy(named, ({ name }) => name)].flatMap(([name, uses]) => {
    const [first] = uses;
    if (first === undefined) return [];
    const isShared = first.form === null || uses.length === dialects.length;
    const about = (first.schema.description as string | undefined) ?? '';
    return {
      name,
      in: 'query',
      required: isShared && uses.every((use) => use.isRequired),
      description: isShared ? about : `Form ${first.form}. ${about}`.trim(),
      schema: components.refer(first.schema),
    };
  });
}

function isRequired(schema: TObject | null, name: string): boolean {
  return ((schema?.required as string[] | undefined) ?? []).includes(name);
}

/** A body that has no title is named after its operation. */
function describeBody(
  { operationId }: Route,
  dialects: readonly FormDialect[],
  components: Components,
  calls: readonly RecordedCall[],
): Json | null {
  const bodies = dialects.flatMap(({ form, dialect }) => (dialect.body ? [{ form, body: dialect.body }] : []));
  const isShared = new Set(bodies.map(({ body }) => body)).size === 1;
  const request = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  const schemas = bodies.map(({ form, body }) =>
    components.refer(body as unknown as Json, isShared ? request : `${request}Form${form}`),
  );
  if (schemas.length === 0) return null;
  const content = { schema: combine(schemas), ...showExamples(findRequests(calls)) };
  return { required: true, content: { 'application/json': content } };
}

function describeReplies(
  dialects: readonly FormDialect[],
  components: Components,
  calls: readonly RecordedCall[],
): Record<string, Response> {
  const statuses = [...new Set(dialects.flatMap(({ dialect }) => Object.keys(dialect.replies)))];
  return Object.fromEntries(
    statuses.map((status) => {
      const shapes = dialects.flatMap(({ dialect }) => {
        const shape = dialect.replies[Number(status)];
        return shape ? [{ shape }] : [];
      });
      const examples = showExamples(findResponses(calls, Number(status)));
      const media = shapes.find(({ shape }) => isMediaType(shape))?.shape;
      if (media && isMediaType(media)) {
        return [
          status,
          {
            description: media.description,
            content: Object.fromEntries(
              [media.mediaType, ...(media.otherTypes ?? [])].map((type) => [
                type,
                {
                  schema: schemaOf(type),
                  ...(type === media.mediaType ? examples : showExamples(findResponses(calls, Number(status), type))),
                },
              ]),
            ),
          },
        ];
      }
      const schemas = shapes.flatMap(({ shape }) =>
        isMediaType(shape) ? [] : [components.refer(shape as unknown as Json)],
      );
      return [
        status,
        {
          description: 'Success',
          ...(schemas.length > 0 && { content: { 'application/json': { schema: combine(schemas), ...examples } } }),
        },
      ];
    }),
  );
}

/** Merges statuses that are both a reply and an error: /readyz replies with 503 itself. */
function joinResponses(replies: Record<string, Response>, errors: Record<string, Response>): Record<string, Response> {
  const joined = Object.entries(errors).map(([status, error]): [string, Response] => {
    const reply = replies[status];
    if (!reply) return [status, error];
    const schemas = [reply, error].flatMap(({ content }) => Object.values(content ?? {}).map(({ schema }) => schema));
    const examples = showBoth(reply, error);
    const content = { schema: combine(schemas), ...examples };
    return [status, { description: error.description, content: { 'application/json': content } }];
  });
  return { ...replies, ...Object.fromEntries(joined) };
}

/** The reply is listed under its status, errors under their codes. */
function showBoth(reply: Response, error: Response): Json {
  const [own, other] = [reply, error].map(({ content }) => content?.['application/json']);
  const value = own?.example;
  return { examples: { ...(value !== undefined && { reply: { value } }), ...(other?.examples as Json | undefined) } };
}

function schemaOf(mediaType: string): Json {
  return { type: mediaType.startsWith('application/json') ? 'object' : 'string' };
}

function describeErrors(route: Route, examples: RecordedExamples): Record<string, Response> {
  const codes = listErrorCodes(route);
  const byStatus = Map.groupBy(codes, (code) => ERROR_CODES[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${wireCodeOf(code)}\`: ${ERROR_CODES[code].when}`).join('  \n'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            ...showErrors(group.map(wireCodeOf), examples),
          },
        },
      },
    ]),
  );
}

/** The codes that access, schemas and protocol imply, and those that the route declares. */
export function listErrorCodes(route: Route): ErrorCode[] {
  const { access } = route;
  const codes: ErrorCode[] = ['invalid_parameter', ...route.errors, 'rate_limited', 'internal', 'unavailable'];
  if (route.path.startsWith('/v1/')) codes.push('invalid_form', 'mixed_forms');
  // A call without a body rejects one that is sent anyway.
  if (route.method !== 'GET') codes.push('invalid_body', 'payload_too_large', 'unsupported_media_type');
  if (isOfAccount(route)) codes.push('overloaded');
  if (access.to === 'member') codes.push(...listMemberCodes(route, access));
  else if (!isOpen(route))
    codes.push(
      'missing_token',
      'invalid_token',
      'token_expired',
      'insufficient_scope',
      'sandbox_disabled',
      'account_closed',
    );
  if (access.to === 'api_key_or_own_user') codes.push('wrong_user');
  if ('billing' in access && access.billing === 'checked') codes.push('payment_required');
  return [...new Set(codes)].sort((a, b) => ERROR_CODES[a].status - ERROR_CODES[b].status);
}

function listMemberCodes({ method }: Route, { isDangerous }: MemberAccess): ErrorCode[] {
  return [
    'missing_token',
    'invalid_token',
    'insufficient_role',
    'not_found',
    'account_changed',
    ...(method === 'GET' ? [] : (['foreign_page'] as const)),
    ...(isDangerous ? (['confirmation_required'] as const) : []),
  ];
}

function isOpen({ access }: Route): boolean {
  return access.to === 'anyone' || access.to === 'probes';
}

/** Calls of accounts can fail with `overloaded` when the account's share is used up. */
function isOfAccount({ access }: Route): boolean {
  return (
    access.to === 'member' ||
    access.to === 'api_key' ||
    access.to === 'api_key_or_own_user' ||
    access.to === 'sdk_session'
  );
}

/** Forms that share a schema list it once. */
function combine(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only, ...others] = different;
  return only && others.length === 0 ? only : { anyOf: different };
}
