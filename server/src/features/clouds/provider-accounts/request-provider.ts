// Sends one request within the rate limit budget, and measures it.
import type { Services } from '../../../platform/services.ts';
import type { ProviderAnswer, ProviderFailure, ProviderRequest } from '../../../providers/contract.ts';
import type { ProviderApp } from '../provider-apps/index.ts';
import { applyRateLimits, takeBudget } from './budgets.ts';
import { callProvider, failureOf, type ProviderReply } from './call-provider.ts';

/**
 * No budget left. `isShare`: nothing was sent, and more urgent requests may still have budget. Otherwise the provider itself is
 * rate limiting.
 */
type Waiting = { readonly waitUntil: Date; readonly isShare: boolean };
type ProviderReplyOrWait =
  | { readonly reply: ProviderReply }
  | { readonly failure: Exclude<ProviderFailure, 'rate_limited'>; readonly status: number | null }
  | Waiting;

type ProviderQuery = {
  readonly request: ProviderRequest;
  /** Null: a request of the application, or without credentials. */
  readonly person: { readonly providerUserId: string; readonly accessToken: string } | null;
  /** The part of the budget that this request may use. */
  readonly share?: number;
  /** Reads a failure that the HTTP status does not show. */
  readonly readFailure?: ((answer: ProviderAnswer) => ProviderFailure | null) | null;
  /** Responses that count as success whatever their status. */
  readonly isGood?: (answer: ProviderAnswer) => boolean;
};

/** What a request to a provider needs: its budget, the connection and the metrics. */
export type ProviderCallServices = Pick<
  Services,
  'clock' | 'db' | 'derivedSecrets' | 'metrics' | 'outbound' | 'ownOutbound'
>;

export async function requestProvider(
  services: ProviderCallServices,
  app: ProviderApp,
  providerQuery: ProviderQuery,
): Promise<ProviderReplyOrWait> {
  const { request, person } = providerQuery;
  const personId = person?.providerUserId ?? null;
  const wait = await takeBudget(services, app, personId, providerQuery.share);
  if (wait !== null) {
    services.metrics.observeProviderCall(app.provider.id, 'no_budget', 0);
    return { waitUntil: wait, isShare: providerQuery.share !== undefined };
  }
  const beganMs = performance.now();
  const reply = await callProvider(services, app, request, person?.accessToken ?? null);
  const failure = 'failed' in reply ? 'unavailable' : judge(reply, providerQuery);
  const seconds = (performance.now() - beganMs) / 1_000;
  services.metrics.observeProviderCall(app.provider.id, failure ?? 'ok', seconds);
  if ('failed' in reply) return { failure: 'unavailable', status: null };
  const waitUntil = await applyRateLimits(services, app, personId, reply, failure === 'rate_limited');
  if (failure === null) return { reply };
  if (failure !== 'rate_limited') return { failure, status: reply.status };
  return { waitUntil: waitUntil ?? services.clock.now(), isShare: false };
}

function judge(answer: ProviderAnswer, { readFailure, isGood }: ProviderQuery): ProviderFailure | null {
  if (isGood?.(answer) === true) return null;
  return readFailure?.(answer) ?? failureOf(answer);
}
