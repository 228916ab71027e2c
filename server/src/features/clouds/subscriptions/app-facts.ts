// What we know of our application at a provider beside its credentials: the secret and the keys that its notices are signed with.
import type { Services } from '../../../platform/services.ts';
import { ProviderAnswerError, type WebhookSecrets } from '../../../providers/contract.ts';
import { requestProvider } from '../provider-accounts/index.ts';
import { FIRST_WEBHOOK_VERSION, type ProviderApp, verificationTokenOf } from '../provider-apps/index.ts';
import { type AppKey, claimKeyReading, readFacts, saveKeys } from './store.ts';

export type AppFacts = {
  readonly signingSecret: string | null;
  readonly publicKeys: Readonly<Record<string, string>>;
  /** Of the address that webhooks come to. */
  readonly webhookVersion: number;
  /** The version before it is taken until then. Null: it is not. */
  readonly previousWebhookUntil: Date | null;
  readonly previousSigningSecret: string | null;
};

/** A notice with a key that nobody knows must not make us ask for keys as often as it comes. */
const KEYS_AT_MOST_EVERY_MS = 5 * 60_000;

export async function openFacts({ db, secrets }: Services, app: ProviderApp): Promise<AppFacts> {
  const row = await readFacts(db, keyOf(app));
  const open = (sealed: Buffer | null | undefined) => (sealed ? secrets.open(sealed, contextOfSecret(app)) : null);
  return {
    signingSecret: open(row?.sealedSigningSecret),
    publicKeys: row?.publicKeys ?? {},
    webhookVersion: row?.webhookVersion ?? FIRST_WEBHOOK_VERSION,
    previousWebhookUntil: row?.previousWebhookUntil ?? null,
    previousSigningSecret: open(row?.previousSealedSigningSecret),
  };
}

export function webhookSecretsOf(services: Services, app: ProviderApp, facts: AppFacts): WebhookSecrets {
  const { signingSecret, publicKeys, webhookVersion } = facts;
  return {
    ...app.client,
    verificationToken: verificationTokenOf(services, app, webhookVersion),
    publicKeys,
    ...(signingSecret !== null && { signingSecret }),
  };
}

/**
 * Everything that a webhook may prove itself by: what is in force, and during an overlap what was before. The version after the
 * one in force too, which nobody knows unless it was rotated a moment ago, when these facts were already read.
 */
export function listAcceptedSecrets(services: Services, app: ProviderApp, facts: AppFacts): WebhookSecrets[] {
  const { webhookVersion, previousWebhookUntil, signingSecret, previousSigningSecret } = facts;
  const isOverlap = previousWebhookUntil !== null && services.clock.now() < previousWebhookUntil;
  const versions = [webhookVersion, webhookVersion + 1, ...(isOverlap ? [webhookVersion - 1] : [])];
  const signing = [signingSecret, ...(isOverlap && previousSigningSecret !== null ? [previousSigningSecret] : [])];
  return versions.flatMap((version) =>
    signing.map((secret) =>
      webhookSecretsOf(services, app, { ...facts, webhookVersion: version, signingSecret: secret }),
    ),
  );
}

/** False: it has none, or they were read a moment ago. */
export async function refreshKeys(services: Services, app: ProviderApp): Promise<boolean> {
  const { db, clock, log } = services;
  const rule = app.provider.webhook?.publicKeys;
  if (rule === undefined) return false;
  const now = clock.now();
  const unlessSince = new Date(now.getTime() - KEYS_AT_MOST_EVERY_MS);
  if (!(await claimKeyReading(db, keyOf(app), now, unlessSince))) return false;
  const requested = await requestProvider(services, app, { request: rule.request, person: null });
  try {
    if (!('reply' in requested)) throw new ProviderAnswerError('no answer');
    await saveKeys(db, keyOf(app), rule.readKeys(requested.reply));
    return true;
  } catch (error) {
    if (!(error instanceof ProviderAnswerError)) throw error;
    log.warn({ provider: app.provider.id, reason: error.message }, 'public keys could not be read');
    return false;
  }
}

export function keyOf({ provider, id }: ProviderApp): AppKey {
  return { provider: provider.id, appId: id };
}

export function contextOfSecret({ provider, id }: ProviderApp): string {
  return `notice secret ${provider.id} ${id}`;
}
