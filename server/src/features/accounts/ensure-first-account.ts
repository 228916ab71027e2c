// The first start makes an account and its two keys, so that a newcomer can call the API at once.
import { AppError } from '../../platform/errors.ts';
import type { Services } from '../../platform/services.ts';
import { createAccount } from './manage-accounts.ts';
import { createApiKey, type NewApiKey } from './manage-keys.ts';
import { hasAnyAccount, hasAnyApiKey } from './store.ts';

/** The new keys, or none on every later start. A start that died before showing them makes them anew. */
export async function ensureFirstAccount(services: Services, name: string): Promise<NewApiKey[]> {
  if (await hasAnyApiKey(services.db)) return [];
  if (!(await hasAnyAccount(services.db))) {
    await createAccount(services, name).catch((error) => {
      if (!(error instanceof AppError && error.code === 'name_taken')) throw error; // another process was first
    });
  }
  return [await createApiKey(services, name, 'sandbox'), await createApiKey(services, name, 'live')];
}
