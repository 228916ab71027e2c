// Applications as notices name them, remembered for a moment: a burst of notices costs a few reads.
import type { Services } from '../../../platform/services.ts';
import type { WebhookRule, WebhookSecrets } from '../../../providers/contract.ts';
import { listAppsById, type ProviderApp } from '../provider-apps/index.ts';
import { listAcceptedSecrets, openFacts } from '../subscriptions/index.ts';

export type KnownApp = {
  readonly app: ProviderApp;
  /** One for each secret that it is registered with, or was until a moment ago: they differ in that alone. */
  readonly secrets: readonly WebhookSecrets[];
  /** Those of `secrets` that verifying has to try. */
  readonly verifiers: readonly WebhookSecrets[];
};
type Remembered = { readonly known: Promise<KnownApp | null>; readonly untilMs: number };

/** Short, as a secret may just have been told. */
const REMEMBERED_MS = 2_000;
const MAX_REMEMBERED = 1_000;
const remembered = new WeakMap<Services['db'], Map<string, Remembered>>();

/** Null: there is no such application. */
export function knowApp(services: Services, provider: string, appId: string): Promise<KnownApp | null> {
  const apps = remembered.getOrInsertComputed(services.db, () => new Map());
  const key = `${provider} ${appId}`;
  const found = apps.get(key);
  if (found !== undefined && found.untilMs > performance.now()) return found.known;
  if (apps.size >= MAX_REMEMBERED) apps.clear(); // addresses that somebody made up
  const known = open(services, provider, appId);
  apps.set(key, { known, untilMs: performance.now() + REMEMBERED_MS });
  known.catch(() => apps.delete(key));
  return known;
}

export function forgetApp({ db }: Services, provider: string, appId: string): void {
  remembered.get(db)?.delete(`${provider} ${appId}`);
}

async function open(services: Services, provider: string, appId: string): Promise<KnownApp | null> {
  const apps = await listAppsById(services, provider, appId);
  const [app] = apps;
  if (app === undefined) return null;
  const facts = await openFacts(services, app);
  const secrets = apps.flatMap((one) => listAcceptedSecrets(services, one, facts));
  return { app, secrets, verifiers: listVerifiers(app.provider.webhook?.trust ?? null, secrets) };
}

/** A signature does not depend on the address, which has several versions: it is computed once for each signing secret. */
export function listVerifiers(
  trust: WebhookRule['trust'] | null,
  secrets: readonly WebhookSecrets[],
): readonly WebhookSecrets[] {
  if (trust !== 'hmac') return secrets;
  const signs = ({ clientSecret, signingSecret }: WebhookSecrets) => JSON.stringify([clientSecret, signingSecret]);
  return [...new Map(secrets.map((one) => [signs(one), one])).values()];
}
