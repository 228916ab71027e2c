// Ends the provider's side of a connection that is over here: best effort, retried by a job that holds what it needs.
import type { Static } from 'typebox';
import type { AccountId, DeviceId, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import type { ProviderAccount, ProviderAnswer, ProviderRequest } from '../../../providers/contract.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import {
  type AccountTokens,
  callProvider,
  failureOf,
  listAccountsOfPerson,
  listStoredAccounts,
  openTokens,
  readAccount,
  type StoredAccount,
} from '../provider-accounts/index.ts';
import { openAppOf, type ProviderApp } from '../provider-apps/index.ts';
import { endSubscriptions } from '../subscriptions/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { IssuedTokens } from './exchange-code.ts';

/** Job rows are readable to whoever reads the database, so all that names the person is sealed, and nothing names the user. */
const payload = Type.Object({
  id: Type.String({ description: 'of this revocation alone; what is sealed opens only with it' }),
  provider: Type.String(),
  app_id: Type.String(),
  sealed: Type.String({ description: 'base64 of a sealed Access' }),
});
type Revocation = Static<typeof payload>;

/** As earlier versions queued it. */
const formerPayload = Type.Object({
  user_id: Type.String(),
  account_id: Type.String(),
  device_id: Type.String(),
  provider: Type.String(),
  app_id: Type.String(),
  provider_user_id: Type.String(),
  sealed_tokens: Type.String({ description: 'base64; sealed for the row they were in' }),
  is_refreshed: Type.Boolean(),
});

type Access = AccountTokens & {
  readonly accountId: AccountId;
  readonly providerUserId: string;
  /** The tokens are new: another refresh would not help. */
  readonly isRefreshed: boolean;
};

export const deauthorizeJob = defineJob({
  name: 'deauthorize_account',
  payload,
  isRemovedWhenGivenUp: true, // about four days: then the provider keeps a consent that nobody here can use any more
  async run(services, revocation) {
    const access = openAccess(services.secrets, revocation);
    const app = await openAppOf(services, {
      provider: revocation.provider,
      appId: revocation.app_id,
      tenant: { accountId: access.accountId },
    });
    if (app === null) return; // without its application nothing can be asked
    if (await isConnectedElsewhere(services, app, access)) return;
    await endSubscriptions(services, app, access); // best effort: most end with the grant
    const outcome = await revoke(services, app, access);
    if (outcome === 'unauthorized' && !access.isRefreshed) return refresh(services, app, access);
    if (outcome === 'retry') throw new Error('the provider did not answer the end of a connection');
  },
  former: { payload: formerPayload, run: sealFormer },
});

/** Of one device. The caller holds the user's lock. */
export async function deauthorizeDevice(
  services: Services,
  tx: Transaction,
  user: UserHandle,
  deviceId: DeviceId,
): Promise<void> {
  const stored = await readAccount(tx, user, deviceId);
  if (stored !== null) await enqueueFor(services, tx, stored);
}

/** Of a person who is being erased. */
export async function deauthorizeAll(services: Services, tx: Transaction, user: UserHandle): Promise<void> {
  for (const stored of await listStoredAccounts(tx, user)) await enqueueFor(services, tx, stored);
}

/** Of tokens that were given and cannot be kept. */
export async function revokeTokens(
  services: Services,
  { tenant: { accountId }, provider, appId }: AuthorizationRequest,
  { tokens, providerUserId }: IssuedTokens,
): Promise<void> {
  const { accessToken, refreshToken } = tokens;
  const access = { accountId, providerUserId, accessToken, refreshToken, isRefreshed: true }; // just made
  await services.db.transaction((tx) => enqueue(services, tx, { provider, appId }, access));
}

async function enqueueFor(
  services: Services,
  tx: Transaction,
  { account, sealedTokens }: StoredAccount,
): Promise<void> {
  const tokens = openStoredTokens(services, account, sealedTokens);
  if (tokens === null) return;
  const { tenant, providerUserId } = account;
  await enqueue(services, tx, account, { ...tokens, accountId: tenant.accountId, providerUserId, isRefreshed: false });
}

/** Queues it again in the shape of today, which names nobody. */
async function sealFormer(services: Services, former: Static<typeof formerPayload>): Promise<void> {
  const { provider, app_id: appId, provider_user_id: providerUserId, is_refreshed: isRefreshed } = former;
  const row = { provider, userId: former.user_id as UserId, deviceId: former.device_id as DeviceId };
  const tokens = openStoredTokens(services, row, Buffer.from(former.sealed_tokens, 'base64'));
  if (tokens === null) return;
  const access = { ...tokens, accountId: former.account_id as AccountId, providerUserId, isRefreshed };
  await services.db.transaction((tx) => enqueue(services, tx, { provider, appId }, access));
}

/** Null: they are damaged, which must not stand in the way of a deletion. A key that is not here yet is waited for. */
function openStoredTokens(
  { secrets, log }: Services,
  account: Pick<StoredAccount['account'], 'provider' | 'userId' | 'deviceId'>,
  sealedTokens: Buffer,
): AccountTokens | null {
  try {
    return openTokens(secrets, account, sealedTokens);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') throw error;
    log.error({ provider: account.provider }, 'tokens cannot be opened, so the access at the provider is not revoked');
    return null;
  }
}

function enqueue(
  { secrets, jobs }: Services,
  tx: Transaction,
  { provider, appId }: { readonly provider: string; readonly appId: string },
  access: Access,
): Promise<void> {
  const id = newId<string>();
  const sealed = secrets.seal(JSON.stringify(access), contextOf(id)).toString('base64');
  return jobs.enqueue(tx, deauthorizeJob, { id, provider, app_id: appId, sealed });
}

function openAccess(secrets: Services['secrets'], { id, sealed }: Revocation): Access {
  return JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), contextOf(id))) as Access;
}

function contextOf(id: string): string {
  return `revocation ${id}`;
}

/** Providers end the whole consent: another user, or the same one who came back, would lose theirs. */
async function isConnectedElsewhere({ db }: Services, app: ProviderApp, { providerUserId }: Access): Promise<boolean> {
  const person = { provider: app.provider.id, appId: app.id, providerUserId };
  return (await listAccountsOfPerson(db, person)).length > 0;
}

type Outcome = 'done' | 'unauthorized' | 'retry';

async function revoke(services: Services, app: ProviderApp, account: ProviderAccount): Promise<Outcome> {
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
async function refresh(services: Services, app: ProviderApp, access: Access): Promise<void> {
  const { refreshRequest, readTokens } = app.provider.oauth;
  if (refreshRequest === null || access.refreshToken === null) return;
  const answer = await callProvider(services, app, refreshRequest(access.refreshToken), null);
  if ('failed' in answer) throw new Error('the provider did not answer a refresh');
  const fresh = readTokens(answer);
  if ('refused' in fresh) {
    if (fresh.isDefinite) return; // the consent is gone already
    throw new Error('the provider did not refresh');
  }
  const { accessToken, refreshToken } = fresh;
  const next = { ...access, accessToken, refreshToken: refreshToken ?? access.refreshToken, isRefreshed: true };
  await services.db.transaction((tx) => enqueue(services, tx, { provider: app.provider.id, appId: app.id }, next));
}
