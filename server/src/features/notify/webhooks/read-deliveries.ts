// Lists the deliveries of a webhook with their attempts, and retries a delivery.
import { isUuid } from '../../../domain/tenancy.ts';
import { type AppError, notFound } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import { type CursorPage, readCursorPage } from '../../../platform/http/cursor-page.ts';
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

export async function readDeliveries(
  { services, caller }: { services: Pick<Services, 'cursors' | 'db'>; caller: AccountCaller },
  { id, cursor, limit, status }: DeliveriesInput,
): Promise<CursorPage<Delivery>> {
  const webhook = await getWebhookOrThrow(services.db, caller.tenant, id);
  return readCursorPage(
    services.cursors,
    { scope: `deliveries/${webhook.id}/${status ?? ''}`, cursor, limit },
    (position, rows) => {
      const before = position && (position[0] as string);
      return listDeliveries(services.db, webhook.id, { before, status, limit: rows });
    },
    (last) => [last.id],
  );
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
