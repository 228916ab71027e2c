// Deliveries over all webhooks, and one of them with its body and the headers of each attempt, for the dashboard.
import { isUuid, parseUserId } from '../../../domain/tenancy.ts';
import { notFound } from '../../../platform/errors.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import { type CursorPage, readCursorPage } from '../../../platform/http/cursor-page.ts';
import type { Services } from '../../../platform/services.ts';
import { findUserByReference } from '../../tenancy/user-core/index.ts';
import type { Attempt } from './delivery.ts';
import { writeDeliveryRequest } from './delivery-request.ts';
import {
  type DeliverySearch,
  type FoundDelivery,
  findInspectedDelivery,
  readSealedWebhook,
  searchDeliveries,
} from './delivery-search-store.ts';
import { openSecrets } from './signature.ts';

export type SearchInput = Omit<DeliverySearch, 'before' | 'userId'> & {
  /** The id or the reference of a user. */
  readonly user: string | null;
  readonly cursor: string | null;
};
export type InspectedDelivery = {
  readonly delivery: FoundDelivery;
  readonly url: string;
  readonly attempts: readonly (Attempt & { readonly headers: Readonly<Record<string, string>> })[];
};

type Context<Names extends keyof Services> = {
  readonly services: Pick<Services, 'db' | Names>;
  readonly caller: MemberCaller;
};

export async function searchAllDeliveries(
  { services, caller }: Context<'cursors'>,
  { cursor, limit, user, ...search }: SearchInput,
): Promise<CursorPage<FoundDelivery>> {
  const { tenant } = caller;
  const { db } = services;
  return readCursorPage(
    services.cursors,
    { scope: `all deliveries/${tenant.accountId}/${tenant.environment}`, cursor, limit },
    async (position, rows) => {
      const userId = user === null ? null : (parseUserId(user) ?? (await findUserByReference(db, tenant, user)));
      if (user !== null && userId === null) return [];
      const before = position && (position[0] as string);
      return searchDeliveries(db, tenant, { ...search, userId, before, limit: rows });
    },
    ({ id }) => [id],
  );
}

/** Signatures are not stored. They are made again for display, with the secrets that are in force now. */
export async function inspectDelivery(
  { services, caller }: Context<'clock' | 'secrets' | 'settings'>,
  { id }: { readonly id: string },
): Promise<InspectedDelivery> {
  const delivery = isUuid(id) ? await findInspectedDelivery(services.db, caller.tenant, id.toLowerCase()) : null;
  const webhook = delivery && (await readSealedWebhook(services.db, delivery.webhookId));
  if (!delivery || !webhook) throw notFound('Delivery', { delivery_id: id });
  const { webhookId, eventId, body } = delivery;
  const keys = openSecrets(services.secrets, { ...webhook, webhookId }, services.clock.now());
  const { version } = services.settings;
  const attempts = delivery.attempts.map((attempt) => {
    const message = { id: eventId, at: attempt.at, body: body ?? '' };
    const { headers } = writeDeliveryRequest(keys, message, { version, timeoutMs: 0 });
    return { ...attempt, headers: headers as Record<string, string> };
  });
  return { delivery, url: webhook.url, attempts };
}
