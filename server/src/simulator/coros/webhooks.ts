// A webhook for new workouts, with the client's credentials in its headers. It is not signed.
import type { WebhookDialect } from '../dialect.ts';
import { openIdOf } from './oauth.ts';
import { labelIdOf, writeSport } from './records.ts';

export const corosWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to))
      for (const workout of day.workouts)
        yield { kind: 'sport', id: String(labelIdOf(view, workout)), date: day.date, version: 'recorded' };
  },
  write(changes, view, { client, webhookUrl: url }) {
    const created = changes.filter(({ type }) => type === 'created').map(({ record }) => record);
    if (url === null || created.length === 0) return [];
    const openId = openIdOf(view.account);
    const sportDataList = created.flatMap(({ id, date }) => {
      const workouts = view.day(date)?.workouts ?? [];
      const found = workouts.filter((workout) => String(labelIdOf(view, workout)) === id);
      return found.map((workout) => ({ openId, ...writeSport(view, workout) }));
    });
    return [
      {
        provider: 'coros',
        account: view.account.seed,
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', client: client.clientId, secret: client.clientSecret },
        body: JSON.stringify({ sportDataList }),
      },
    ];
  },
};
