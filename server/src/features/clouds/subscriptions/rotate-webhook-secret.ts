// Rotates the secret in the webhook URL of a provider. The previous URL keeps working for a while, until the provider has the new
// one.
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Services } from '../../../platform/services.ts';
import { type ProviderApp, type RecordChange, webhookUrlOf } from '../provider-apps/index.ts';
import { endPreviousWebhook, raiseWebhookVersion } from './store.ts';
import { keyOf, openRegistration } from './webhook-registration.ts';

/** Long enough for an operator to enter the new URL at the vendor and for users' subscriptions to be replaced. */
const OVERLAP_MS = 7 * DAY_MS;

type WebhookAddress = { readonly url: string; readonly previousUntil: Date | null };

export async function rotateWebhookSecret(
  services: Pick<Services, 'clock' | 'db' | 'derivedSecrets' | 'settings'>,
  app: ProviderApp,
  record: RecordChange,
): Promise<WebhookAddress> {
  const previousUntil = new Date(services.clock.now().getTime() + OVERLAP_MS);
  const version = await services.db.transaction(async (tx) => {
    await record(tx);
    return raiseWebhookVersion(tx, keyOf(app), previousUntil);
  });
  return { url: webhookUrlOf(services, app, version), previousUntil };
}

/** The previous URL stops working at once. */
export async function endWebhookOverlap(
  services: Pick<Services, 'db' | 'derivedSecrets' | 'secrets' | 'settings'>,
  app: ProviderApp,
  record: RecordChange,
): Promise<WebhookAddress> {
  await services.db.transaction(async (tx) => {
    await record(tx);
    await endPreviousWebhook(tx, keyOf(app));
  });
  const { webhookVersion } = await openRegistration(services, app);
  return { url: webhookUrlOf(services, app, webhookVersion), previousUntil: null };
}
