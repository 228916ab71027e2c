// Making and revoking API keys. The key itself is returned once and stored only as its hash.
import type { Environment } from '../../domain/tenancy.ts';
import { hashToken } from '../../platform/crypto/opaque-token.ts';
import { newId } from '../../platform/ids.ts';
import type { Services } from '../../platform/services.ts';
import { expiryOf, mintApiKey } from './api-key.ts';
import { changeCredentials, getAccountOrThrow } from './manage-accounts.ts';
import { lockAccount, replaceApiKey, revokeApiKey } from './store.ts';

export type NewApiKey = {
  readonly key: string;
  readonly environment: Environment;
  readonly account: string;
  readonly expiresAt: Date;
  /** Keys of that environment that stopped because of it. */
  readonly replacedKeys: number;
};

export async function createApiKey(
  services: Services,
  accountName: string,
  environment: Environment,
): Promise<NewApiKey> {
  const account = await getAccountOrThrow(services, accountName);
  const key = mintApiKey(environment);
  const createdAt = services.clock.now();
  const expiresAt = expiryOf(createdAt);
  const tenant = { accountId: account.id, environment };
  const { replacedKeys } = await changeCredentials(services, async (tx) => {
    await lockAccount(tx, account.id);
    return replaceApiKey(tx, {
      id: newId(),
      tenant,
      secretHash: hashToken(key),
      lastFour: key.slice(-4),
      createdAt,
      expiresAt,
    });
  });
  return { key, environment, account: account.name, expiresAt, replacedKeys };
}

/** How many keys were stopped: 1, or 0 when none was in force. */
export async function revokeCurrentApiKey(
  services: Services,
  accountName: string,
  environment: Environment,
): Promise<number> {
  const account = await getAccountOrThrow(services, accountName);
  return changeCredentials(services, (tx) =>
    revokeApiKey(tx, { accountId: account.id, environment }, services.clock.now()),
  );
}
