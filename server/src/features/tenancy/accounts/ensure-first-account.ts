// Creates an account and a key per environment on the first start, so that the API can be called right away.
import type { Environment } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import { FIRST_START } from './actor.ts';
import { hasAnyApiKey } from './key-store.ts';
import { createAccount } from './manage-accounts.ts';
import { createApiKey, type NewApiKey } from './manage-keys.ts';
import { hasAnyAccount, lockFirstStart } from './store.ts';

/** Returns the new keys, or none on later starts. If a start crashes before it prints the keys, the next one creates new keys. */
export function ensureFirstAccount(
  services: Pick<Services, 'clock' | 'credentialVersion' | 'db' | 'settings'>,
  name: string,
): Promise<NewApiKey[]> {
  // Locked, so that of several processes that start together only one creates and prints keys.
  return services.db.transaction(async (tx) => {
    await lockFirstStart(tx);
    if (await hasAnyApiKey(services.db)) return [];
    if (!(await hasAnyAccount(services.db))) await createAccount(services, name, FIRST_START);
    const environments: Environment[] = services.settings.isSandboxOn ? ['sandbox', 'live'] : ['live'];
    const keys: NewApiKey[] = [];
    for (const environment of environments)
      keys.push(await createApiKey(services, { account: name, environment }, FIRST_START));
    return keys;
  });
}
