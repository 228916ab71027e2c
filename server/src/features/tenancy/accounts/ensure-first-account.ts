// The first start makes an account and a key for each environment, so that a newcomer can call the API at once.
import type { Environment } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
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
    const environments: Environment[] = services.settings.isSandboxOn ? ['sandbox', 'live'] : ['live'];
    const keys: NewApiKey[] = [];
    for (const environment of environments) keys.push(await createApiKey(services, name, environment));
    return keys;
  });
}
