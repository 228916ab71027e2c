// Creates and finds accounts, and runs changes that cached credentials depend on.

import { type AccountId, isUuid } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { isUniqueViolation } from '../../../platform/db/database-errors.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import type { Actor } from './actor.ts';
import { insertAudit } from './audit-store.ts';
import { type Account, insertAccount, readAccountByName } from './store.ts';

type CreateServices = Pick<Services, 'clock' | 'settings'>;

export function createAccount(
  services: CreateServices & Pick<Services, 'db'>,
  name: string,
  by: Actor,
): Promise<Account> {
  return services.db.transaction((tx) => addAccount(services, tx, name, by));
}

/** The same within a transaction. */
export async function addAccount(services: CreateServices, tx: Transaction, name: string, by: Actor): Promise<Account> {
  checkAccountName(name);
  const [id, now, { newAccountForm: defaultForm }] = [newId<AccountId>(), services.clock.now(), services.settings];
  try {
    await insertAccount(tx, { id, name, defaultForm, now });
  } catch (error) {
    if (isUniqueViolation(error, 'accounts_name_key')) throw new AppError('name_taken', { details: { name } });
    throw error;
  }
  const entry = { at: now, actor: by, action: 'account.created', subject: id, details: { name } };
  await insertAudit(tx, { accountId: id, environment: null, ...entry });
  const unset = { logoUrl: null, redirectSchemes: [], keepsRoutes: false, closedAt: null };
  return { id, name, billing: 'active', defaultForm, createdAt: now, ...unset };
}

/** A name like an id could take the place of the account that has the id. */
export function checkAccountName(name: string): void {
  if (!isUuid(name)) return;
  const issues = [{ path: 'name', message: 'must not be a UUID, because commands find accounts by name or id' }];
  throw new AppError('invalid_body', { details: { issues } });
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
