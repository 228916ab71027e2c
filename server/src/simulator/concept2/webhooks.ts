// A webhook for each new, changed or deleted result, sent to the URL of the developer portal and not signed. A deletion does not name
// its user.
import { createHash } from 'node:crypto';
import type { WebhookDialect } from '../dialect.ts';
import type { Change } from '../reported-changes.ts';
import { listResults, type Result } from './results.ts';

const EVENTS: Readonly<Record<Change['type'], string>> = {
  created: 'result-added',
  updated: 'result-updated',
  deleted: 'result-deleted',
};

export const concept2Webhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to))
      for (const { id, body } of listResults(view, day)) {
        const version = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
        yield { kind: 'result', id: String(id), date: day.date, version };
      }
  },
  write(changes, view, { webhookUrl: url }) {
    if (url === null) return [];
    const results = view.days(view.firstDate, view.today).flatMap((day) => listResults(view, day));
    return changes.map((change) => ({
      provider: 'concept2',
      account: view.account.seed,
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: writeEvent(change, results) }),
    }));
  },
};

function writeEvent({ type, record }: Change, results: readonly Result[]) {
  const found = results.find(({ id }) => String(id) === record.id);
  return { type: EVENTS[type], ...(found === undefined ? { result_id: Number(record.id) } : { result: found.body }) };
}
