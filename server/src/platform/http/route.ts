// A row of the route table: the only description of an endpoint, with its access, schemas, statuses and operation.
// Validation, serialisation, types and the OpenAPI document are derived from it.
import type { Static, TObject, TSchema } from 'typebox';
import type { Form } from '../../domain/tenancy.ts';
import type { CsvCell } from '../csv.ts';
import type { ErrorCode } from '../error-codes.ts';
import type { Logger } from '../log.ts';
import type { Services } from '../services.ts';
import type { Access, CallerOf } from './access.ts';
import type { HealthDataOf } from './observed-request.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export type RequestContext<A extends Access = Access> = {
  readonly services: Services;
  readonly caller: CallerOf<A>;
  readonly form: Form;
  readonly requestId: string;
  /** Undefined: a local socket. */
  readonly clientAddress: string | undefined;
  readonly userAgent: string | undefined;
  readonly log: Logger;
  /** Sets the ETag from `version`, which must be valid in a header, and ends the request with 304 if the client has that version. */
  revalidate(version: string): void;
};

/** A response body that is not JSON: described by its media type instead of a schema. */
export type MediaType = {
  readonly mediaType: string;
  /** What the reply can be instead; its header says which one it is. */
  readonly otherTypes?: readonly string[];
  readonly description: string;
};
export type Reply = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
type RawInput<Query, Body> = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The headers that the dialect declares, by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** The request and response format of one form: pure functions between the wire and the operation's input and result. */
export type Dialect<Input, Output> = {
  readonly query: TObject | null;
  /** Converts a valid query before `parse`; the result is cached by query text (query-reader.ts). Null: no conversion. */
  readonly prepareQuery: ((query: unknown) => unknown) | null;
  readonly body: TObject | null;
  /** Request headers that the operation reads, in lower case. */
  readonly headers: readonly string[];
  readonly replies: Readonly<Record<number, TSchema | MediaType | null>>;
  parse(raw: RawInput<unknown, unknown>): Input;
  present(output: Output): Reply;
};

export function dialect<
  Input,
  Output,
  Query extends TObject,
  Body extends TObject,
  Prepared = Static<Query>,
>(definition: {
  query?: Query;
  prepareQuery?: (query: Static<Query>) => Prepared;
  body?: Body;
  headers?: readonly string[];
  replies: Readonly<Record<number, TSchema | MediaType | null>>;
  parse: (raw: RawInput<NoInfer<Prepared>, Static<Body>>) => Input;
  present: (output: Output) => Reply;
}): Dialect<Input, Output> {
  return {
    query: definition.query ?? null,
    prepareQuery: (definition.prepareQuery as Dialect<Input, Output>['prepareQuery'] | undefined) ?? null,
    body: definition.body ?? null,
    headers: definition.headers ?? [],
    replies: definition.replies,
    parse: definition.parse as Dialect<Input, Output>['parse'],
    present: definition.present,
  };
}

/** `both`: the same format in both forms. Otherwise one dialect per form; `bare` is the form of a call without parameters, if only one form supports that. */
export type Dialects<Input, Output> =
  | { readonly both: Dialect<Input, Output> }
  | { readonly 1: Dialect<Input, Output>; readonly 2: Dialect<Input, Output>; readonly bare?: Form };

/** An account can run only a few calls at once unless they are cheap (fair-shares.ts). */
export type Cost = 'cheap' | 'large_read' | 'computation';

export type Route = {
  readonly method: HttpMethod;
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Whose profile, values, sleeps, workouts, scores or devices a response contains: the audit trail records who read them. */
  readonly healthDataOf: HealthDataOf | ((output: unknown) => HealthDataOf);
  readonly dialects: Dialects<unknown, unknown>;
  /**
   * `packed_json`: can be compressed and large, and the operation validates it (packed-body.ts). `bytes`: a part of a file
   * (byte-body.ts).
   */
  readonly bodyKind?: 'json' | 'packed_json' | 'bytes';
  /** Concurrent requests per credential. */
  readonly maxInWork?: number;
  /** Responses have an ETag, and 304 if the client has it: the operation calls `revalidate`. */
  readonly isConditional?: boolean;
  /** How long a client can use its cached response without revalidation. Only for conditional routes. */
  readonly cacheSeconds?: number;
  /** Default: cheap. */
  readonly cost?: Cost | ((context: RequestContext, input: unknown) => Cost);
  /** The same list as CSV, header included, for a request with Accept: text/csv. */
  readonly csv?: (output: unknown) => readonly (readonly CsvCell[])[];
  /** Error codes beyond those that access and schemas imply. */
  readonly errors: readonly ErrorCode[];
  handle(context: RequestContext, input: unknown): Promise<unknown> | unknown;
};

export function route<const A extends Access, Input, Output>(definition: {
  method: HttpMethod;
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  access: A;
  healthDataOf: HealthDataOf | ((output: NoInfer<Output>) => HealthDataOf);
  dialects: Dialects<Input, Output>;
  bodyKind?: 'json' | 'packed_json' | 'bytes';
  maxInWork?: number;
  isConditional?: boolean;
  cacheSeconds?: number;
  cost?: Cost | ((context: RequestContext<A>, input: NoInfer<Input>) => Cost);
  csv?: (output: NoInfer<Output>) => readonly (readonly CsvCell[])[];
  errors?: readonly ErrorCode[];
  handle: (context: RequestContext<A>, input: NoInfer<Input>) => Promise<NoInfer<Output>> | NoInfer<Output>;
}): Route {
  return { errors: [], ...definition } as unknown as Route;
}

/** For a dialect whose reply has no body. */
export const noContent = { replies: { 204: null }, present: (): Reply => ({ status: 204, body: null }) };

export function dialectOf(route: Route, form: Form): Dialect<unknown, unknown> {
  return 'both' in route.dialects ? route.dialects.both : route.dialects[form];
}
