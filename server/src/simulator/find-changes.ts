// What is new, changed or gone since an account was last looked at.
import { addDays } from '../domain/time/calendar.ts';
import type { AccountView } from './account-view.ts';
import type { WebhookDialect } from './dialect.ts';
import type { Change, Webhookd } from './reported-changes.ts';

/** Devices that were away for a while send the last days at once; what is changed further back is found by polling. */
export const WEBHOOKD_DAYS = 3;

export type Reported = ReadonlyMap<string, Webhookd>;

/** `before` null: the account was never looked at, and nothing of it is news. */
export function findChanges(
  webhooks: WebhookDialect,
  view: AccountView,
  before: Reported | null,
): { reported: Reported; changes: Change[] } {
  const days = { from: addDays(view.today, 1 - WEBHOOKD_DAYS), to: view.today };
  const reported = new Map([...webhooks.list(view, days)].map((one) => [`${one.kind}/${one.id}`, one]));
  if (before === null) return { reported, changes: [] };
  const changes: Change[] = [];
  for (const [name, noticed] of reported) {
    const known = before.get(name);
    if (known === undefined) changes.push({ type: 'created', noticed });
    else if (known.version !== noticed.version) changes.push({ type: 'updated', noticed });
  }
  for (const [name, noticed] of before)
    if (!reported.has(name) && noticed.date >= days.from) changes.push({ type: 'deleted', noticed });
  return { reported, changes };
}
