// The services as the operations of one account use them: with its share of the connections to the database.
import { limitConnections } from '../db/account-database.ts';
import type { Services } from '../services.ts';

const MAX_KNOWN_ACCOUNTS = 1_000; // forgotten and made again: nothing is kept in them

const known = new WeakMap<Services, Map<string, Services>>();

export function servicesOfAccount(services: Services, account: string): Services {
  const byAccount = known.getOrInsertComputed(services, () => new Map());
  if (byAccount.size > MAX_KNOWN_ACCOUNTS) byAccount.clear();
  return byAccount.getOrInsertComputed(account, () => ({
    ...services,
    db: limitConnections(services.db, services.shares, account),
  }));
}
