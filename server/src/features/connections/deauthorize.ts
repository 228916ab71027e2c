// Ends the provider's side of a connection that is over here: best effort, retried by a job that holds what it needs.
import type { Static } from 'typebox';
import type { AccountId, DeviceId, UserId } from '../../domain/tenancy.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { Type } from '../../platform/json-schema.ts';
import type { Services } from '../../platform/services.ts';
import type { ProviderAccount, ProviderAnswer, ProviderRequest } from '../../providers/contract.ts';
import {
  type AccountTokens,
  listAccountsOfPerson,
  listStoredAccounts,
  openTokens,
  readAccount,
  type StoredAccount,
  sealTokens,
} from '../provider-accounts/index.ts';
import { listAppsById, openAppOf, type ProviderApp } from '../provider-apps/index.ts';
import { callProvider, failureOf } from '../provider-calls/index.ts';
import type { UserHandle } from '../subjects/index.ts';
import { endSubscriptions } from '../subscriptions/index.ts';
import type { Attempt } from './attempt.ts';
import type { Grant } from './obtain-grant.ts';

const payload = Type.Object({
  user_id: Type.String(),
  account_id: Type.Optional(Type.String()),
  device_id: Type.String(),
  provider: Type.String(),
  app_id: Type.String(),
  provider_user_id: Type.String(),
  sealed_tokens: Type.String({ description: 'base64; sealed for the row they were in' }),
  is_refreshed: Type.Boolean(),
});
type Farewell = Static<typeof payload>;

export const deauthorizeJob = defineJob({
  name: 'deauthorize_account',
  payload,
  async run(services, farewell) {
    const app = await openAppOfFarewell(services, farewell);
    if (app === null) return; // without its application nothing can be asked
    if (await isConnectedElsewhere(services, farewell)) return;
    const tokens = openTokens(services.secrets, rowOf(farewell), Buffer.from(farewell.sealed_tokens, 'base64'));
    const account = { ...tokens, providerUserId: farewell.provider_user_id };
    await endSubscriptions(services, app, account); // best effort: most end with the grant
    const outcome = await revoke(services, app, account);
    if (outcome === 'unauthorized' && !farewell.is_refreshed) return refresh(services, app, farewell, tokens);
    if (outcome === 'retry') throw new Error('the provider did not answer the end of a connection');
  },
});

/** Of one device. The caller holds the user's lock. */
export async function deauthorizeDevice(
  services: Services,
  tx: Transaction,
  user: UserHandle,
  deviceId: DeviceId,
): Promise<void> {
  const stored = await readAccount(tx, user, deviceId);
  if (stored !== null) await services.jobs.enqueue(tx, deauthorizeJob, farewellTo(stored));
}

/** Of a person who is being erased. */
export async function deauthorizeAll(services: Services, tx: Transaction, user: UserHandle): Promise<void> {
  for (const stored of await listStoredAccounts(tx, user))
    await services.jobs.enqueue(tx, deauthorizeJob, farewellTo(stored));
}

/** Of tokens that were given and cannot be kept. */
export async function returnGrant(
  services: Services,
  { tenant, userId, deviceId, provider, appId }: Attempt,
  { tokens, providerUserId }: Grant,
): Promise<void> {
  const farewell: Farewell = {
    user_id: userId,
    account_id: tenant.accountId,
    device_id: deviceId,
    provider,
    app_id: appId,
    provider_user_id: providerUserId,
    sealed_tokens: sealTokens(services.secrets, { userId, deviceId }, tokens).toString('base64'),
    is_refreshed: true, // just made
  };
  await services.db.transaction((tx) => services.jobs.enqueue(tx, deauthorizeJob, farewell));
}

function farewellTo({ account, sealedTokens }: StoredAccount): Farewell {
  return {
    user_id: account.userId,
    account_id: account.tenant.accountId,
    device_id: account.deviceId,
    provider: account.provider,
    app_id: account.appId,
    provider_user_id: account.providerUserId,
    sealed_tokens: sealedTokens.toString('base64'),
    is_refreshed: false,
  };
}

/** What was enqueued before farewells named their account is left to whoever registered the application. */
async function openAppOfFarewell(services: Services, farewell: Farewell): Promise<ProviderApp | null> {
  const { provider, app_id: appId, account_id } = farewell;
  if (account_id === undefined) return (await listAppsById(services, provider, appId))[0] ?? null;
  return openAppOf(services, { provider, appId, tenant: { accountId: account_id as AccountId } });
}

/** Providers end the whole consent: another user, or the same one who came back, would lose theirs. */
async function isConnectedElsewhere({ db }: Services, farewell: Farewell): Promise<boolean> {
  const person = {
    provider: farewell.provider,
    appId: farewell.app_id,
    providerUserId: farewell.provider_user_id,
  };
  return (await listAccountsOfPerson(db, person)).length > 0;
}

type Revocation = 'done' | 'unauthorized' | 'retry';

async function revoke(services: Services, app: ProviderApp, account: ProviderAccount): Promise<Revocation> {
  let before: ProviderAnswer | null = null;
  for (const step of revocationOf(app, account)) {
    const answer = await callProvider(services, app, step(services.clock.now(), before), account.accessToken);
    if ('failed' in answer) return 'retry';
    const failure = failureOf(answer);
    if (failure === 'unauthorized') return 'unauthorized';
    if (failure === 'rate_limited' || failure === 'unavailable') return 'retry';
    if (failure !== null) return 'done'; // it knows of no such connection
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

/** The token had run out. With a new pair it is tried again, by a job of its own: a pair that was used up must not come back. */
async function refresh(services: Services, app: ProviderApp, farewell: Farewell, tokens: AccountTokens): Promise<void> {
  const { refreshRequest, readTokens } = app.provider.oauth;
  if (refreshRequest === null || tokens.refreshToken === null) return;
  const answer = await callProvider(services, app, refreshRequest(tokens.refreshToken), null);
  if ('failed' in answer) throw new Error('the provider did not answer a refresh');
  const fresh = readTokens(answer);
  if ('refused' in fresh) {
    if (fresh.isDefinite) return; // the consent is gone already
    throw new Error('the provider did not refresh');
  }
  const pair = { accessToken: fresh.accessToken, refreshToken: fresh.refreshToken ?? tokens.refreshToken };
  const sealed = sealTokens(services.secrets, rowOf(farewell), pair).toString('base64');
  const next = { ...farewell, sealed_tokens: sealed, is_refreshed: true };
  await services.db.transaction((tx) => services.jobs.enqueue(tx, deauthorizeJob, next));
}

function rowOf({ user_id, device_id }: Farewell): { userId: UserId; deviceId: DeviceId } {
  return { userId: user_id as UserId, deviceId: device_id as DeviceId };
}
