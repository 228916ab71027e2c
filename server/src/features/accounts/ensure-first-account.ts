// The first start makes an account and its two keys, so that a newcomer can call the API at once.
import type { Services } from '../../platform/services.ts';
import { createAccount } from './manage-accounts.ts';
import { createApiKey, type NewApiKey } from './manage-keys.ts';
import { hasAnyAccount, hasAnyApiKey, lockFirstStart } from './store.ts';

/** The new keys, or none on every later start. A start that died before showing them makes them anew. */
export function ensureFirstAccount(services: Services, name: string): Promise<NewApiKey[]> {
  // Processes that start together take turns, so that only one of them shows keys, and both of those work.
  return services.db.transaction(async (tx) => {
    await lockFirstStart(tx);
    if (await hasAnyApiKey(services.db)) return [];
    if (!(await hasAnyAccount(services.db))) await createAccount(services, name);
    return [await createApiKey(services, name, 'sandbox'), await createApiKey(services, name, 'live')];
  });
}
