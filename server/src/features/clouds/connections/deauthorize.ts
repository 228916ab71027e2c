// Revokes access at the provider after a disconnection: best effort, retried by a job that carries all it needs.
import type { Static } from 'typebox';
import type { AccountId, DeviceId, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { isUnavailable } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import type { ProviderAccount, ProviderAnswer, ProviderRequest } from '../../../providers/contract.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import {
  type AccountTokens,
  callProvider,
  enqueueRevocation,
  failureOf,
  type GrantedAccess,
  listAccountsOfProviderUser,
  listStoredAccounts,
  openAccess,
  openTokens,
  readProviderAccount,
  revocationRef,
  type StoredAccount,
} from '../provider-accounts/index.ts';
import { openAppOf, type ProviderApp } from '../provider-apps/index.ts';
import { endSubscriptions } from '../subscriptions/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { IssuedTokens } from './exchange-code.ts';

/** The payload of earlier versions. */
const formerPayload = Type.Object({
  user_id: Type.String(),
  account_id: Type.String(),
  device_id: Type.String(),
  provider: Type.String(),
  app_id: Type.String(),
  provider_user_id: Type.String(),
  sealed_tokens: Type.String({ description: 'base64; sealed for their former row' }),
  is_refreshed: Type.Boolean(),
});

export const deauthorizeJob = defineJob({
  ...revocationRef,
  isRemovedWhenGivenUp: true,
  async run(services, revocation) {
    const access = openAccess(services, revocation);
    const app = await openAppOf(services, {
      provider: revocation.provider,
      appId: revocation.app_id,
      tenant: { accountId: access.accountId },
    });
    if (app === null) return; // without the application's credentials no request is possible
    if (await isConnectedElsewhere(services, app, access)) return;
    await endSubscriptions(services, app, access); // best effort: most providers end subscriptions with the consent
    const outcome = await revoke(services, app, access);
    if (outcome === 'unauthorized' && !access.isRefreshed) return refresh(services, app, access);
    if (outcome === 'retry') throw new Error('the provider did not answer the revocation');
  },
  former: { payload: formerPayload, run: sealFormer },
});

/** Revokes the access of one device. The caller holds the user's lock. */
export async function deauthorizeDevice(
  services: Pick<Services, 'jobs' | 'log' | 'secrets'>,
  tx: Transaction,
  user: UserHandle,
  deviceId: DeviceId,
): Promise<void> {
  const stored = await readProviderAccount(tx, user, deviceId);
  if (stored !== null) await enqueueFor(services, tx, stored);
}

/** Revokes every access of a user who is being erased. */
export async function deauthorizeAll(
  services: Pick<Services, 'jobs' | 'log' | 'secrets'>,
  tx: Transaction,
  user: UserHandle,
): Promise<void> {
  for (const stored of await listStoredAccounts(tx, user)) await enqueueFor(services, tx, stored);
}

/** Revokes tokens that were issued and cannot be stored. */
export async function revokeTokens(
  services: Pick<Services, 'db' | 'jobs' | 'secrets'>,
  { tenant: { accountId }, provider, appId }: AuthorizationRequest,
  { tokens, providerUserId }: IssuedTokens,
): Promise<void> {
  const { accessToken, refreshToken } = tokens;
  const access = { accountId, providerUserId, accessToken, refreshToken, isRefreshed: true }; // the tokens were just issued
  await services.db.transaction((tx) => enqueueRevocation(services, tx, { provider, appId }, access));
}

async function enqueueFor(
  services: Pick<Services, 'jobs' | 'log' | 'secrets'>,
  tx: Transaction,
  { account, sealedTokens }: StoredAccount,
): Promise<void> {
  const tokens = openStoredTokens(services, account, sealedTokens);
  if (tokens === null) return;
  const { tenant, providerUserId } = account;
  await enqueueRevocation(services, tx, account, {
    ...tokens,
    accountId: tenant.accountId,
    providerUserId,
    isRefreshed: false,
  });
}

/** Queues the job again in the current format, which names no user. */
async function sealFormer(
  services: Pick<Services, 'db' | 'jobs' | 'log' | 'secrets'>,
  former: Static<typeof formerPayload>,
): Promise<void> {
  const { provider, app_id: appId, provider_user_id: providerUserId, is_refreshed: isRefreshed } = former;
  const row = { provider, userId: former.user_id as UserId, deviceId: former.device_id as DeviceId };
  const tokens = openStoredTokens(services, row, Buffer.from(former.sealed_tokens, 'base64'));
  if (tokens === null) return;
  const access = { ...tokens, accountId: former.account_id as AccountId, providerUserId, isRefreshed };
  await services.db.transaction((tx) => enqueueRevocation(services, tx, { provider, appId }, access));
}

/** Null: the tokens are damaged, which must not block a deletion. A missing key throws, so that the job is retried. */
function openStoredTokens(
  { secrets, log }: Pick<Services, 'log' | 'secrets'>,
  account: Pick<StoredAccount['account'], 'provider' | 'userId' | 'deviceId'>,
  sealedTokens: Buffer,
): AccountTokens | null {
  try {
    return openTokens(secrets, account, sealedTokens);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.error({ provider: account.provider }, 'cannot decrypt provider tokens; access at the provider is not revoked');
    return null;
  }
}

/** Providers revoke the whole consent, so another user of the same provider account would lose access too. */
async function isConnectedElsewhere(
  { db }: Pick<Services, 'db'>,
  app: ProviderApp,
  { providerUserId }: GrantedAccess,
): Promise<boolean> {
  const providerUser = { provider: app.provider.id, appId: app.id, providerUserId };
  return (await listAccountsOfProviderUser(db, providerUser)).length > 0;
}

type RevocationOutcome = 'done' | 'unauthorized' | 'retry';

async function revoke(
  services: Pick<Services, 'clock' | 'outbound' | 'ownOutbound'>,
  app: ProviderApp,
  account: ProviderAccount,
): Promise<RevocationOutcome> {
  let before: ProviderAnswer | null = null;
  for (const step of revocationOf(app, account)) {
    const answer = await callProvider(services, app, step(services.clock.now(), before), account.accessToken);
    if ('failed' in answer) return 'retry';
    const failure = failureOf(answer);
    if (failure === 'unauthorized') return 'unauthorized';
    if (failure === 'rate_limited' || failure === 'unavailable') return 'retry';
    if (failure !== null) return 'done'; // the provider does not know this connection
    before = answer;
  }
  return 'done';
}

type Step = (now: Date, before: ProviderAnswer | null) => ProviderRequest;

function revocationOf({ provider: { oauth }, client }: ProviderApp, account: ProviderAccount): readonly Step[] {
  const { revokeSteps, revokeRequest } = oauth;
  if (revokeSteps !== undefined)
    return revokeSteps.map((step) => (now, before) => step({ account, client, now, before }));
  return revokeRequest === null ? [] : [() => revokeRequest(account)];
}

/** The token had expired. A new job retries with the new pair, because the old refresh token must not be used again. */
async function refresh(
  services: Pick<Services, 'db' | 'jobs' | 'outbound' | 'ownOutbound' | 'secrets'>,
  app: ProviderApp,
  access: GrantedAccess,
): Promise<void> {
  const { refreshRequest, readTokens } = app.provider.oauth;
  if (refreshRequest === null || access.refreshToken === null) return;
  const answer = await callProvider(services, app, refreshRequest(access.refreshToken), null);
  if ('failed' in answer) throw new Error('the provider did not answer the token refresh');
  const fresh = readTokens(answer, access.accessToken);
  if ('refused' in fresh) {
    if (fresh.isDefinite) return; // the consent is already revoked
    throw new Error('the provider refused the token refresh');
  }
  const { accessToken, refreshToken } = fresh;
  const next = { ...access, accessToken, refreshToken: refreshToken ?? access.refreshToken, isRefreshed: true };
  await services.db.transaction((tx) =>
    enqueueRevocation(services, tx, { provider: app.provider.id, appId: app.id }, next),
  );
}
