// What is new, changed or gone since an account was last looked at.
import { addDays } from '../domain/time/calendar.ts';
import type { AccountView } from './account-view.ts';
import type { NoticeDialect } from './dialect.ts';
import type { Change, Noticed } from './noticed.ts';

/** Devices that were away for a while send the last days at once; what is changed further back is found by polling. */
export const NOTICED_DAYS = 3;

export type Told = ReadonlyMap<string, Noticed>;

/** `before` null: the account was never looked at, and nothing of it is news. */
export function findChanges(
  notices: NoticeDialect,
  view: AccountView,
  before: Told | null,
): { told: Told; changes: Change[] } {
  const days = { from: addDays(view.today, 1 - NOTICED_DAYS), to: view.today };
  const told = new Map([...notices.list(view, days)].map((one) => [`${one.kind}/${one.id}`, one]));
  if (before === null) return { told, changes: [] };
  const changes: Change[] = [];
  for (const [name, noticed] of told) {
    const known = before.get(name);
    if (known === undefined) changes.push({ type: 'created', noticed });
    else if (known.version !== noticed.version) changes.push({ type: 'updated', noticed });
  }
  for (const [name, noticed] of before)
    if (!told.has(name) && noticed.date >= days.from) changes.push({ type: 'deleted', noticed });
  return { told, changes };
}
