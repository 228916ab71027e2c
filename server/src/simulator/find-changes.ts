// Finds records that are new, changed or deleted since the last comparison of an account.
import { addDays } from '../domain/time/calendar.ts';
import type { AccountView } from './account-view.ts';
import type { WebhookDialect } from './dialect.ts';
import type { Change, WebhookRecord } from './reported-changes.ts';

/** Devices that were offline send the last days at once; polling finds older changes. */
const WEBHOOK_DAYS = 3;

type Reported = ReadonlyMap<string, WebhookRecord>;

/** `before` null: the account was not compared before, so nothing counts as a change. */
export function findChanges(
  webhooks: WebhookDialect,
  view: AccountView,
  before: Reported | null,
): { reported: Reported; changes: Change[] } {
  const days = { from: addDays(view.today, 1 - WEBHOOK_DAYS), to: view.today };
  const reported = new Map([...webhooks.list(view, days)].map((one) => [`${one.kind}/${one.id}`, one]));
  if (before === null) return { reported, changes: [] };
  const changes: Change[] = [];
  for (const [name, record] of reported) {
    const known = before.get(name);
    if (known === undefined) changes.push({ type: 'created', record });
    else if (known.version !== record.version) changes.push({ type: 'updated', record });
  }
  for (const [name, record] of before)
    if (!reported.has(name) && record.date >= days.from) changes.push({ type: 'deleted', record });
  return { reported, changes };
}
