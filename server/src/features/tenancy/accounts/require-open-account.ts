// Throws if the account is closed. Every credential of an account is checked with it.
import { formatInstant } from '../../../domain/time/calendar.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Account } from './store.ts';

export function requireOpenAccount({ closedAt }: Pick<Account, 'closedAt'>): void {
  if (closedAt !== null) throw new AppError('account_closed', { details: { closed_at: formatInstant(closedAt) } });
}
