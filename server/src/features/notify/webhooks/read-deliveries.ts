// Lists the deliveries of a webhook with their attempts, and retries a delivery.
import { isUuid } from '../../../domain/tenancy.ts';
import { type AppError, notFound } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import type { Delivery, DeliveryStatus } from './delivery.ts';
import { listDeliveries, readDelivery } from './delivery-log-store.ts';
import { bringDeliveryForward } from './delivery-store.ts';
import { getWebhookOrThrow, lockWebhookOrThrow, requireActive } from './find-webhook.ts';

export type DeliveriesInput = {
  readonly id: string;
  readonly cursor: string | null;
  readonly limit: number;
  readonly status: DeliveryStatus | null;
};
export type DeliveryPage = { readonly deliveries: readonly Delivery[]; readonly nextCursor: string | null };

export async function readDeliveries(
  { services, caller }: { services: Pick<Services, 'cursors' | 'db'>; caller: AccountCaller },
  input: DeliveriesInput,
): Promise<DeliveryPage> {
  const webhook = await getWebhookOrThrow(services.db, caller.tenant, input.id);
  const scope = `deliveries/${webhook.id}/${input.status ?? ''}`;
  const before = input.cursor === null ? null : (services.cursors.decode(scope, input.cursor)[0] as string);
  const rows = await listDeliveries(services.db, webhook.id, { before, status: input.status, limit: input.limit + 1 });
  const deliveries = rows.slice(0, input.limit);
  const last = deliveries.at(-1);
  return {
    deliveries,
    nextCursor: rows.length > input.limit && last ? services.cursors.encode(scope, [last.id]) : null,
  };
}

export async function retryDelivery(
  { services, caller }: { services: Pick<Services, 'clock' | 'db'>; caller: AccountCaller },
  input: { readonly id: string; readonly deliveryId: string },
): Promise<Delivery> {
  return services.db.transaction(async (tx) => {
    const webhook = await lockWebhookOrThrow(tx, caller.tenant, input.id);
    const id = isUuid(input.deliveryId) ? input.deliveryId.toLowerCase() : null;
    if (id === null || !(await readDelivery(tx, webhook.id, id))) throw deliveryNotFound(input.deliveryId);
    requireActive(webhook);
    await bringDeliveryForward(tx, webhook.id, id, services.clock.now());
    const delivery = await readDelivery(tx, webhook.id, id);
    if (!delivery) throw deliveryNotFound(input.deliveryId);
    return delivery;
  });
}

function deliveryNotFound(id: string): AppError {
  return notFound('Delivery', { delivery_id: id });
}
