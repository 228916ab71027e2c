// An event for each new, changed or deleted activity, and one when the athlete revokes access. Not signed.
import { createHash } from 'node:crypto';
import type { AccountView } from '../account-view.ts';
import type { WebhookDialect } from '../dialect.ts';
import { exactNumber } from '../exact-number.ts';
import type { ProviderContext } from '../provider-context.ts';
import type { Push } from '../push-queue.ts';
import { listActivities } from './activities.ts';
import { athleteIdOf } from './athlete.ts';
import { findSubscription } from './subscription-routes.ts';

const ASPECTS = { created: 'create', updated: 'update', deleted: 'delete' } as const;

export const stravaWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    const canSeeAll = view.account.scopes.includes('activity:read_all');
    for (const day of view.days(from, to))
      for (const { id, isPrivate, workout } of listActivities(view, day))
        if (!isPrivate || canSeeAll)
          yield {
            kind: 'activity',
            id,
            date: day.date,
            version: createHash('sha256').update(JSON.stringify(workout)).digest('base64url'),
          };
  },
  write: (changes, view, context) =>
    changes.flatMap(({ type, record }) =>
      writePush(view, context, {
        object_type: 'activity',
        object_id: exactNumber(BigInt(record.id)),
        aspect_type: ASPECTS[type],
        updates: type === 'updated' ? { title: 'Edited' } : {},
      }),
    ),
  writeRevoked: (view, context) =>
    writePush(view, context, {
      object_type: 'athlete',
      object_id: exactNumber(athleteIdOf(view.account)),
      aspect_type: 'update',
      updates: { authorized: 'false' },
    }),
};

type Event = {
  readonly object_type: 'activity' | 'athlete';
  readonly object_id: unknown;
  readonly aspect_type: string;
  readonly updates: Readonly<Record<string, string>>;
};

function writePush({ account }: AccountView, context: ProviderContext, event: Event): Push[] {
  const subscription = findSubscription(context);
  if (subscription === null) return [];
  const body = JSON.stringify({
    ...event,
    owner_id: exactNumber(athleteIdOf(account)),
    subscription_id: Number(subscription.id),
    event_time: Math.floor(context.now().getTime() / 1_000),
  });
  return [
    {
      provider: 'strava',
      account: account.seed,
      method: 'POST',
      url: subscription.callbackUrl,
      headers: { 'content-type': 'application/json' },
      body,
    },
  ];
}
