// Exchanges a single-use token for renewable credentials. Of several concurrent attempts exactly one succeeds.
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { readAccount, requireEnvironment, requireOpenAccount } from '../accounts/index.ts';
import { consumeMobileToken, isMobileToken } from '../tokens/index.ts';
import { holdUser } from '../user-core/index.ts';
import { openInstallation } from './create-session.ts';
import { type Credentials, presentableCredentials, rotateCredentials } from './credentials.ts';
import { isClientTokenLive, type Platform, PREFIXES, type SdkSession } from './sdk-session.ts';
import { findSessionOfInstallation, lockSession, lockSessionsOf, saveSession } from './store.ts';

type ExchangeInput = {
  readonly clientToken: string;
  readonly installationId: string | null;
  readonly platform: Platform | null;
};

export async function exchangeToken(
  { services }: { services: Pick<Services, 'clock' | 'db' | 'sdkTokens' | 'settings'> },
  input: ExchangeInput,
): Promise<Credentials> {
  const now = services.clock.now();
  return services.db.transaction(async (tx) => {
    const session = isMobileToken(input.clientToken)
      ? await spendMobileToken(tx, services, input, now)
      : await spendClientToken(tx, services, input, now);
    const activated = {
      ...rotateCredentials(session, now),
      status: 'active' as const,
      activatedAt: session.activatedAt ?? now,
      clientConsumedAt: now,
    };
    await saveSession(tx, activated);
    return presentableCredentials(services, activated);
  });
}

async function spendClientToken(
  tx: Transaction,
  services: Pick<Services, 'sdkTokens' | 'settings'>,
  input: ExchangeInput,
  now: Date,
): Promise<SdkSession> {
  const token = services.sdkTokens.decode(PREFIXES.client, input.clientToken);
  const owner = token ? await lockSession(tx, token.id) : null;
  if (!token || !owner || !isClientTokenLive(owner.session, token.version, now)) throw invalidToken();
  requireEnvironment(services, owner.environment);
  requireOpenAccount(owner);
  return owner.session;
}

function invalidToken(): AppError {
  const message = 'The token is unknown, has expired or was used before. Get a new one from your backend.';
  return new AppError('invalid_token', { message });
}

/** Creates the session and consumes the token in one transaction. */
async function spendMobileToken(
  tx: Transaction,
  services: Pick<Services, 'settings'>,
  input: ExchangeInput,
  now: Date,
): Promise<SdkSession> {
  const spent = await consumeMobileToken(tx, input.clientToken, now);
  const user = spent ? await holdUser(tx, spent.tenant, spent.userId) : null;
  if (!spent || !user) throw invalidToken();
  await lockSessionsOf(tx, user); // of two tokens for one installation, the second finds the session of the first
  requireEnvironment(services, spent.tenant.environment);
  const account = await readAccount(tx, spent.tenant.accountId);
  if (account !== null) requireOpenAccount(account);
  const installationId = input.installationId ?? `mobile-token-${crypto.randomUUID()}`;
  const existing = await findSessionOfInstallation(tx, user, installationId);
  const installation = {
    installationId,
    platform: input.platform,
    sources: null,
    scopes: spent.scopes,
    appVersion: null,
    keyId: spent.keyId,
  };
  return openInstallation(tx, user, installation, existing, now);
}
