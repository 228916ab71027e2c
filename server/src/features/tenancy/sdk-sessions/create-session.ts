// Creates or recovers the session of an installation, or repeats the reply of an earlier request with the same key.
import { createHash } from 'node:crypto';
import { SCOPES, type Scope } from '../../../domain/metrics/categories.ts';
import type { OnDeviceProvider } from '../../../domain/provider-ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { holdApiKey } from '../accounts/index.ts';
import { holdUser, parseUserIdOrThrow, type UserHandle, userNotFound } from '../user-core/index.ts';
import {
  CLIENT_TOKEN_MS,
  defaultSources,
  IDEMPOTENCY_MS,
  isClientTokenLive,
  isListed,
  type Platform,
  PREFIXES,
  type SdkSession,
} from './sdk-session.ts';
import {
  findSessionOfInstallation,
  listSdkSessions,
  lockSession,
  lockSessionsOf,
  readCreationRequest,
  removeOldestRevoked,
  saveRequest,
  saveSession,
} from './store.ts';

type Installation = {
  readonly installationId: string;
  readonly platform: Platform | null;
  readonly sources: readonly OnDeviceProvider[] | null;
  readonly scopes: readonly Scope[] | null;
  readonly appVersion: string | null;
};
type CreateSessionInput = {
  readonly userId: string;
  readonly idempotencyKey: string;
  readonly installation: Installation;
};
export type Bootstrap = {
  readonly session: SdkSession;
  readonly clientToken: string;
  readonly isNew: boolean;
  readonly baseUrl: string;
};

export async function createSession(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'sdkTokens' | 'settings'>; caller: AccountCaller },
  input: CreateSessionInput,
): Promise<Bootstrap> {
  const userId = parseUserIdOrThrow(input.userId);
  const bodyHash = createHash('sha256').update(JSON.stringify(input.installation)).digest();
  const now = services.clock.now();
  const installation = { ...input.installation, keyId: caller.keyId };
  return services.db.transaction(async (tx) => {
    await holdApiKey(tx, caller.keyId, now);
    const handle = await holdUser(tx, caller.tenant, userId);
    if (!handle) throw userNotFound(input.userId);
    await lockSessionsOf(tx, handle); // a repeated request finds the first
    const request = await readCreationRequest(tx, handle, input.idempotencyKey);
    const isRemembered = request !== null && now.getTime() - request.createdAt.getTime() < IDEMPOTENCY_MS;
    const first = isRemembered ? request : null;
    if (first !== null) {
      if (!first.bodyHash.equals(bodyHash)) throw new AppError('idempotency_conflict');
      const ended = await findRevokedOrThrow(tx, first.sessionId);
      if (ended !== null) return toBootstrap(services, ended, first.clientVersion, false);
    }
    const existing = await findSessionOfInstallation(tx, handle, input.installation.installationId);
    const isRepeat =
      existing !== null &&
      first !== null &&
      existing.id === first.sessionId &&
      isClientTokenLive(existing, first.clientVersion, now);
    const session = isRepeat ? existing : await openInstallation(tx, handle, installation, existing, now);
    const createdAt = first?.createdAt ?? now;
    await saveRequest(tx, handle, input.idempotencyKey, {
      bodyHash,
      sessionId: session.id,
      clientVersion: session.clientVersion,
      createdAt,
    });
    return toBootstrap(services, session, session.clientVersion, existing === null);
  });
}

/** A late repeat must not undo a revocation: it gets the revoked session, whose token is rejected. Null: not revoked. */
async function findRevokedOrThrow(tx: Transaction, sessionId: string): Promise<SdkSession | null> {
  const owner = await lockSession(tx, sessionId);
  if (owner === null) throw notFound('SDK session', { session_id: sessionId }); // revoked and removed since
  return owner.session.status === 'revoked' ? owner.session : null;
}

function toBootstrap(
  { sdkTokens, settings }: Pick<Services, 'sdkTokens' | 'settings'>,
  session: SdkSession,
  version: number,
  isNew: boolean,
): Bootstrap {
  const clientToken = sdkTokens.encode(PREFIXES.client, { id: session.id, version });
  return { session, clientToken, isNew, baseUrl: settings.publicUrl() };
}

/** Per user. Enough for several phones that reinstall every week; sessions expire after 60 days without use. */
const MAX_SESSIONS = 100;

async function requireRoom(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const listed = (await listSdkSessions(tx, user)).filter((session) => isListed(session, now));
  if (listed.length >= MAX_SESSIONS) throw new AppError('session_limit', { details: { limit: MAX_SESSIONS } });
  await removeOldestRevoked(tx, user, MAX_SESSIONS);
}

/**
 * Creates a session, or issues a new client token for the existing one and invalidates its earlier client tokens. The
 * existing one keeps what the request does not name, so that a recovery does not share more than was agreed.
 */
export async function openInstallation(
  tx: Transaction,
  user: UserHandle,
  installation: Installation & { readonly keyId: string | null },
  existing: SdkSession | null,
  now: Date,
): Promise<SdkSession> {
  const platform = installation.platform ?? existing?.platform ?? null;
  const known = existing?.platform === platform ? existing.sources : defaultSources(platform);
  const scopes = installation.scopes ?? existing?.scopes ?? SCOPES;
  const wanted = {
    platform,
    sources: installation.sources ?? known,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    clientExpiresAt: new Date(now.getTime() + CLIENT_TOKEN_MS),
    clientConsumedAt: null,
    createdByKey: installation.keyId,
  };
  const session: SdkSession = existing
    ? { ...existing, ...wanted, clientVersion: existing.clientVersion + 1 }
    : {
        ...wanted,
        id: newId<string>(),
        userId: user.userId,
        installationId: installation.installationId,
        status: 'pending',
        createdAt: now,
        activatedAt: null,
        clientVersion: 1,
        credentialVersion: 0,
        credentialUsedAt: null,
        accessExpiresAt: null,
        refreshExpiresAt: null,
        previousAccessExpiresAt: null,
      };
  if (existing === null) await requireRoom(tx, user, now);
  await saveSession(tx, session, installation.appVersion);
  return session;
}
