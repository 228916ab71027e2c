// Updates a webhook. Pausing holds its deliveries, enabling sends those that are not too old, and deliveries of event types
// that were unsubscribed fail.
import type { Transaction } from '../../../platform/db/database.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { holdApiKey } from '../../tenancy/accounts/index.ts';
import { awaitClaimsEnd, awaitInFlightAttempts } from './await-in-flight.ts';
import { cancelWebhookDeliveries } from './cancel-deliveries.ts';
import { failOtherTypes } from './cancel-store.ts';
import { resumeQueue } from './delivery-store.ts';
import { lockWebhookOrThrow } from './find-webhook.ts';
import { SCHEDULE_MS } from './retry-schedule.ts';
import { saveCreator, saveWebhook } from './store.ts';
import type { Subscribed, Webhook, WebhookStatus } from './webhook.ts';
import { ALL_EVENTS } from './webhook.ts';
import { dropRepeatedEvents, readUrlOrThrow } from './webhook-fields.ts';

export type UpdateWebhookInput = {
  readonly id: string;
  readonly url?: string;
  readonly events?: readonly Subscribed[];
  readonly status?: WebhookStatus;
  readonly description?: string | null;
};

export async function updateWebhook(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'outbound'>; caller: AccountCaller },
  input: UpdateWebhookInput,
): Promise<Webhook> {
  const url = input.url === undefined ? undefined : readUrlOrThrow(services, input.url);
  const { before, after, wereClaimed } = await services.db.transaction(async (tx) => {
    await holdApiKey(tx, caller.keyId, services.clock.now());
    const before = await lockWebhookOrThrow(tx, caller.tenant, input.id);
    const after = applyChange(before, input, url);
    const isResumed = before.status === 'disabled' && after.status === 'active';
    await saveWebhook(tx, after, isResumed || after.url !== before.url);
    if (after.url !== before.url) await saveCreator(tx, after.id, caller.keyId);
    const isFiltered = !after.events.includes(ALL_EVENTS);
    const wereClaimed = isFiltered && (await failOtherTypes(tx, after.id, after.events)).wereClaimed;
    if (isResumed) await resume(services, tx, before);
    return { before, after, wereClaimed };
  });
  const isPaused = before.status === 'active' && after.status === 'disabled';
  if (wereClaimed) await awaitClaimsEnd();
  else if (isPaused || after.url !== before.url) await awaitInFlightAttempts(services, after.id);
  return after;
}

/** Deliveries held while the key was revoked are not sent, because an attacker may have set the URL. */
async function resume(
  { clock }: Pick<Services, 'clock'>,
  tx: Transaction,
  { id, disabledReason }: Webhook,
): Promise<void> {
  if (disabledReason === 'key_revoked') await cancelWebhookDeliveries(tx, [id]); // a delivery whose attempt was in flight
  await resumeQueue(tx, id, new Date(clock.now().getTime() - SCHEDULE_MS));
}

function applyChange(webhook: Webhook, change: UpdateWebhookInput, url = webhook.url): Webhook {
  const status = change.status ?? webhook.status;
  return {
    ...webhook,
    url,
    events: change.events ? dropRepeatedEvents(change.events) : webhook.events,
    description: change.description === undefined ? webhook.description : change.description,
    status,
    disabledReason: status === 'active' ? null : (webhook.disabledReason ?? 'paused'),
  };
}
