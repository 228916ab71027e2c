// Records that a member looked at the health data of a user: one audit entry per member, user and hour.
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { actorOf } from './actor.ts';
import { insertView } from './audit-store.ts';

const MAX_RECENT = 10_000; // without an entry, the database finds the repetition

const recent = createBoundedMap<string, true>(MAX_RECENT);

/** Call it before the data is returned. API keys are not recorded: programs read all the time. */
export async function recordLook(
  context: {
    readonly services: Pick<Services, 'clock' | 'db'>;
    readonly caller: AccountCaller;
    readonly requestId: string;
  },
  userId: UserId,
): Promise<void> {
  const { services, caller } = context;
  if (caller.kind !== 'member') return;
  const at = services.clock.now();
  const key = `${caller.memberId}:${userId}:${Math.floor(at.getTime() / HOUR_MS)}`;
  if (recent.has(key)) return;
  const entry = { at, actor: actorOf(context), action: 'user.viewed', subject: userId, userId };
  await insertView(services.db, { ...caller.tenant, ...entry });
  recent.set(key, true);
}
