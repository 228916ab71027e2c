// Changes a webhook. Pausing holds what waits; enabling sends what is not too old; what it no longer hears of is not sent.
import type { ApiKeyCaller } from '../../platform/http/caller.ts';
import type { Services } from '../../platform/services.ts';
import { holdApiKey } from '../accounts/index.ts';
import { ALL_EVENTS, awaitQuiet, failOtherTypes, resumeQueue, SCHEDULE_SPAN_MS } from '../deliveries/index.ts';
import { lockWebhookOrThrow } from './find-webhook.ts';
import { saveCreator, saveWebhook } from './store.ts';
import type { Subscribed, Webhook, WebhookStatus } from './webhook.ts';
import { readEvents, readUrlOrThrow } from './webhook-fields.ts';

export type UpdateWebhookInput = {
  readonly id: string;
  readonly url?: string;
  readonly events?: readonly Subscribed[];
  readonly status?: WebhookStatus;
  readonly description?: string | null;
};

export async function updateWebhook(
  { services, caller }: { services: Services; caller: ApiKeyCaller },
  input: UpdateWebhookInput,
): Promise<Webhook> {
  const url = input.url === undefined ? undefined : readUrlOrThrow(services, input.url);
  const { before, after } = await services.db.transaction(async (tx) => {
    await holdApiKey(tx, caller.keyId);
    const before = await lockWebhookOrThrow(tx, caller.tenant, input.id);
    const after = applyChange(before, input, url);
    const isResumed = before.status === 'disabled' && after.status === 'active';
    await saveWebhook(tx, after, isResumed || after.url !== before.url);
    if (after.url !== before.url) await saveCreator(tx, after.id, caller.keyId);
    if (!after.events.includes(ALL_EVENTS)) await failOtherTypes(tx, after.id, after.events);
    const tooOld = new Date(services.clock.now().getTime() - SCHEDULE_SPAN_MS);
    if (isResumed) await resumeQueue(tx, after.id, tooOld);
    return { before, after };
  });
  if (before.status === 'active' && after.status === 'disabled') await awaitQuiet(services, after.id);
  return after;
}

function applyChange(webhook: Webhook, change: UpdateWebhookInput, url = webhook.url): Webhook {
  const status = change.status ?? webhook.status;
  return {
    ...webhook,
    url,
    events: change.events ? readEvents(change.events) : webhook.events,
    description: change.description === undefined ? webhook.description : change.description,
    status,
    disabledReason: status === 'active' ? null : (webhook.disabledReason ?? 'paused'),
  };
}
