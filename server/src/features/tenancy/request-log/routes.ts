// The dashboard's endpoints of the request log.
import { explainError } from '../../../platform/error-codes.ts';
import { cursorPageReply, presentCursorPage } from '../../../platform/http/cursor-page.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { presentRequest, requestSchema } from './present-request.ts';
import { type RequestDetail, type RequestsInput, readRequest, readRequests } from './read-requests.ts';

const tag = 'Requests';
const access = { to: 'member', role: 'viewer' } as const;
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

export const requestRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/requests',
    operationId: 'listRequests',
    tag,
    summary: 'List the latest API calls, newest first',
    description:
      'Calls are kept for seven days, at most a million. Bodies and addresses are not kept. A call appears within two seconds.',
    access,
    healthDataOf: 'nobody',
    query: requestObject({
      outcome: Type.Optional(oneOfWords(['failed', 'slow'])),
      status: Type.Optional(oneOfWords(['2xx', '4xx', '5xx'])),
      method: Type.Optional(oneOfWords(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])),
      route: text('path of the endpoint, with parameter names'),
      user: text('only calls for this user (id or reference)'),
      key: text('only calls with this API key (id)'),
      error: text('error code'),
      q: text('part of the path, the error code or the program'),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 1_000 }), 50),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    }),
    replies: { 200: cursorPageReply(requestSchema) },
    parse: ({ query }): RequestsInput => ({
      outcome: query.outcome ?? null,
      statusClass: query.status ?? null,
      method: query.method ?? null,
      route: query.route ?? null,
      user: query.user ?? null,
      keyId: query.key ?? null,
      error: query.error ?? null,
      text: query.q ?? null,
      limit: query.limit,
      cursor: query.cursor ?? null,
    }),
    present: presentCursorPage(presentRequest),
    csv: ({ items }) => [
      ['at', 'id', 'method', 'path', 'status', 'error', 'ms', 'user_id', 'reference_id', 'agent'],
      ...items
        .map(presentRequest)
        .map((entry) => [
          entry.at,
          entry.id,
          entry.method,
          entry.path,
          entry.status,
          entry.error,
          entry.ms,
          entry.user_id,
          entry.reference_id,
          entry.agent,
        ]),
    ],
    errors: ['invalid_cursor'],
    handle: readRequests,
  }),
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/requests/:request_id',
    operationId: 'getRequest',
    tag,
    summary: 'Read one API call and its neighbours',
    access,
    healthDataOf: 'nobody',
    replies: {
      200: Type.Object({
        data: requestSchema,
        explanation: nullable(
          Type.Object({ message: Type.String(), when: Type.String({ description: 'when the error occurs' }) }),
        ),
        neighbours: Type.Array(requestSchema),
      }),
    },
    parse: ({ params }) => ({ id: params.request_id }),
    present: ({ entry, neighbours }: RequestDetail) => ({
      status: 200,
      body: {
        data: presentRequest(entry),
        explanation: entry.error === null ? null : explainError(entry.error, entry.status),
        neighbours: neighbours.map(presentRequest),
      },
    }),
    errors: ['not_found'],
    handle: readRequest,
  }),
];
