// Describes a read of health data for the audit trail.
import { parseUserId } from '../../../domain/tenancy.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { ObservedRequest } from '../../../platform/http/observed-request.ts';
import { type OwnCall, personOf } from './own-entry.ts';
import { READ_ACTION, type TrailFacts } from './trail-entry.ts';

type Reader = Pick<TrailFacts, 'account_id' | 'environment' | 'actor' | 'actor_id' | 'via'>;
export type HealthRead = {
  readonly reader: Reader;
  readonly userIds: readonly string[];
  readonly isList: boolean;
  readonly resource: string;
  readonly requestId: string | null;
};

const USER_PART = ':user_id';
const FIRST_FAILURE = 400;

/** Null: the response has no health data, or the call failed. */
export function describeRead(request: ObservedRequest): HealthRead | null {
  const { id: requestId, route, caller, healthDataOf, pathUserId } = request;
  if (healthDataOf === 'nobody' || caller === null || request.status >= FIRST_FAILURE) return null;
  const reader = readerOf(caller);
  if (reader === null) return null;
  const read = { reader, resource: resourceOf(route), requestId };
  if (healthDataOf !== 'path_user') return { ...read, userIds: healthDataOf, isList: true };
  const userId = pathUserId === undefined ? null : parseUserId(pathUserId);
  return userId && { ...read, userIds: [userId], isList: false };
}

/** The rest of the path after the user; of a list, its name. */
function resourceOf(route: string): string {
  const start = route.indexOf(USER_PART);
  if (start === -1) return route.slice(route.lastIndexOf('/') + 1);
  const rest = route.slice(start + USER_PART.length + 1);
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

export function describeOwnRead(call: OwnCall, resource: string): HealthRead {
  return { reader: personOf(call), userIds: [call.userId], isList: false, resource, requestId: call.requestId };
}

export function factsOf({ reader, resource, requestId }: HealthRead): TrailFacts {
  return { ...reader, request_id: requestId, action: READ_ACTION, subject: resource };
}
