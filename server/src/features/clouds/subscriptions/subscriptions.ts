// Brings subscriptions at a provider to the wanted state: creates missing ones, renews those that end soon, deletes our unwanted
// ones. Those with another callback URL belong to others and stay.

import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type ProviderAccount,
  ProviderAnswerError,
  type ProviderRequest,
  type SubscriptionRule,
} from '../../../providers/contract.ts';
import type { ProviderCallServices } from '../provider-accounts/index.ts';
import { type ProviderReply, requestProvider } from '../provider-accounts/index.ts';
import { FIRST_WEBHOOK_VERSION, type ProviderApp, webhookUrlOf } from '../provider-apps/index.ts';
import { claimCheck, forgetCheck, saveSigningSecret } from './store.ts';
import { contextOfSecret, keyOf, openRegistration, webhookSecretsOf } from './webhook-registration.ts';

/** Why it failed: retry at `waitUntil`, or an operator has to look. */
type SubscriptionProblem = { readonly reason: string; readonly waitUntil: Date | null };

type Owner = ProviderAccount | null;
type Subscription = ReturnType<SubscriptionRule['readList']>[number];

/** Applies to an application, so that not every new connection checks again. */
const CHECKED_FOR_MS = DAY_MS;
/** A few daily repairs may fail before a subscription ends. */
const RENEW_BEFORE_MS = 14 * DAY_MS;

class SubscriptionError extends Error {
  readonly problem: SubscriptionProblem;

  constructor(problem: SubscriptionProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

type NeededServices = ProviderCallServices & Pick<Services, 'secrets' | 'settings'>;

/** Runs at connect and daily: repairs the subscriptions of the user, or those of the application once a day. */
export async function ensureSubscriptions(
  services: NeededServices,
  app: ProviderApp,
  account: ProviderAccount,
): Promise<SubscriptionProblem | null> {
  const rule = app.provider.webhook?.subscriptions ?? null;
  if (rule === null) return null;
  if (rule.per === 'person') return catchProblem(() => repair(services, app, rule, account));
  const now = services.clock.now();
  const since = new Date(now.getTime() - CHECKED_FOR_MS);
  return (await claimCheck(services.db, keyOf(app), now, since)) ? repairApplication(services, app) : null;
}

/** Null also if the provider has subscriptions per user, or none. */
export async function repairApplication(
  services: NeededServices,
  app: ProviderApp,
): Promise<SubscriptionProblem | null> {
  const rule = app.provider.webhook?.subscriptions ?? null;
  if (rule === null || rule.per !== 'application') return null;
  const problem = await catchProblem(() => repair(services, app, rule, null));
  if (problem !== null) await forgetCheck(services.db, keyOf(app));
  return problem;
}

/** Runs before the tokens are revoked. Best effort: providers usually end subscriptions with the consent. */
export async function endSubscriptions(
  services: NeededServices,
  app: ProviderApp,
  account: ProviderAccount,
): Promise<SubscriptionProblem | null> {
  const rule = app.provider.webhook?.subscriptions ?? null;
  if (rule === null || rule.per !== 'person') return null;
  return catchProblem(async () => {
    for (const { id } of await listOurs(services, app, rule, account))
      await sendRequest(services, app, rule.deleteRequest(id, account), account);
  });
}

async function repair(services: NeededServices, app: ProviderApp, rule: SubscriptionRule, owner: Owner): Promise<void> {
  const registration = await openRegistration(services, app);
  const mustLearnSecret = rule.readSecret !== undefined && registration.signingSecret === null;
  const ours = await listOurs(services, app, rule, owner);
  const url = webhookUrlOf(services, app, registration.webhookVersion);
  const isInForce = ({ callbackUrl = url }: Subscription) => callbackUrl === url;
  const isKept = (one: Subscription, index: number) =>
    !mustLearnSecret &&
    rule.wanted.includes(one.topic) &&
    isInForce(one) &&
    ours.findIndex((other) => other.topic === one.topic && isInForce(other)) === index;
  for (const { id } of ours.filter((one, index) => !isKept(one, index)))
    await sendRequest(services, app, rule.deleteRequest(id, owner), owner);
  const kept = ours.filter(isKept);
  for (const topic of rule.wanted) {
    const existing = kept.find((one) => one.topic === topic);
    if (existing !== undefined && !endsSoon(existing, services.clock.now())) continue;
    if (existing !== undefined && rule.renewRequest !== null)
      await sendRequest(services, app, rule.renewRequest(existing.id), owner);
    else {
      if (existing !== undefined) await sendRequest(services, app, rule.deleteRequest(existing.id, owner), owner);
      await create(services, app, rule, owner, topic);
    }
  }
}

async function create(
  services: NeededServices,
  app: ProviderApp,
  rule: SubscriptionRule,
  owner: Owner,
  topic: string,
): Promise<void> {
  const registration = await openRegistration(services, app);
  const secrets = webhookSecretsOf(services, app, registration);
  const url = webhookUrlOf(services, app, registration.webhookVersion);
  const request = rule.createRequest(topic, url, secrets, owner);
  const reply = await sendRequest(services, app, request, owner);
  const secret = rule.readSecret?.(reply) ?? null;
  if (secret !== null)
    await saveSigningSecret(services.db, keyOf(app), services.secrets.seal(secret, contextOfSecret(app)));
}

/** Includes those with a URL from before a rotation. If the provider does not report the URL, all of them are ours. */
async function listOurs(
  services: NeededServices,
  app: ProviderApp,
  rule: SubscriptionRule,
  owner: Owner,
): Promise<Subscription[]> {
  const listed = rule.readList(await sendRequest(services, app, rule.listRequest(owner), owner));
  const { webhookVersion } = await openRegistration(services, app);
  const urls = new Set(
    Array.from({ length: webhookVersion }, (_, index) => webhookUrlOf(services, app, FIRST_WEBHOOK_VERSION + index)),
  );
  return listed.filter(({ callbackUrl }) => callbackUrl === undefined || urls.has(callbackUrl));
}

function endsSoon({ endsAt }: Subscription, now: Date): boolean {
  return endsAt !== null && endsAt.getTime() - now.getTime() < RENEW_BEFORE_MS;
}

async function sendRequest(
  services: ProviderCallServices,
  app: ProviderApp,
  request: ProviderRequest,
  owner: Owner,
): Promise<ProviderReply> {
  const readFailure = app.provider.webhook?.subscriptions?.readFailure ?? null;
  const requested = await requestProvider(services, app, { request, person: owner, readFailure });
  if ('reply' in requested) return requested.reply;
  if ('waitUntil' in requested) throw new SubscriptionError({ reason: 'no budget', waitUntil: requested.waitUntil });
  throw new SubscriptionError({ reason: `subscriptions: ${requested.failure}`, waitUntil: null });
}

async function catchProblem(work: () => Promise<void>): Promise<SubscriptionProblem | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof SubscriptionError) return error.problem;
    if (error instanceof ProviderAnswerError) return { reason: error.message, waitUntil: null };
    throw error;
  }
}
