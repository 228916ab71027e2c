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
import type { PackedBody } from './packed-body.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export type RequestContext<A extends Access = Access> = {
  readonly services: Services;
  readonly caller: CallerOf<A>;
  readonly form: Form;
  readonly requestId: string;
  /** Undefined: a local socket. */
  readonly clientAddress: string | undefined;
  readonly userAgent: string | undefined;
  /** The token of a session of the dashboard, which may be over. */
  readonly sessionCookie: string | null;
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

/** The parameters of a path: 'user_id' of '/v1/users/:user_id/sleep'. */
type ParamOf<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamOf<Rest>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never;

/** A request that matches the schemas of its route; the defaults of the schemas are filled in. */
type ValidRequest<Param extends string, Query, Body, Header extends string = never> = {
  readonly params: Readonly<Record<Param, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Readonly<Record<Header, string | undefined>>;
};

/**
 * `packed_json`: can be compressed and large, and the operation validates it (packed-body.ts). `bytes`: a part of a file
 * (byte-body.ts).
 */
type BodyKind = 'json' | 'packed_json' | 'bytes';
type BodyOf<Kind extends BodyKind, Body extends TObject> = Kind extends 'packed_json'
  ? PackedBody
  : Kind extends 'bytes'
    ? Buffer | undefined
    : Static<Body>;

type NoFields = TObject<Record<never, never>>;
type Replies = Readonly<Record<number, TSchema | MediaType | null>>;

/** The request and response format of one form: pure functions between the wire and the operation's input and result. */
export type Dialect<Input, Output, Param extends string = string> = {
  readonly query: TObject | null;
  /** Null: no conversion. */
  readonly prepareQuery: ((query: unknown) => unknown) | null;
  readonly body: TObject | null;
  /** Request headers that the operation reads, in lower case. */
  readonly headers: readonly string[];
  readonly replies: Replies;
  readonly parse: (request: ValidRequest<Param, unknown, unknown, string>) => Input;
  readonly present: (output: Output) => Reply;
};

/** `both`: the same format in both forms. Otherwise one dialect per form; `bare` is the form of a call without parameters, if only one form supports that. */
export type Dialects<Input, Output> = { readonly both: Dialect<Input, Output> } | TwoForms<Input, Output, string>;
type TwoForms<Input, Output, Param extends string> = {
  readonly 1: Dialect<Input, Output, Param>;
  readonly 2: Dialect<Input, Output, Param>;
  readonly bare?: Form;
};

/** An account can run only a few calls at once unless they are cheap (fair-shares.ts). */
export type Cost = 'cheap' | 'large_read' | 'computation';

/** What every row has. */
type Row<A extends Access, Path extends string, Input, Output> = {
  readonly method: HttpMethod;
  readonly path: Path;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: A;
  /** Whose profile, values, sleeps, workouts, scores or devices a response contains: the audit trail records who read them. */
  readonly healthDataOf: HealthDataOf | ((output: Output) => HealthDataOf);
  /** Concurrent requests per credential. */
  readonly maxInWork?: number;
  /** Responses have an ETag, and 304 if the client has it: the operation calls `revalidate`. */
  readonly isConditional?: boolean;
  /** How long a client can use its cached response without revalidation. Only for conditional routes. */
  readonly cacheSeconds?: number;
  /** Default: cheap. */
  readonly cost?: Cost | ((context: RequestContext<A>, input: Input) => Cost);
  /** The same list as CSV, header included, for a request with Accept: text/csv. */
  readonly csv?: (output: Output) => readonly (readonly CsvCell[])[];
  /** Error codes beyond those that access and schemas imply. */
  readonly errors?: readonly ErrorCode[];
  readonly handle: (context: RequestContext<A>, input: Input) => Promise<Output> | Output;
};

export type Route = Row<Access, string, unknown, unknown> & {
  readonly errors: readonly ErrorCode[];
  readonly bodyKind?: BodyKind;
  readonly dialects: Dialects<unknown, unknown>;
};

/** A row with one format. */
export function route<
  const A extends Access,
  const Path extends string,
  Output,
  const Header extends string = never,
  Query extends TObject = NoFields,
  Body extends TObject = NoFields,
  Kind extends BodyKind = 'json',
  Request = ValidRequest<ParamOf<Path>, Static<Query>, BodyOf<Kind, Body>, Header>,
  Input = Request,
>({
  query,
  body,
  headers,
  replies,
  parse,
  present,
  ...row
}: Row<A, Path, Input, Output> & {
  query?: Query;
  body?: Body;
  bodyKind?: Kind;
  headers?: readonly Header[];
  replies: Replies;
  /** Without it the operation gets the request. */
  parse?: (request: NoInfer<Request>) => Input;
  present: (output: Output) => Reply;
} & (Request extends Input ? unknown : { parse: unknown })): Route {
  const both = {
    query: query ?? null,
    prepareQuery: null,
    body: body ?? null,
    headers: headers ?? [],
    replies,
    parse: parse ?? ((request: unknown) => request),
    present,
  };
  return { errors: [], ...row, dialects: { both } } as unknown as Route;
}

/** A row with a format for each form. */
export function twoFormRoute<const A extends Access, const Path extends string, Input, Output>(
  row: Row<A, Path, Input, Output> & { dialects: TwoForms<Input, Output, ParamOf<Path>> },
): Route {
  return { errors: [], ...row } as unknown as Route;
}

/** One form of a row. */
export function dialect<
  Input,
  Output,
  const Param extends string = never,
  Query extends TObject = NoFields,
  Body extends TObject = NoFields,
  Prepared = Static<Query>,
>(format: {
  /** Parameters of the path that `parse` reads. */
  params?: readonly Param[];
  query?: Query;
  /** Converts a valid query before `parse`; the result is cached by query text (query-reader.ts). */
  prepareQuery?: (query: Static<Query>) => Prepared;
  body?: Body;
  replies: Replies;
  parse: (request: ValidRequest<Param, NoInfer<Prepared>, Static<Body>>) => Input;
  present: (output: Output) => Reply;
}): Dialect<Input, Output, Param> {
  const { query = null, prepareQuery = null, body = null, replies, parse, present } = format;
  return { query, prepareQuery, body, headers: [], replies, parse, present } as Dialect<Input, Output, Param>;
}

/** For a row whose reply has no body. */
export const noContent = { replies: { 204: null }, present: (): Reply => ({ status: 204, body: null }) };

export function dialectOf(route: Route, form: Form): Dialect<unknown, unknown> {
  return 'both' in route.dialects ? route.dialects.both : route.dialects[form];
}
