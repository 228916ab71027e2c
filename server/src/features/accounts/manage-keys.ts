// Making and revoking API keys. The key itself is returned once and stored only as its hash.
import type { Environment, Tenant } from '../../domain/tenancy.ts';
import { hashToken } from '../../platform/crypto/opaque-token.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Services } from '../../platform/services.ts';
import { expiryOf, mintApiKey } from './api-key.ts';
import { changeCredentials, getAccountOrThrow } from './manage-accounts.ts';
import { countApiKeys, findKeyInForce, insertApiKey, lockAccount, revokeApiKey } from './store.ts';

export const DEFAULT_KEY_NAME = 'default';
const MAX_KEYS = 50; // of an environment: a key for each program of an organization, and some room

export type NewApiKey = {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly account: string;
  readonly expiresAt: Date;
  /** Id of the key that stopped for it. */
  readonly replaced: string | null;
};

/** Without a name: replaces the key of the environment, at once. With one: makes a key beside the others. */
export function createApiKey(
  services: Services,
  accountName: string,
  environment: Environment,
  name: string | null = null,
): Promise<NewApiKey> {
  return addKey(services, accountName, environment, name ?? DEFAULT_KEY_NAME, async (tx, tenant, inForce) => {
    if (name !== null && inForce !== null)
      throw new AppError('name_taken', { message: KEY_NAME_TAKEN, details: { name } });
    if (inForce === null && (await countApiKeys(tx, tenant)) >= MAX_KEYS)
      throw new AppError('key_limit', { details: { limit: MAX_KEYS } });
  });
}

const KEY_NAME_TAKEN = 'Another key of this environment has that name. Choose another one, or rotate that key.';

/** A new key of the same name; the one in force stops at once. */
export function rotateApiKey(
  services: Services,
  accountName: string,
  environment: Environment,
  name: string,
): Promise<NewApiKey> {
  return addKey(services, accountName, environment, name, async (_tx, _tenant, inForce) => {
    if (inForce === null) throw noSuchKey({ name });
  });
}

export function noSuchKey(details: { readonly name: string } | { readonly id: string }): AppError {
  return new AppError('not_found', { message: 'There is no such API key.', details });
}

async function addKey(
  services: Services,
  accountName: string,
  environment: Environment,
  name: string,
  check: (tx: Transaction, tenant: Tenant, inForce: string | null) => Promise<void>,
): Promise<NewApiKey> {
  if (environment === 'sandbox' && !services.settings.isSandboxOn)
    throw new AppError('sandbox_disabled', {
      message:
        'The sandbox environment is turned off on this deployment (TRIBUTARY_SANDBOX=off). Create a live key instead.',
    });
  const account = await getAccountOrThrow(services, accountName);
  const [key, id] = [mintApiKey(environment), newId<string>()];
  const createdAt = services.clock.now();
  const expiresAt = expiryOf(createdAt);
  const tenant = { accountId: account.id, environment };
  const replaced = await changeCredentials(services, async (tx) => {
    await lockAccount(tx, account.id);
    const inForce = (await findKeyInForce(tx, tenant, name))?.id ?? null;
    await check(tx, tenant, inForce);
    if (inForce !== null) await revokeApiKey(tx, inForce, createdAt);
    const stored = { secretHash: hashToken(key), lastFour: key.slice(-4), createdAt, expiresAt };
    await insertApiKey(tx, { id, tenant, name, ...stored });
    return inForce;
  });
  return { key, id, name, environment, account: account.name, expiresAt, replaced };
}
