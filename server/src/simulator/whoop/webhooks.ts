// A webhook for each new, changed or deleted sleep, recovery and workout, sent to the URL of the dashboard. Cycles have
// none.
import { createHash, createHmac } from 'node:crypto';
import type { WebhookDialect } from '../dialect.ts';
import { exactNumber } from '../exact-number.ts';
import { nameUuid } from '../names.ts';
import { COLLECTIONS } from './collections.ts';
import { userIdOf } from './record.ts';

export const whoopWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to))
      for (const { kind, list } of COLLECTIONS)
        for (const { id, body } of kind === null ? [] : list(view, day))
          yield {
            kind: String(kind),
            id,
            date: day.date,
            version: createHash('sha256').update(JSON.stringify(body)).digest('base64url'),
          };
  },
  write(changes, view, context) {
    const { webhookUrl: url } = context;
    if (url === null) return [];
    const at = String(context.now().getTime());
    return changes.map(({ type, record }) => {
      const event = `${record.kind}.${type === 'deleted' ? 'deleted' : 'updated'}`;
      const body = JSON.stringify({
        user_id: exactNumber(userIdOf(view)),
        id: record.id,
        type: event,
        trace_id: nameUuid('whoop', view.account.seed, event, record.id, at),
      });
      const signature = createHmac('sha256', context.client.clientSecret).update(at).update(body).digest('base64');
      return {
        provider: 'whoop',
        account: view.account.seed,
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'x-whoop-signature': signature,
          'x-whoop-signature-timestamp': at,
        },
        body,
      };
    });
  },
};
