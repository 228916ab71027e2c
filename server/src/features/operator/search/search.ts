// Finds what a text can mean: users, webhooks, and events, deliveries and requests by their id.
import { isUuid, type Tenant } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { findEvent } from '../../notify/events/index.ts';
import { findDelivery, listWebhooks } from '../../notify/webhooks/index.ts';
import { findUsers } from '../../people/user-directory/index.ts';
import { listUsersById, type User } from '../../tenancy/user-core/index.ts';

export const FOUND_KINDS = ['user', 'webhook', 'event', 'delivery', 'request'] as const;
export type Found = {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** Of the page, below the environment. */
  readonly path: string;
};

const MAX_USERS = 8;
const MAX_WEBHOOKS = 5;

type Context = { readonly services: Pick<Services, 'db'>; readonly caller: AccountCaller };

export async function search({ services: { db }, caller: { tenant } }: Context, text: string): Promise<Found[]> {
  if (text === '') return [];
  if (/^req_\w+$/.test(text)) return [describeRequest(text)];
  const [users, webhooks, ofId] = await Promise.all([
    searchUsers(db, tenant, text),
    searchWebhooks(db, tenant, text),
    isUuid(text) ? searchId(db, tenant, text.toLowerCase()) : [],
  ]);
  return [...users, ...webhooks, ...ofId];
}

/** Not looked up: the page of requests says whether it still has this one. */
function describeRequest(id: string): Found {
  return { kind: 'request', id, title: id, subtitle: 'Request', path: `requests/${id}` };
}

async function searchUsers(db: Queryable, tenant: Tenant, text: string): Promise<Found[]> {
  const { ids, emails } = await findUsers(db, tenant, text, MAX_USERS);
  const users = await listUsersById(db, tenant, ids);
  return users.map(({ user }) => ({
    kind: 'user',
    id: user.id,
    title: user.referenceId,
    subtitle: emails.get(user.id) ?? findMatch(user, text) ?? user.id,
    path: `users/${user.id}`,
  }));
}

/** The metadata that the text matches, so that the list shows why it has the user. */
function findMatch({ metadata }: User, text: string): string | null {
  const wanted = text.toLowerCase();
  const match = Object.entries(metadata).find(([, value]) => value.toLowerCase().includes(wanted));
  return match === undefined ? null : match.join(': ');
}

async function searchWebhooks(db: Queryable, tenant: Tenant, text: string): Promise<Found[]> {
  const wanted = text.toLowerCase();
  const webhooks = await listWebhooks(db, tenant);
  return webhooks
    .filter(({ id, url }) => id.startsWith(wanted) || url.toLowerCase().includes(wanted))
    .slice(0, MAX_WEBHOOKS)
    .map(({ id, url, description, status }) => ({
      kind: 'webhook',
      id,
      title: url,
      subtitle: description ?? (status === 'active' ? 'Active webhook' : 'Disabled webhook'),
      path: `webhooks/${id}`,
    }));
}

async function searchId(db: Queryable, tenant: Tenant, id: string): Promise<Found[]> {
  const [event, delivery] = await Promise.all([findEvent(db, tenant, id), findDelivery(db, tenant, id)]);
  return [
    ...(event === null
      ? []
      : [
          {
            kind: 'event' as const,
            id,
            title: event.type,
            subtitle: formatInstant(event.publishedAt),
            path: `events?event=${id}`,
          },
        ]),
    ...(delivery === null
      ? []
      : [
          {
            kind: 'delivery' as const,
            id,
            title: delivery.eventType,
            subtitle: `Delivery, ${delivery.status}`,
            path: `webhooks/${delivery.webhookId}?delivery=${id}`,
          },
        ]),
  ];
}
