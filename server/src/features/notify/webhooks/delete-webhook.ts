// Deletes a webhook. No attempt starts after the call returns; a job removes its deliveries.
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { awaitInFlightAttempts } from './await-in-flight.ts';
import { removeDeliveriesJob } from './delivery-jobs.ts';
import { parseWebhookIdOrThrow, webhookNotFound } from './find-webhook.ts';
import { deleteWebhook as deleteStored } from './store.ts';

export async function deleteWebhook(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'jobs'>; caller: AccountCaller },
  input: { readonly id: string },
): Promise<void> {
  const id = parseWebhookIdOrThrow(input.id);
  await services.db.transaction(async (tx) => {
    if (!(await deleteStored(tx, caller.tenant, id))) throw webhookNotFound(input.id);
    // After the outcomes of attempts in flight have been written.
    const runAt = new Date(Date.now() + LAST_ATTEMPTS_MS);
    await services.jobs.enqueue(tx, removeDeliveriesJob, { webhook_id: id }, { runAt });
  });
  await awaitInFlightAttempts(services, id);
}

const LAST_ATTEMPTS_MS = 20_000;
