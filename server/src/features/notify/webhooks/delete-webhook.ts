// Deletes a webhook. No attempt starts after the call returns; a job removes its deliveries.
import { SECOND_MS } from '../../../domain/time/durations.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { awaitInFlightAttempts } from './await-in-flight.ts';
import { removeDeliveriesJob } from './delivery-jobs.ts';
import { parseWebhookIdOrThrow, webhookNotFound } from './find-webhook.ts';
import { deleteWebhook as deleteStored } from './store.ts';

/** For the last attempts to begin (BEGIN_WITHIN_MS) and for their outcomes to be written. */
const OUTCOME_MS = 5 * SECOND_MS;

export async function deleteWebhook(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'jobs' | 'settings'>; caller: AccountCaller },
  input: { readonly id: string },
): Promise<void> {
  const id = parseWebhookIdOrThrow(input.id);
  await services.db.transaction(async (tx) => {
    if (!(await deleteStored(tx, caller.tenant, id))) throw webhookNotFound(input.id);
    const delayMs = services.settings.deliveryTimeoutMs + OUTCOME_MS;
    await services.jobs.enqueue(tx, removeDeliveriesJob, { webhook_id: id }, { delayMs });
  });
  await awaitInFlightAttempts(services, id);
}
