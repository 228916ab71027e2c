// Revokes an API key, and ends what was created with it where the operator asks for it: a stolen key may have left a session
// or a webhook behind that outlives it. Works on a key that was revoked or replaced before, too.
import type { Environment } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { cancelDeliveries, countWebhooksOfKey, disableWebhooksOfKey } from '../../notify/webhooks/index.ts';
import {
  type ApiKeyRecord,
  changeCredentials,
  endTokensOfKey,
  findKeyInForce,
  getAccountOrThrow,
  noSuchKey,
  readApiKeyById,
  revokeApiKey,
} from '../../tenancy/accounts/index.ts';
import { countSessionsOfKey, endSessionsOfKey } from '../../tenancy/sdk-sessions/index.ts';
import { countMobileTokensOfKey, endMobileTokensOfKey } from '../../tenancy/tokens/index.ts';

export type WhichKey =
  | { readonly id: string }
  | { readonly account: string; readonly environment: Environment; readonly name: string };
export type KeyCreations = { readonly sdkSessions: number; readonly mobileTokens: number; readonly webhooks: number };
export type Revocation = {
  /** Null: none was in force. */
  readonly key: ApiKeyRecord | null;
  /** False: it was revoked before. */
  readonly isRevoked: boolean;
  readonly ended: KeyCreations;
  /** Created with the key and still in use. */
  readonly stillActive: KeyCreations;
};

const NOTHING: KeyCreations = { sdkSessions: 0, mobileTokens: 0, webhooks: 0 };

export async function revokeKey(
  services: Services,
  which: WhichKey,
  end: { readonly sessions: boolean; readonly webhooks: boolean },
): Promise<Revocation> {
  const key = await findKey(services, which);
  if (key === null) return { key, isRevoked: false, ended: NOTHING, stillActive: NOTHING };
  const now = services.clock.now();
  const { awaitSilence: awaitInFlight, ...revocation } = await changeCredentials(services, async (tx) => {
    const isRevoked = await revokeApiKey(tx, key.id, now);
    const sdkSessions = end.sessions ? await endSessionsOfKey(tx, key.id) : 0;
    const mobileTokens = end.sessions ? await endMobileTokensOfKey(tx, key.id, now) : 0;
    if (end.sessions) await endTokensOfKey(tx, key.id, now);
    const disabled = end.webhooks ? await disableWebhooksOfKey(tx, key.id) : [];
    const ended = { sdkSessions, mobileTokens, webhooks: disabled.length };
    const awaitInFlight = await cancelDeliveries(tx, disabled);
    return { isRevoked, ended, awaitSilence: awaitInFlight, stillActive: await countCreations(tx, key.id, now) };
  });
  await awaitInFlight();
  return { key, ...revocation };
}

async function findKey(services: Services, which: WhichKey): Promise<ApiKeyRecord | null> {
  if ('id' in which) {
    const key = await readApiKeyById(services.db, which.id);
    if (key === null) throw noSuchKey(which);
    return key;
  }
  const account = await getAccountOrThrow(services, which.account);
  return findKeyInForce(services.db, { accountId: account.id, environment: which.environment }, which.name);
}

export async function countCreations(db: Queryable, keyId: string, now: Date): Promise<KeyCreations> {
  return {
    sdkSessions: await countSessionsOfKey(db, keyId),
    mobileTokens: await countMobileTokensOfKey(db, keyId, now),
    webhooks: await countWebhooksOfKey(db, keyId),
  };
}
