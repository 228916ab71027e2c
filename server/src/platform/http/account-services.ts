// The services for operations of one account, with the account's share of database connections.
import { createBoundedMap } from '../../domain/bounded-map.ts';
import { limitConnections } from '../db/account-database.ts';
import type { Services } from '../services.ts';

const MAX_KNOWN_ACCOUNTS = 1_000; // a cache entry has no state, so it can be dropped and created again

const known = new WeakMap<Services, Map<string, Services>>();

export function servicesOfAccount(services: Services, account: string): Services {
  const byAccount = known.getOrInsertComputed(services, () => createBoundedMap(MAX_KNOWN_ACCOUNTS));
  return byAccount.getOrInsertComputed(account, () => ({
    ...services,
    db: limitConnections(services.db, services.shares, account),
  }));
}
