// Revokes an API key and, on request, everything created with it, because sessions and webhooks of a stolen key outlive it.
// Also works on a key that was already revoked or replaced.
import type { Queryable } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { cancelWebhookDeliveries, countWebhooksOfKey, disableWebhooksOfKey } from '../../notify/webhooks/index.ts';
import {
  type Actor,
  type ApiKeyDetails,
  changeCredentials,
  endTokensOfKey,
  findKeyInForce,
  getAccountOrThrow,
  getKeyOrThrow,
  insertAudit,
  revokeApiKey,
  type WhichKey,
} from '../../tenancy/accounts/index.ts';
import { countSessionsOfKey, endSessionsOfKey } from '../../tenancy/sdk-sessions/index.ts';
import { countMobileTokensOfKey, endMobileTokensOfKey } from '../../tenancy/tokens/index.ts';

export type KeyCreations = { readonly sdkSessions: number; readonly mobileTokens: number; readonly webhooks: number };
export type Revocation = {
  /** Null: there was no active key. */
  readonly key: ApiKeyDetails | null;
  /** False: the key was already revoked. */
  readonly isRevoked: boolean;
  readonly ended: KeyCreations;
  /** Created with the key and still in use. */
  readonly stillActive: KeyCreations;
};

const NOTHING: KeyCreations = { sdkSessions: 0, mobileTokens: 0, webhooks: 0 };

export async function revokeKey(
  services: Pick<Services, 'clock' | 'credentialVersion' | 'db' | 'tombstones'>,
  which: WhichKey,
  end: { readonly sessions: boolean; readonly webhooks: boolean },
  by: Actor,
): Promise<Revocation> {
  const key = await findKey(services, which);
  if (key === null) return { key, isRevoked: false, ended: NOTHING, stillActive: NOTHING };
  const now = services.clock.now();
  const tenant = { accountId: key.account.id, environment: key.environment };
  const { awaitInFlight, ...revocation } = await changeCredentials(services, async (tx) => {
    const isRevoked = await revokeApiKey(tx, key.id, now);
    const sdkSessions = end.sessions ? await endSessionsOfKey(tx, key.id) : 0;
    const mobileTokens = end.sessions ? await endMobileTokensOfKey(tx, key.id, now) : 0;
    if (end.sessions) await endTokensOfKey(tx, key.id, now);
    const disabled = end.webhooks ? await disableWebhooksOfKey(tx, key.id) : [];
    const ended = { sdkSessions, mobileTokens, webhooks: disabled.length };
    const details = { name: key.name, last_four: key.lastFour, ...describeEnded(end, ended) };
    const action = isRevoked ? 'api_key.revoked' : 'api_key.creations_ended';
    const entry = { at: now, actor: by, action, subject: key.id, details };
    if (isRevoked || end.sessions || end.webhooks) await insertAudit(tx, { ...tenant, ...entry });
    const awaitInFlight = await cancelWebhookDeliveries(tx, disabled);
    return { isRevoked, ended, awaitInFlight, stillActive: await countCreations(tx, key.id, now) };
  });
  await services.tombstones.tryToAdd('api_key', key.id);
  await awaitInFlight();
  return { key, ...revocation };
}

function describeEnded(
  end: { readonly sessions: boolean; readonly webhooks: boolean },
  { sdkSessions, mobileTokens, webhooks }: KeyCreations,
): Readonly<Record<string, number>> {
  return {
    ...(end.sessions && { ended_sdk_sessions: sdkSessions, ended_mobile_tokens: mobileTokens }),
    ...(end.webhooks && { disabled_webhooks: webhooks }),
  };
}

async function findKey(services: Pick<Services, 'db'>, which: WhichKey): Promise<ApiKeyDetails | null> {
  if ('id' in which) return getKeyOrThrow(services, which.id);
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
