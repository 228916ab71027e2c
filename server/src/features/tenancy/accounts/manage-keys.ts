// Making and revoking API keys. The key itself is returned once and stored only as its hash.
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
 * Of an environment. Each key has a rate limit of its own (100 requests per second), so this also limits the rate of an account:
 * ten are enough for a key per program and leave one account at most 1,000 requests per second.
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

/** Never ends another key. Without a name it gets `default`, or the first free one of `key-2`, `key-3` and so on. */
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

const KEY_NAME_TAKEN = 'Another key of this environment has that name. Choose another one, or rotate that key.';

/** A new key of the same name; the one in force is revoked at once. */
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
  return new AppError('not_found', { message: 'There is no such API key.', details });
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
