// Webhooks for new workouts, and for 24/7 data, which they contain. A workout that the user changed is not reported.

import { createHash, createHmac } from 'node:crypto';
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountView } from '../account-view.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { Change } from '../reported-changes.ts';
import { listActivity, listSleeps } from './all-day.ts';
import { userNameOf } from './oauth.ts';
import { listWorkouts } from './workouts.ts';

const WORKOUT = 'WORKOUT_CREATED';
const SLEEP = 'SUUNTO_247_SLEEP_CREATED';
const ACTIVITY = 'SUUNTO_247_ACTIVITY_CREATED';

export const suuntoWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to)) {
      const { date } = day;
      for (const { key, body } of listWorkouts(view, day)) yield { kind: WORKOUT, id: key, date, version: hash(body) };
      for (const { startMs, body } of listSleeps(view, day))
        yield { kind: SLEEP, id: String(startMs), date, version: hash(body) };
      if (day.untilMs > day.lived.fromMs)
        yield { kind: ACTIVITY, id: date, date, version: `hour ${Math.floor(day.untilMs / HOUR_MS)}` };
    }
  },
  write(changes, view, { client, webhookUrl: url }) {
    if (url === null) return [];
    return changes.flatMap((change) => {
      const content = writeContent(change, view);
      if (content === null) return [];
      const body = JSON.stringify({ type: change.record.kind, username: userNameOf(view.account), ...content });
      const signature = createHmac('sha256', client.extras?.notification_secret ?? '')
        .update(body)
        .digest('hex');
      return {
        provider: 'suunto',
        account: view.account.seed,
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', 'x-hmac-sha256-signature': signature },
        body,
      };
    });
  },
};

/** Null: Suunto sends nothing about it. */
function writeContent({ type, record: { kind, id, date } }: Change, view: AccountView): object | null {
  const day = view.day(date);
  if (day === null || type === 'deleted' || (kind === WORKOUT && type !== 'created')) return null;
  if (kind === WORKOUT) {
    const { stopTime: _notYet, gear, ...workout } = listWorkouts(view, day).find(({ key }) => key === id)?.body ?? {};
    return { workout, gear };
  }
  if (kind === ACTIVITY) return { samples: listActivity(view, day).map(({ body }) => body) };
  const sleeps = listSleeps(view, day).filter(({ startMs }) => String(startMs) === id);
  return { samples: sleeps.map(({ body }) => body) };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
