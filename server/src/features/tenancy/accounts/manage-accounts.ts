// Creates and finds accounts, and runs changes that cached credentials depend on.

import type { AccountId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { isUniqueViolation } from '../../../platform/db/database-errors.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { type Account, insertAccount, readAccountByName } from './store.ts';

export async function createAccount(
  services: Pick<Services, 'clock' | 'db' | 'settings'>,
  name: string,
): Promise<Account> {
  const account = {
    id: newId<AccountId>(),
    name,
    defaultForm: services.settings.newAccountForm,
    now: services.clock.now(),
  };
  try {
    await services.db.transaction((tx) => insertAccount(tx, account));
  } catch (error) {
    if (isUniqueViolation(error, 'accounts_name_key')) throw new AppError('name_taken', { details: { name } });
    throw error;
  }
  return {
    id: account.id,
    name,
    billing: 'active',
    defaultForm: account.defaultForm,
    createdAt: account.now,
    logoUrl: null,
    redirectSchemes: [],
    closedAt: null,
  };
}

/** `name` is the name or the id of the account. */
export async function getAccountOrThrow(services: Pick<Services, 'db'>, name: string): Promise<Account> {
  const account = await readAccountByName(services.db, name);
  if (!account) throw notFound('Account', { account: name });
  return account;
}

/** Runs a change and then invalidates cached credentials. */
export async function changeCredentials<Result>(
  services: Pick<Services, 'credentialVersion' | 'db'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const result = await services.db.transaction(async (tx) => {
    const changed = await work(tx);
    await services.credentialVersion.bump(tx);
    return changed;
  });
  await services.credentialVersion.refresh();
  return result;
}
