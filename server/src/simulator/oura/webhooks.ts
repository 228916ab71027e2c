// A webhook for each new, changed or deleted document, signed with the client secret.

import { createHash, createHmac } from 'node:crypto';
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountDay } from '../account-view.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { Push } from '../push-queue.ts';
import type { Change } from '../reported-changes.ts';
import { COLLECTIONS, type Collection } from './collections.ts';
import { type OuraDocument, userIdOf } from './document.ts';
import { topicOf } from './subscription-routes.ts';

const EVENT_TYPES = { created: 'create', updated: 'update', deleted: 'delete' } as const;

export const ouraWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to))
      for (const collection of COLLECTIONS)
        for (const document of collection.list(view, day))
          yield {
            kind: collection.name,
            id: document.id,
            date: day.date,
            version: versionOf(collection, day, document),
          };
  },
  write: (changes, view, context) =>
    changes.flatMap((change) => {
      const topic = topicOf(change.record.kind, EVENT_TYPES[change.type]);
      const requested = context.subscriptions.list(context.now()).filter((one) => one.topic === topic);
      const body = writeEvent(change, userIdOf(view), context.now());
      const at = String(Math.floor(context.now().getTime() / 1_000));
      return requested.map(({ callbackUrl }): Push => {
        const signature = createHmac('sha256', context.client.clientSecret).update(at).update(body).digest('hex');
        return {
          provider: 'oura',
          account: view.account.seed,
          method: 'POST',
          url: callbackUrl,
          headers: {
            'content-type': 'application/json',
            'x-oura-signature': signature.toUpperCase(),
            'x-oura-timestamp': at,
          },
          body,
        };
      });
    }),
};

function writeEvent({ type, record }: Change, userId: string, now: Date): string {
  return JSON.stringify({
    event_type: EVENT_TYPES[type],
    data_type: record.kind,
    object_id: record.id,
    event_time: `${now.toISOString().slice(0, -5)}+00:00`,
    user_id: userId,
  });
}

function versionOf({ isGrowing }: Collection, day: AccountDay, document: OuraDocument): string {
  if (isGrowing && !day.isOver) return `hour ${Math.floor(day.untilMs / HOUR_MS)}`;
  return createHash('sha256').update(JSON.stringify(document)).digest('base64url');
}
