// A short cache of provider applications, so that a burst of webhooks costs a few reads.

import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { Services } from '../../../platform/services.ts';
import type { WebhookRule, WebhookSecrets } from '../../../providers/contract.ts';
import type { ProviderAppServices } from '../provider-apps/index.ts';
import { listAppsById, type ProviderApp } from '../provider-apps/index.ts';
import { listAcceptedSecrets, openRegistration } from '../subscriptions/index.ts';

export type KnownApp = {
  readonly app: ProviderApp;
  /** One for each secret that is registered now or was until recently; they differ only in the secret. */
  readonly secrets: readonly WebhookSecrets[];
  /** The part of `secrets` that verification has to try. */
  readonly verifiers: readonly WebhookSecrets[];
};
type Remembered = { readonly known: Promise<KnownApp | null>; readonly untilMs: number };

/** Short, because a secret may just have been stored. */
const REMEMBERED_MS = 2_000;
const MAX_REMEMBERED = 1_000; // made-up URLs must not fill the memory
const remembered = new WeakMap<Services['db'], Map<string, Remembered>>();

/** Null: unknown application. */
export function findKnownApp(
  services: ProviderAppServices & Pick<Services, 'clock' | 'derivedSecrets'>,
  provider: string,
  appId: string,
): Promise<KnownApp | null> {
  const apps = remembered.getOrInsertComputed(services.db, () => createBoundedMap(MAX_REMEMBERED));
  const key = `${provider} ${appId}`;
  const found = apps.get(key);
  if (found !== undefined && found.untilMs > performance.now()) return found.known;
  const known = open(services, provider, appId);
  apps.set(key, { known, untilMs: performance.now() + REMEMBERED_MS });
  known.catch(() => apps.delete(key));
  return known;
}

export function forgetApp({ db }: Pick<Services, 'db'>, provider: string, appId: string): void {
  remembered.get(db)?.delete(`${provider} ${appId}`);
}

async function open(
  services: ProviderAppServices & Pick<Services, 'clock' | 'derivedSecrets'>,
  provider: string,
  appId: string,
): Promise<KnownApp | null> {
  const apps = await listAppsById(services, provider, appId);
  const [app] = apps;
  if (app === undefined) return null;
  const registration = await openRegistration(services, app);
  const secrets = apps.flatMap((one) => listAcceptedSecrets(services, one, registration));
  return { app, secrets, verifiers: listVerifiers(app.provider.webhook?.trust ?? null, secrets) };
}

/** A signature does not depend on the URL, which has several versions: it is computed once for each signing secret. */
export function listVerifiers(
  trust: WebhookRule['trust'] | null,
  secrets: readonly WebhookSecrets[],
): readonly WebhookSecrets[] {
  if (trust !== 'hmac') return secrets;
  const signs = ({ clientSecret, extras, signingSecret }: WebhookSecrets) =>
    JSON.stringify([clientSecret, extras, signingSecret]);
  return [...new Map(secrets.map((one) => [signs(one), one])).values()];
}
