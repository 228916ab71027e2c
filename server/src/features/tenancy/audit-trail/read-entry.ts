// Describes a read of a user's data for the audit trail.
import { parseUserId } from '../../../domain/tenancy.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { ObservedRequest } from '../../../platform/http/observed-request.ts';
import { READ_ACTION, type TrailFacts } from './trail-entry.ts';

type Reader = Pick<TrailFacts, 'account_id' | 'environment' | 'actor' | 'actor_id' | 'via'>;
type HealthRead = { readonly reader: Reader; readonly userId: string; readonly resource: string };

const USER_PART = ':user_id';
/** They return nothing about the health of the user. */
const WITHOUT_HEALTH_DATA: ReadonlySet<string> = new Set(['/admin/users/:user_id/imports']);
const FIRST_FAILURE = 400;

/** Null: the call read nothing about one user, or failed. */
export function describeRead(request: ObservedRequest): HealthRead | null {
  const { route, pathUserId, caller } = request;
  if (pathUserId === undefined || caller === null || request.status >= FIRST_FAILURE || !isRead(request)) return null;
  const reader = readerOf(caller);
  const userId = reader && parseUserId(pathUserId);
  return reader && userId && { reader, userId, resource: resourceOf(route) };
}

/** A preview shows the days that a change would alter; a change gets another status. */
function isRead({ method, route, status }: ObservedRequest): boolean {
  if (method === 'GET') return !WITHOUT_HEALTH_DATA.has(route);
  return route.endsWith('/consolidation') && status === 200;
}

function resourceOf(route: string): string {
  const rest = route.slice(route.indexOf(USER_PART) + USER_PART.length + 1);
  return rest === '' ? 'profile' : rest;
}

function readerOf(caller: Caller): Reader | null {
  if (caller.kind === 'operator')
    return { account_id: null, environment: null, actor: 'operator', actor_id: null, via: 'operator' };
  if (caller.kind !== 'api_key' && caller.kind !== 'user_token' && caller.kind !== 'member') return null;
  const { accountId, environment } = caller.tenant;
  return {
    account_id: accountId,
    environment,
    actor: caller.kind,
    actor_id:
      caller.kind === 'api_key' ? caller.keyId : caller.kind === 'user_token' ? caller.tokenId : caller.memberId,
    via: caller.kind === 'member' ? 'dashboard' : 'api',
  };
}

export function factsOf({ reader, resource }: HealthRead, requestId: string): TrailFacts {
  return { ...reader, request_id: requestId, action: READ_ACTION, subject: resource };
}
