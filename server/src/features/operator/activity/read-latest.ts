// The newest events of an environment, page by page into the past.
import { parseUserId } from '../../../domain/tenancy.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { type EventType, listLatestEvents } from '../../notify/events/index.ts';
import { type DescribedEvent, describeEvents } from './describe-events.ts';

export type LatestInput = {
  readonly before: number | null;
  readonly types: readonly EventType[] | null;
  readonly userId: string | null;
  readonly limit: number;
};
export type LatestPage = { readonly events: readonly DescribedEvent[]; readonly hasMore: boolean };

export async function readLatest(
  { services: { db }, caller }: { services: Pick<Services, 'db'>; caller: MemberCaller },
  input: LatestInput,
): Promise<LatestPage> {
  const userId = input.userId === null ? null : parseUserId(input.userId);
  if (input.userId !== null && userId === null) return { events: [], hasMore: false };
  const found = await listLatestEvents(db, caller.tenant, { ...input, userId, limit: input.limit + 1 });
  return { events: await describeEvents(db, found.slice(0, input.limit)), hasMore: found.length > input.limit };
}
