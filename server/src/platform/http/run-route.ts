// Runs one request through its route: authorize, determine the form, validate, run the operation, reply.

import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Form, Tenant } from '../../domain/tenancy.ts';
import { type CsvCell, formatCsv } from '../csv.ts';
import { AppError } from '../errors.ts';
import { createYielder } from '../event-loop.ts';
import type { FairShares } from '../fair-shares.ts';
import type { Logger } from '../log.ts';
import type { Services } from '../services.ts';
import { servicesOfAccount } from './account-services.ts';
import { type Auth, admit, countGuess } from './admission.ts';
import { MAX_JSON_BYTES } from './body.ts';
import { ANONYMOUS, type Caller } from './caller.ts';
import { type FormNames, selectForm } from './forms.ts';
import { createInWorkLimit } from './in-work-limit.ts';
import type { HealthDataOf } from './observed-request.ts';
import type { Pace } from './prepared-json.ts';
import { createQueryReader, type ParsedQuery } from './query-reader.ts';
import { sendReply } from './reply.ts';
import type { ReplyBudget } from './reply-budget.ts';
import { makeEntityTag, matchesTag, NotModified } from './revalidation.ts';
import { type Cost, type Dialect, dialectOf, type RequestContext, type Route } from './route.ts';
import { findSessionCookie, isDashboardPath } from './session-cookie.ts';
import { checkInput, fillDefaults, requireStorableParams } from './validate.ts';

/** Passed to the framework in place of a parsed query. */
export type QueryText = { readonly text: string };

export type RouteRuntime = {
  readonly services: Services;
  readonly auth: Auth;
  readonly log: Logger;
  readonly defaultForm: Form;
  readonly formNames: FormNames;
  readonly replies: ReplyBudget;
  /** Can add details to a 404 for a caller with an API key. */
  readonly explainNotFound?: (tenant: Tenant, error: AppError) => Promise<AppError>;
};

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** Null if the call has no caller. */
    route: (Pick<Route, 'path'> & { readonly servesPages?: boolean; readonly maxBodyBytes?: number }) | null;
    /** Of the response; null: it is not an error. */
    errorCode: string | null;
    healthDataOf: HealthDataOf;
    /** The response to write to. */
    response: ServerResponse | null;
    /** Not `ip`, which the framework reads differently. Undefined: a local socket. */
    readonly clientAddress: string | undefined;
  }
}

export function runRoute(route: Route, runtime: RouteRuntime) {
  const freshness = freshnessOf(route);
  const inWork = route.maxInWork === undefined ? null : createInWorkLimit(route.maxInWork);
  const readQuery = createQueryReader(route);
  const described = { path: route.path, maxBodyBytes: MAX_JSON_BYTES };
  return {
    async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      request.route = described;
      if (typeof route.healthDataOf !== 'function') request.healthDataOf = route.healthDataOf;
      if (isDashboardPath(route.path)) reply.header('cache-control', 'no-store');
      const caller = await admit(runtime.auth, route, request, reply);
      request.caller = caller;
      inWork?.enter(caller, reply);
    },
    async handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const caller = request.caller ?? ANONYMOUS;
      const { form, dialect, input } = readInput(
        route,
        runtime,
        caller,
        readQuery(queryTextOf(request)),
        request,
        reply,
      );
      const account = 'tenant' in caller ? caller.tenant.accountId : null;
      const { version: release } = runtime.services.settings; // a later one may add fields to the same data
      const context = {
        services: account === null ? runtime.services : servicesOfAccount(runtime.services, account),
        caller,
        form,
        requestId: request.id,
        clientAddress: request.clientAddress,
        userAgent: request.headers['user-agent'],
        sessionCookie: findSessionCookie(request.headers.cookie),
        log: runtime.log,
        revalidate: (version: string) =>
          revalidate(request, reply, makeEntityTag(request.url, form, `${release}-${version}`), freshness),
      } as RequestContext;
      const answer = async (pace?: Pace) => {
        const result = triesSecrets(route)
          ? await handleGuess(runtime, route, request, reply, context, input)
          : await route.handle(context, input);
        if (typeof route.healthDataOf === 'function') request.healthDataOf = route.healthDataOf(result);
        if (route.csv && wantsCsv(request)) sendCsv(reply, route.csv(result));
        else await sendReply(reply, dialect, dialect.present(result), runtime.replies, pace);
      };
      try {
        const cost = costOf(route, context, input);
        if (account === null || cost === 'cheap') await answer();
        else {
          const shares = runtime.services.shares[cost];
          await shares.run(account, () => answer(paceBy(shares, account)));
        }
      } catch (error) {
        if (error instanceof NotModified) return reply.code(304).send();
        reply.removeHeader('etag').removeHeader('cache-control'); // they described the response that failed
        throw await explainFailure(runtime, caller, error);
      }
      return reply;
    },
  };
}

/** Browsers do not store what the dashboard shows; its pages keep ETags in memory. */
function freshnessOf({ access, cacheSeconds }: Route): string {
  if (access.to === 'member') return 'no-store';
  return cacheSeconds === undefined ? 'private, no-cache' : `private, max-age=${cacheSeconds}`;
}

function readInput(
  route: Route,
  runtime: RouteRuntime,
  caller: Caller,
  query: ParsedQuery,
  request: FastifyRequest,
  reply: FastifyReply,
): { form: Form; dialect: Dialect<unknown, unknown>; input: unknown } {
  const accountDefault = 'defaultForm' in caller ? caller.defaultForm : runtime.defaultForm;
  const isPacked = route.bodyKind === 'packed_json';
  const isBytes = route.bodyKind === 'bytes';
  const body = isPacked || isBytes ? undefined : request.body; // the operation reads packed bodies itself
  const form = selectForm({
    names: runtime.formNames,
    route,
    header: formHeader(request),
    query: query.fields,
    body,
    accountDefault,
  });
  reply.header('api-form', String(form));
  const dialect = dialectOf(route, form);
  const params = request.params as Record<string, string>;
  requireStorableParams(params);
  const input = dialect.parse({
    params,
    query: query.prepareFor(dialect),
    body: isBytes ? request.body : parseBody(dialect.body, request.body, isPacked),
    headers: pickHeaders(dialect.headers, request),
  });
  return { form, dialect, input };
}

/** A slow client holds no slot between chunks, and a fast one yields to other requests. */
function paceBy(shares: FairShares, account: string): Pace {
  const yieldIfDue = createYielder();
  return async (work) => {
    await yieldIfDue();
    return shares.resume(account, work);
  };
}

function costOf({ cost = 'cheap' }: Route, context: RequestContext, input: unknown): Cost {
  return typeof cost === 'function' ? cost(context, input) : cost;
}

/** The error that the server replies with. A 404 gets more details for a caller with an API key. */
async function explainFailure({ explainNotFound }: RouteRuntime, caller: Caller, error: unknown): Promise<Error> {
  if (!(error instanceof Error)) return new AppError('internal', { cause: error });
  const isNotFound = error instanceof AppError && error.status === 404;
  if (explainNotFound === undefined || caller.kind !== 'api_key' || !isNotFound) return error;
  return explainNotFound(caller.tenant, error).catch(() => error);
}

function revalidate(request: FastifyRequest, reply: FastifyReply, tag: string, freshness: string): void {
  reply.header('etag', tag).header('cache-control', freshness);
  if (matchesTag(request.headers['if-none-match'], tag)) throw new NotModified();
}

function triesSecrets({ access }: Route): boolean {
  return access.to === 'anyone' && access.guesses !== undefined;
}

async function handleGuess(
  runtime: RouteRuntime,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RequestContext,
  input: unknown,
): Promise<unknown> {
  try {
    return await route.handle(context, input);
  } catch (error) {
    if (error instanceof AppError && error.status === 401) await countGuess(runtime.auth, request, reply);
    throw error;
  }
}

const NO_HEADERS = {};

function pickHeaders(names: readonly string[], request: FastifyRequest): Record<string, string | undefined> {
  if (names.length === 0) return NO_HEADERS;
  return Object.fromEntries(names.map((name) => [name, request.headers[name]?.toString()]));
}

function parseBody(schema: TObject | null, body: unknown, isPacked: boolean): unknown {
  if (schema && body !== undefined) {
    if (isPacked) return body;
    checkInput(schema, body, 'invalid_body');
    return fillDefaults(schema, body as object);
  }
  if (!schema && isNothing(body)) return undefined;
  const message = schema ? 'a JSON body is required' : 'this call does not accept a body';
  throw new AppError('invalid_body', { details: { issues: [{ path: '', message }] } });
}

/** Accepts an empty object, which many clients send with every POST. */
function isNothing(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0);
}

/** The query text; routes parse it themselves. */
function queryTextOf({ query }: FastifyRequest): string {
  return (query as QueryText).text;
}

function formHeader(request: FastifyRequest): string | undefined {
  const header = request.headers['api-form'];
  return Array.isArray(header) ? header.join(',') : header;
}

/** Lists of the dashboard. */
function wantsCsv({ headers }: FastifyRequest): boolean {
  return /^text\/csv\b/.test(headers.accept ?? '');
}

function sendCsv(reply: FastifyReply, rows: readonly (readonly CsvCell[])[]): void {
  reply.code(200).header('content-type', 'text/csv; charset=utf-8').send(formatCsv(rows));
}
