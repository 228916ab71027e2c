// A webhook for each new or changed workout; deletions are not reported. The token of the portal is in the body.
import { createHash } from 'node:crypto';
import type { WebhookDialect } from '../dialect.ts';
import { listWorkouts, userIdOf } from './workouts.ts';

const PORTAL_TOKEN = 'token of the simulated portal';

export const wahooWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to))
      for (const { id, body } of listWorkouts(view, day)) {
        const version = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
        yield { kind: 'workout', id, date: day.date, version };
      }
  },
  write(changes, view, { webhookUrl: url }) {
    if (url === null) return [];
    return changes
      .filter(({ type }) => type !== 'deleted')
      .map(({ record }) => ({
        provider: 'wahoo',
        account: view.account.seed,
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          event_type: 'workout_summary',
          webhook_token: PORTAL_TOKEN,
          user: { id: userIdOf(view) },
          workout_summary: { id: Number(record.id) + 1, workout: { id: Number(record.id) } },
        }),
      }));
  },
};
