// Sends a test event to a webhook, so that you can try out a receiver. It is sent once and is not in the feed.
import type { UserId } from '../../../domain/tenancy.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { type EventType, writeEvent } from '../events/index.ts';
import type { Delivery } from './delivery.ts';
import { insertTestDelivery } from './delivery-store.ts';
import { lockWebhookOrThrow, requireActive } from './find-webhook.ts';
import type { Webhook } from './webhook.ts';
import { ALL_EVENTS } from './webhook.ts';

const TEST_USER = '00000000-0000-0000-0000-000000000000' as UserId;

export async function sendTest(
  { services, caller }: { services: Pick<Services, 'clock' | 'db'>; caller: AccountCaller },
  input: { readonly id: string; readonly type: EventType | null },
): Promise<Delivery> {
  const now = services.clock.now();
  return services.db.transaction(async (tx) => {
    const webhook = await lockWebhookOrThrow(tx, caller.tenant, input.id);
    requireActive(webhook);
    const type = input.type ?? firstType(webhook);
    const eventId = newId<string>();
    const id = newId<string>();
    const body = writeTestEvent(eventId, type, now);
    await insertTestDelivery(tx, caller.tenant, { webhookId: webhook.id, id, type, eventId, body }, now);
    return {
      id,
      webhookId: webhook.id,
      eventId,
      eventType: type,
      isTest: true,
      status: 'pending',
      createdAt: now,
      nextAttemptAt: now,
      attempts: [],
    };
  });
}

function firstType({ events }: Webhook): EventType {
  return events.find((name) => name !== ALL_EVENTS) ?? 'data.updated';
}

function writeTestEvent(id: string, type: EventType, now: Date): string {
  const text = writeEvent({
    id,
    type,
    userId: TEST_USER,
    deviceId: null,
    metrics: [],
    fromDate: null,
    toDate: null,
    hasDeletions: false,
    failureReason: null,
    createdAt: now,
  });
  return `${text.slice(0, -1)},"test":true}`;
}
