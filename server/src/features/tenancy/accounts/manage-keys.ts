// Creates and rotates API keys. The key is returned once; only its hash is stored.
import type { Environment, Tenant } from '../../../domain/tenancy.ts';
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { expiryOf, mintApiKey } from './api-key.ts';
import { changeCredentials, getAccountOrThrow } from './manage-accounts.ts';
import { findKeyInForce, insertApiKey, listKeyNames, lockAccount, revokeApiKey } from './store.ts';

export const DEFAULT_KEY_NAME = 'default';
/**
 * Per environment. Each key has its own rate limit (100 requests per second), so this also limits an account: ten keys are
 * enough for one per program and allow at most 1,000 requests per second.
 */
const MAX_KEYS = 10;

export type NewApiKey = {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly account: string;
  readonly expiresAt: Date;
  /** Id of the key that a rotation revoked. */
  readonly replaced: string | null;
};

/** Revokes no other key. The default name is `default`, or else the first free name of `key-2`, `key-3` and so on. */
export function createApiKey(
  services: Services,
  accountName: string,
  environment: Environment,
  name: string | null = null,
): Promise<NewApiKey> {
  return addKey(services, accountName, environment, async (tx, tenant) => {
    const taken = await listKeyNames(tx, tenant);
    if (name !== null && taken.includes(name))
      throw new AppError('name_taken', { message: KEY_NAME_TAKEN, details: { name } });
    if (taken.length >= MAX_KEYS) throw new AppError('key_limit', { details: { limit: MAX_KEYS } });
    return { name: name ?? findFreeName(taken), replaced: null };
  });
}

function findFreeName(taken: readonly string[]): string {
  let name = DEFAULT_KEY_NAME;
  for (let number = 2; taken.includes(name); number += 1) name = `key-${number}`;
  return name;
}

const KEY_NAME_TAKEN = 'Another key of this environment has that name. Choose another name or rotate that key.';

/** Creates a new key with the same name and revokes the current one immediately. */
export function rotateApiKey(
  services: Services,
  accountName: string,
  environment: Environment,
  name: string,
): Promise<NewApiKey> {
  return addKey(services, accountName, environment, async (tx, tenant) => {
    const inForce = await findKeyInForce(tx, tenant, name);
    if (inForce === null) throw noSuchKey({ name });
    return { name, replaced: inForce.id };
  });
}

export function noSuchKey(details: { readonly name: string } | { readonly id: string }): AppError {
  return new AppError('not_found', { message: 'API key not found.', details });
}

async function addKey(
  services: Services,
  accountName: string,
  environment: Environment,
  plan: (tx: Transaction, tenant: Tenant) => Promise<Pick<NewApiKey, 'name' | 'replaced'>>,
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
  const planned = await changeCredentials(services, async (tx) => {
    await lockAccount(tx, account.id);
    const { name, replaced } = await plan(tx, tenant);
    if (replaced !== null) await revokeApiKey(tx, replaced, createdAt);
    const stored = { secretHash: hashToken(key), lastFour: key.slice(-4), createdAt, expiresAt };
    await insertApiKey(tx, { id, tenant, name, ...stored });
    return { name, replaced };
  });
  return { key, id, environment, account: account.name, expiresAt, ...planned };
}
