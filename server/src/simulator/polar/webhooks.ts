// An event for each new or changed training, night and day. Deletions are not reported.

import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { ProviderContext } from '../provider-context.ts';
import type { WebhookRecord } from '../reported-changes.ts';
import { nameExercise } from './exercises.ts';
import { findNight } from './nights.ts';
import { isRegistered, userIdOf } from './registration.ts';
import { signedPush } from './signed-push.ts';
import { eventsOf, findActiveWebhook } from './webhook-routes.ts';

const PATHS: Readonly<Record<string, string>> = {
  EXERCISE: '/v3/exercises',
  SLEEP: '/v3/users/sleep',
  CONTINUOUS_HEART_RATE: '/v3/users/continuous-heart-rate',
  ACTIVITY_SUMMARY: '/v3/users/activities',
};

export const polarWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to)) yield* listOfDay(view, day);
  },
  write(changes, view, context) {
    const webhook = findActiveWebhook(context);
    if (webhook === null || !isRegistered(view.account, context)) return [];
    const events = eventsOf(webhook);
    return changes
      .filter(({ type, record }) => type !== 'deleted' && events.includes(record.kind))
      .map(({ record }) =>
        signedPush({
          url: webhook.callbackUrl,
          secret: webhook.secret ?? '',
          account: view.account.seed,
          event: writeEvent(record, view, context),
        }),
      );
  },
};

function* listOfDay(view: AccountView, day: AccountDay): Iterable<WebhookRecord> {
  const { date } = day;
  for (const workout of day.workouts)
    yield { kind: 'EXERCISE', id: nameExercise(view, workout), date, version: hash(workout) };
  const night = findNight(day);
  if (night !== null) yield { kind: 'SLEEP', id: date, date, version: hash(night) };
  if (day.untilMs <= day.lived.fromMs) return;
  const version = day.isOver ? 'over' : `hour ${Math.floor(day.untilMs / HOUR_MS)}`;
  yield { kind: 'CONTINUOUS_HEART_RATE', id: date, date, version };
  yield { kind: 'ACTIVITY_SUMMARY', id: date, date, version };
}

/** Days are identified by date, training by id. */
function writeEvent({ kind, id }: WebhookRecord, { account }: AccountView, { baseUrl, now }: ProviderContext) {
  return {
    event: kind,
    user_id: userIdOf(account),
    ...(kind === 'EXERCISE' ? { entity_id: id } : { date: id }),
    timestamp: `${now().toISOString().slice(0, 19)}Z`,
    url: `${baseUrl}${PATHS[kind]}/${id}`,
  };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
