// What we store about our application at a provider besides its credentials: signing secret, public keys and webhook version.

import { MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Services } from '../../../platform/services.ts';
import { ProviderAnswerError, type WebhookSecrets } from '../../../providers/contract.ts';
import type { ProviderCallServices } from '../provider-accounts/index.ts';
import { requestProvider } from '../provider-accounts/index.ts';
import { FIRST_WEBHOOK_VERSION, type ProviderApp, verificationTokenOf } from '../provider-apps/index.ts';
import { type AppKey, claimKeyReading, readRegistration, saveKeys } from './store.ts';

type WebhookRegistration = {
  readonly signingSecret: string | null;
  readonly publicKeys: Readonly<Record<string, string>>;
  /** Of the webhook URL. */
  readonly webhookVersion: number;
  /** The previous version is accepted until then. Null: it is not. */
  readonly previousWebhookUntil: Date | null;
  readonly previousSigningSecret: string | null;
};

/** Webhooks with an unknown key must not make us fetch the keys each time. */
const KEYS_AT_MOST_EVERY_MS = 5 * MINUTE_MS;

export async function openRegistration(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  app: ProviderApp,
): Promise<WebhookRegistration> {
  const row = await readRegistration(db, keyOf(app));
  const open = (sealed: Buffer | null | undefined) => (sealed ? secrets.open(sealed, contextOfSecret(app)) : null);
  return {
    signingSecret: open(row?.sealedSigningSecret),
    publicKeys: row?.publicKeys ?? {},
    webhookVersion: row?.webhookVersion ?? FIRST_WEBHOOK_VERSION,
    previousWebhookUntil: row?.previousWebhookUntil ?? null,
    previousSigningSecret: open(row?.previousSealedSigningSecret),
  };
}

export function webhookSecretsOf(
  services: Pick<Services, 'derivedSecrets'>,
  app: ProviderApp,
  registration: WebhookRegistration,
): WebhookSecrets {
  const { signingSecret, publicKeys, webhookVersion } = registration;
  return {
    ...app.client,
    verificationToken: verificationTokenOf(services, app, webhookVersion),
    publicKeys,
    ...(signingSecret !== null && { signingSecret }),
  };
}

/**
 * All secrets that a webhook may be verified with: the current ones, and the previous ones during an overlap. Also the next
 * version, in case a rotation happened after these values were read.
 */
export function listAcceptedSecrets(
  services: Pick<Services, 'clock' | 'derivedSecrets'>,
  app: ProviderApp,
  registration: WebhookRegistration,
): WebhookSecrets[] {
  const { webhookVersion, previousWebhookUntil, signingSecret, previousSigningSecret } = registration;
  const isOverlap = previousWebhookUntil !== null && services.clock.now() < previousWebhookUntil;
  const versions = [webhookVersion, webhookVersion + 1, ...(isOverlap ? [webhookVersion - 1] : [])];
  const signing = [signingSecret, ...(isOverlap && previousSigningSecret !== null ? [previousSigningSecret] : [])];
  return versions.flatMap((version) =>
    signing.map((secret) =>
      webhookSecretsOf(services, app, { ...registration, webhookVersion: version, signingSecret: secret }),
    ),
  );
}

/** False: the provider has no keys, or they were read recently. */
export async function refreshKeys(
  services: ProviderCallServices & Pick<Services, 'log'>,
  app: ProviderApp,
): Promise<boolean> {
  const { db, clock, log } = services;
  const rule = app.provider.webhook?.publicKeys;
  if (rule === undefined) return false;
  const now = clock.now();
  const unlessSince = new Date(now.getTime() - KEYS_AT_MOST_EVERY_MS);
  if (!(await claimKeyReading(db, keyOf(app), now, unlessSince))) return false;
  const requested = await requestProvider(services, app, { request: rule.request, person: null });
  try {
    if (!('reply' in requested)) throw new ProviderAnswerError('no response');
    await saveKeys(db, keyOf(app), rule.readKeys(requested.reply));
    return true;
  } catch (error) {
    if (!(error instanceof ProviderAnswerError)) throw error;
    log.warn({ provider: app.provider.id, reason: error.message }, 'cannot read the public keys of a provider');
    return false;
  }
}

export function keyOf({ provider, id }: ProviderApp): AppKey {
  return { provider: provider.id, appId: id };
}

/** Stored secrets are bound to this text, so that its old word for a webhook stays: with another one they cannot be opened. */
export function contextOfSecret({ provider, id }: ProviderApp): string {
  return `notice secret ${provider.id} ${id}`;
}
