// Mistakes in the format of a row do not compile. This file is never run: `npm run check` compiles it, and an unused
// "@ts-expect-error" is an error, so each line below must keep failing.
import { dialect, route, twoFormRoute } from '../src/platform/http/route.ts';
import { requestObject, withDefault } from '../src/platform/http/schema.ts';
import { Type } from '../src/platform/json-schema.ts';

const row = {
  method: 'POST',
  path: '/v1/users/:user_id/devices/:device_id',
  operationId: 'x',
  tag: 'X',
  summary: 'x',
  access: { to: 'anyone' },
  healthDataOf: 'nobody',
} as const;
const replies = { 200: Type.Object({}) };
const present = (_: string) => ({ status: 200, body: {} });
const query = requestObject({ limit: withDefault(Type.Integer(), 50), cursor: Type.Optional(Type.String()) });
const body = requestObject({ name: Type.String() });
const shape = { ...row, query, body, headers: ['idempotency-key'], replies, present } as const;

export const routes = [
  // Without `parse` the operation gets the request.
  route({ ...shape, handle: (_, { params }) => params.user_id + params.device_id }),
  route({ ...shape, handle: (_, { query }) => query.limit.toFixed() }),
  route({ ...shape, handle: (_, { body }) => body.name }),
  route({ ...shape, handle: (_, { headers }) => headers['idempotency-key'] ?? '' }),
  // @ts-expect-error a parameter that the path does not have
  route({ ...shape, handle: (_, { params }) => params.device }),
  // @ts-expect-error a parameter that the query does not have
  route({ ...shape, handle: (_, { query }) => query.page }),
  // @ts-expect-error an optional parameter without default
  route({ ...shape, handle: (_, { query }) => query.cursor }),
  // @ts-expect-error a header that the row does not declare
  route({ ...shape, handle: (_, { headers }) => headers['user-agent'] ?? '' }),
  // @ts-expect-error a default of another type
  withDefault(Type.Integer(), '50'),

  // With `parse` it gets what that returns.
  route({ ...shape, parse: ({ params }) => params.user_id, handle: (_, id) => id.trim() }),
  // @ts-expect-error a parameter that the path does not have
  route({ ...shape, parse: ({ params }) => ({ id: params.id }), handle: (_, { id }) => id }),
  // @ts-expect-error a parameter that the path does not have, in a named function
  route({ ...shape, parse: (request: { params: { id: string } }) => request.params.id, handle: (_, id) => id }),
  // @ts-expect-error an operation that needs more than that
  route({ ...shape, parse: () => null, handle: (_, { query }) => query.limit.toFixed() }),
  // @ts-expect-error an operation that needs more than the request
  route({ ...shape, handle: (_, input: { userId: string }) => input.userId }),
  // @ts-expect-error a result that cannot be presented
  route({ ...shape, handle: (_, { query }) => query.limit }),
  // @ts-expect-error the operation validates a packed body itself
  route({ ...shape, bodyKind: 'packed_json', handle: (_, { body }) => body.name }),
];

const parse = () => null;
const form = dialect({ params: ['user_id'], replies, parse: ({ params }) => params.user_id, present });
// @ts-expect-error a parameter that the dialect does not declare
dialect({ params: ['user_id'], replies, parse: ({ params }) => params.device_id, present });
const both = { 1: form, 2: form };
twoFormRoute({ ...row, dialects: both, handle: (_, id) => id.trim() });
// @ts-expect-error a dialect that reads a parameter that the path does not have
twoFormRoute({ ...row, path: '/v1/users', dialects: both, handle: (_, id) => id });
// @ts-expect-error dialects with different inputs
twoFormRoute({ ...row, dialects: { 1: form, 2: dialect({ replies, parse, present }) }, handle: (_, id) => id });
