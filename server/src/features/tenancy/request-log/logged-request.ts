// Turns a request into a row of the log. Only calls of an account's programs are logged: the dashboard's own are not.
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { Tenant } from '../../../domain/tenancy.ts';
import { parseUserId } from '../../../domain/tenancy.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { cleanAgent } from '../../../platform/http/clean-agent.ts';
import type { ObservedRequest } from '../../../platform/http/observed-request.ts';

export type LoggedRequest = {
  readonly account_id: string;
  readonly environment: string;
  readonly id: string;
  readonly at: number;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly error: string | null;
  readonly ms: number;
  readonly bytes: number | null;
  readonly credential_kind: 'api_key' | 'user_token' | 'sdk_session';
  readonly credential_id: string;
  readonly user_id: string | null;
  readonly agent: string | null;
};

type LoggedCaller = Extract<Caller, { kind: LoggedRequest['credential_kind'] }>;

const MAX_PATH_LENGTH = 500; // a list of a hundred metrics is longer, and its beginning says enough
/** Dates, numbers, ids and names of metrics; anything else could be a name, a mail address or a reference. */
const PLAIN_VALUE = /^[\w.,:+%-]*$/;
/** A name with % may be any of them. */
const PERSONAL_PARAMETERS = /^(reference_id|external_ref|email|q|cursor|metadata.*|.*%.*)$/;
const HIDDEN = '…';
/** The user is in a column of its own, which an erasure empties. */
const UUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Programs repeat their queries and their names, and parsing these is most of the log's cost per call. */
const MAX_REMEMBERED = 500;
const shownQueries = createBoundedMap<string, string>(MAX_REMEMBERED);
const cleanAgents = createBoundedMap<string, string>(MAX_REMEMBERED);

export function callerToLog(caller: Caller | null): LoggedCaller | null {
  switch (caller?.kind) {
    case 'api_key':
    case 'user_token':
    case 'sdk_session':
      return caller;
    default:
      return null;
  }
}

export function describeForLog(request: ObservedRequest, caller: LoggedCaller, atMs: number): LoggedRequest {
  const { accountId, environment }: Tenant = caller.tenant;
  return {
    account_id: accountId,
    environment,
    id: request.id,
    at: atMs,
    method: request.method,
    route: request.route,
    path: hidePersonalValues(request.url),
    status: request.status,
    error: request.error,
    ms: request.ms,
    bytes: request.bytes,
    credential_kind: caller.kind,
    credential_id: credentialIdOf(caller),
    user_id: userOf(request, caller),
    agent: request.agent === undefined ? null : cleanAgents.getOrInsertComputed(request.agent, cleanAgent),
  };
}

export function credentialIdOf(caller: LoggedCaller): string {
  if (caller.kind === 'api_key') return caller.keyId;
  return caller.kind === 'user_token' ? caller.tokenId : caller.sessionId;
}

function userOf({ pathUserId, url }: ObservedRequest, caller: LoggedCaller): string | null {
  if ('userId' in caller) return caller.userId;
  if (pathUserId !== undefined) return parseUserId(pathUserId);
  const named = url.indexOf('user_id=');
  return named === -1 ? null : parseUserId(url.slice(named + 8, named + 44));
}

/** The path names only ids; values of the query are kept if they cannot describe a person. */
function hidePersonalValues(url: string): string {
  const start = url.indexOf('?');
  const path =
    start === -1
      ? hideIds(url)
      : hideIds(url.slice(0, start)) + shownQueries.getOrInsertComputed(url.slice(start), hideQuery);
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}${HIDDEN}` : path;
}

function hideIds(path: string): string {
  return path.includes('-') ? path.replace(UUIDS, '{id}') : path;
}

function hideQuery(query: string): string {
  const shown = query
    .slice(1)
    .split('&')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return !pair.includes('=') || (PLAIN_VALUE.test(value) && !PERSONAL_PARAMETERS.test(name))
        ? pair
        : `${name}=${HIDDEN}`;
    })
    .join('&');
  return `?${shown.replace(UUIDS, '{id}')}`;
}
