// One simulated provider: its state, and how it answers.

import { createBoundedMap } from '../domain/bounded-map.ts';
import type { RawReply, RawRequest } from '../platform/http/raw-route.ts';
import type { AccountStore, SimulatedAccount } from './account-store.ts';
import { type AccountView, viewAccount } from './account-view.ts';
import type { DayCache } from './day-cache.ts';
import { clientOf, deriveSecret } from './derived-secrets.ts';
import type { Call, ProviderDialect } from './dialect.ts';
import type { FaultStore } from './fault-store.ts';
import { createRouteFinder, type FoundRoute, hasFields } from './find-route.ts';
import { answerAuthorize } from './oauth/authorize.ts';
import type { RedirectUris } from './oauth/check-authorization.ts';
import { isSameClient, readBasic } from './oauth/client-authentication.ts';
import { createGrantStore } from './oauth/grant-store.ts';
import { presentStandardError } from './oauth/standard-answers.ts';
import { grantTokens } from './oauth/token-endpoint.ts';
import type { ProviderContext } from './provider-context.ts';
import { type PushQueue, type SendPush, trySend } from './push-queue.ts';
import { createRateMeter, isSpent, type RateUse } from './rate-meter.ts';
import { readBearer } from './read-bearer.ts';
import { answerWithFaults } from './request-faults.ts';
import { type Claims, createClaimSigner } from './signed-claims.ts';
import { createSubscriptionStore } from './subscription-store.ts';

export type SimulatedProvider = {
  readonly dialect: ProviderDialect;
  readonly context: ProviderContext;
  view(account: SimulatedAccount): AccountView;
  isRevoked(account: SimulatedAccount): boolean;
  /** `path` is relative to the provider. */
  answer(request: RawRequest, path: string): Promise<RawReply>;
};

type Shared = {
  readonly key: Buffer;
  readonly baseUrl: string;
  readonly redirectUris: RedirectUris;
  readonly canNameAccount: boolean;
  readonly accounts: AccountStore;
  readonly faults: FaultStore;
  readonly queue: PushQueue;
  readonly cache: DayCache;
  readonly send: SendPush;
  webhookUrlOf(provider: string): string | null;
  now(): Date;
  wait(ms: number): Promise<void>;
};

const MAX_FACTS = 5_000;

export function openSimulatedProvider(dialect: ProviderDialect, shared: Shared): SimulatedProvider {
  const { key, accounts, faults, now } = shared;
  const provider = dialect.id;
  const client = clientOf(key, provider);
  const signer = createClaimSigner(key);
  const grants = createGrantStore();
  const meter = createRateMeter();
  const findRoute = createRouteFinder(dialect);
  const { oauth } = dialect;

  const isFaulted = (seed: string) => faults.active(provider, seed).some(({ kind }) => kind === 'revoked');
  const isRevoked = ({ seed, grant }: Claims) => grants.isRevoked(grant) || isFaulted(seed);
  const view = (account: SimulatedAccount) =>
    viewAccount({
      account,
      device: dialect.device,
      now: now(),
      faults: faults.active(provider, account.seed),
      cache: shared.cache,
    });
  const readAccess = (token: string): Claims | null => {
    const claims = signer.open(token, { use: 'access', provider }, now());
    if (claims === null || isRevoked(claims)) return null;
    return grants.useAccess(claims.grant, claims.generation, oauth.refresh) ? claims : null;
  };
  const revoke = (claims: Claims) => {
    grants.revoke(claims.grant);
    accounts.forget(accounts.getOrCreate(claims));
  };
  const readRefresh = (token: string): Claims | null => {
    const claims = signer.open(token, { use: 'refresh', provider }, now());
    return claims === null || isRevoked(claims) ? null : claims;
  };
  const revokeAccount = (isMeant: (account: SimulatedAccount) => boolean): boolean => {
    const account = accounts.list(provider).find(isMeant);
    if (account === undefined) return false;
    for (const grant of account.grants.keys()) grants.revoke(grant);
    accounts.forget(account);
    return true;
  };
  const context: ProviderContext = {
    baseUrl: `${shared.baseUrl}/${provider}`,
    client,
    get webhookUrl() {
      return shared.webhookUrlOf(provider);
    },
    subscriptions: createSubscriptionStore(),
    facts: createBoundedMap(MAX_FACTS),
    now,
    send: (push) => trySend(shared.send, push),
    queue: (pushes) => shared.queue.add(pushes),
    derive: (name) => deriveSecret(key, `${provider}/${name}`),
    readAccess,
    readRefresh,
    revoke,
    revokeAccount,
    takeFault: (kind, account) => faults.take(kind, { provider, account }) !== null,
  };

  const answerToken = (request: RawRequest, readForm: () => URLSearchParams): RawReply => {
    const tokenContext = { dialect, client, signer, grants, meet: accounts.getOrCreate, isRevoked, now };
    const granted = grantTokens(tokenContext, request, readForm);
    if ('error' in granted) return (oauth.presentError ?? presentStandardError)(granted);
    const isRefresh = readForm().get('grant_type') === 'refresh_token';
    const isLost = isRefresh && faults.take('refresh_race', { provider, account: granted.account.seed }) !== null;
    return isLost ? { status: 500 } : oauth.presentTokens(granted, context);
  };

  const isApplication = (request: RawRequest) => isSameClient(client, (dialect.readClient ?? readBasic)(request));

  const answerRoute = async (call: Call, { route }: FoundRoute): Promise<RawReply> => {
    const claims = route.access === 'person' ? readAccess((dialect.readToken ?? readBearer)(call.request)) : null;
    if (claims !== null) accounts.getOrCreate(claims);
    const account = claims?.seed ?? null;
    const caller = { account, accountCount: accounts.list(provider).length };
    // Requests without valid credentials do not count against the rate limit.
    const isOurs = claims !== null || (route.access === 'application' && isApplication(call.request));
    const uses = isOurs ? meter.count(dialect.limits, call.request, caller, now()) : [];
    const position = { provider, account, on: 'data' } as const;
    const reply = await answerWithFaults({ dialect, faults, wait: shared.wait }, position, uses, () =>
      isSpent(uses) ? dialect.refuse('rate_limited', uses) : answerAdmitted(call, route, claims, uses),
    );
    return { ...reply, headers: { ...dialect.rateHeaders?.(uses), ...reply.headers } };
  };

  const answerAdmitted = (
    call: Call,
    route: FoundRoute['route'],
    claims: Claims | null,
    uses: readonly RateUse[],
  ): RawReply | Promise<RawReply> => {
    if (route.access === 'application' && !isApplication(call.request)) return dialect.refuse('unauthorized', uses);
    if (route.access !== 'person') return route.answer(call);
    if (claims === null) return dialect.refuse('unauthorized', uses);
    if (route.scope !== null && !claims.scopes.includes(route.scope)) return dialect.refuse('forbidden', uses);
    const { scopes } = claims;
    return route.answer({ ...call, view: view(accounts.getOrCreate(claims)), scopes, revoke: () => revoke(claims) });
  };

  return {
    dialect,
    context,
    view,
    isRevoked: ({ seed }) => isFaulted(seed),
    async answer(request, path) {
      const { redirectUris, canNameAccount } = shared;
      if (path === oauth.authorizePath)
        return answerAuthorize(
          { dialect, client, redirectUris, signer, canNameAccount, url: context.baseUrl, now },
          request,
        );
      const body = readLate(request);
      const isToken = path === oauth.tokenPath && request.method === 'POST';
      if (isToken && (oauth.tokenForm === undefined || hasFields(oauth.tokenForm, body.form))) {
        const position = { provider, account: null, on: 'token' } as const;
        const accidents = { dialect, faults, wait: shared.wait };
        return answerWithFaults(accidents, position, [], () => answerToken(request, () => body.form));
      }
      const found = findRoute(request, path, () => body.form);
      if (found === null) return dialect.refuse('not_found', []);
      const { query } = request;
      const call: Call = {
        request,
        params: found.params,
        query,
        context,
        get form() {
          return body.form;
        },
        get json() {
          return body.json;
        },
      };
      return answerRoute(call, found);
    },
  };
}

/** Parses the body on first use, so that unauthenticated requests are rejected before. */
function readLate(request: RawRequest): Pick<Call, 'form' | 'json'> {
  let form: URLSearchParams | null = null;
  let json: Call['json'] | undefined;
  return {
    get form() {
      form ??= readForm(request);
      return form;
    },
    get json() {
      if (json === undefined) json = readJsonObject(request);
      return json;
    },
  };
}

function readForm({ headers, body }: RawRequest): URLSearchParams {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
  return new URLSearchParams(isForm ? body.toString() : '');
}

export function readJsonObject({ body }: RawRequest): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
