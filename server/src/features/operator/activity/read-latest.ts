// The newest events of an environment, page by page into the past, and one event by its id.
import { isUuid, parseUserId, type Tenant, type UserId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { type EventType, findEvent, listLatestEvents } from '../../notify/events/index.ts';
import { findUsers } from '../../people/user-directory/index.ts';
import { type DescribedEvent, describeEvents } from './describe-events.ts';

export type LatestInput = {
  readonly before: number | null;
  readonly types: readonly EventType[] | null;
  readonly userId: string | null;
  /** Finds users as the list of users does. */
  readonly text: string | null;
  readonly limit: number;
};
export type LatestPage = {
  readonly events: readonly DescribedEvent[];
  readonly hasMore: boolean;
  /** Null: of all users. */
  readonly userIds: readonly UserId[] | null;
};

type Context = { readonly services: Pick<Services, 'db'>; readonly caller: MemberCaller };

const MAX_FOUND_USERS = 100;

export async function readLatest({ services: { db }, caller }: Context, input: LatestInput): Promise<LatestPage> {
  const userIds = await findUserIds(db, caller.tenant, input);
  if (userIds?.length === 0) return { events: [], hasMore: false, userIds };
  const found = await listLatestEvents(db, caller.tenant, { ...input, userIds, limit: input.limit + 1 });
  return {
    events: await describeEvents(db, found.slice(0, input.limit)),
    hasMore: found.length > input.limit,
    userIds,
  };
}

export async function readEvent(
  { services: { db }, caller: { tenant } }: Context,
  id: string,
): Promise<DescribedEvent> {
  const found = isUuid(id) ? await findEvent(db, tenant, id.toLowerCase()) : null;
  if (found === null) throw notFound('event', { id });
  const latest = await listLatestEvents(db, tenant, {
    before: found.position + 1,
    types: null,
    userIds: null,
    limit: 1,
  });
  const [event] = await describeEvents(db, latest);
  if (event?.position !== found.position) throw notFound('event', { id });
  return event;
}

async function findUserIds(
  db: Queryable,
  tenant: Tenant,
  { userId, text }: LatestInput,
): Promise<readonly UserId[] | null> {
  const found = text === null ? null : (await findUsers(db, tenant, text, MAX_FOUND_USERS)).ids;
  if (userId === null) return found;
  const wanted = parseUserId(userId);
  return wanted !== null && (found === null || found.includes(wanted)) ? [wanted] : [];
}
