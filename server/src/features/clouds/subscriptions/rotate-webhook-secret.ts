// A new secret address for the webhooks of a provider. The one before goes on working for a while, until the provider knows the new one.
import type { Services } from '../../../platform/services.ts';
import { type ProviderApp, webhookUrlOf } from '../provider-apps/index.ts';
import { keyOf, openFacts } from './app-facts.ts';
import { endPreviousWebhook, raiseWebhookVersion } from './store.ts';

/** Long enough for an operator to enter the new address at a vendor, and for a person's subscription to be made anew. */
const OVERLAP_MS = 7 * 86_400_000;

export type WebhookAddress = { readonly url: string; readonly previousUntil: Date | null };

export async function rotateWebhookSecret(services: Services, app: ProviderApp): Promise<WebhookAddress> {
  const previousUntil = new Date(services.clock.now().getTime() + OVERLAP_MS);
  const version = await raiseWebhookVersion(services.db, keyOf(app), previousUntil);
  return { url: webhookUrlOf(services, app, version), previousUntil };
}

/** The address before the one in force stops at once. */
export async function endWebhookOverlap(services: Services, app: ProviderApp): Promise<WebhookAddress> {
  await endPreviousWebhook(services.db, keyOf(app));
  const { webhookVersion } = await openFacts(services, app);
  return { url: webhookUrlOf(services, app, webhookVersion), previousUntil: null };
}
