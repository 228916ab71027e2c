// Sends deliveries again that have failed since a time, after a receiver was repaired.
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { getWebhookOrThrow, lockWebhookOrThrow, requireActive } from './find-webhook.ts';
import { countFailed, requeueFailed } from './recover-store.ts';

export type RecoverInput = { readonly id: string; readonly since: Date; readonly isDryRun: boolean };
export type Recovered = { readonly count: number; readonly isDryRun: boolean };

const BATCH_ROWS = 500; // the lock of the webhook is held for a few milliseconds

export async function recoverDeliveries(
  { services, caller }: { services: Pick<Services, 'clock' | 'db'>; caller: AccountCaller },
  { id, since, isDryRun }: RecoverInput,
): Promise<Recovered> {
  const webhook = await getWebhookOrThrow(services.db, caller.tenant, id);
  requireActive(webhook);
  const until = services.clock.now();
  if (isDryRun) return { count: await countFailed(services.db, webhook.id, since), isDryRun };
  let count = 0;
  for (let last: number | null = null; last === null || last === BATCH_ROWS; count += last) {
    last = await services.db.transaction(async (tx) => {
      requireActive(await lockWebhookOrThrow(tx, caller.tenant, id));
      return requeueFailed(tx, webhook.id, { since, until, limit: BATCH_ROWS });
    });
  }
  return { count, isDryRun };
}
