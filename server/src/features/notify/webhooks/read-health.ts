// The webhooks of an account with their health, for the dashboard.
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { readUsage } from '../../tenancy/usage/index.ts';
import { getWebhookOrThrow } from './find-webhook.ts';
import { readHealth, type WebhookHealth } from './health-store.ts';
import { FAILING_LIMIT_MS } from './outcome-writer.ts';
import { listWebhooks } from './store.ts';
import type { Webhook } from './webhook.ts';

type Attempts = { readonly n: number; readonly bad: number };

export type HealthyWebhook = {
  readonly webhook: Webhook;
  readonly health: WebhookHealth | null;
  /** Attempts of each of the last 24 hours, oldest first. */
  readonly hours: readonly Attempts[];
  /** When it is disabled if every attempt keeps failing. */
  readonly disablesAt: Date | null;
};

const HOURS = 24;

type Context = { readonly services: Pick<Services, 'clock' | 'db'>; readonly caller: MemberCaller };

export async function listHealth(context: Context): Promise<HealthyWebhook[]> {
  const webhooks = await listWebhooks(context.services.db, context.caller.tenant);
  return addHealth(context, webhooks, null);
}

export async function readWebhookHealth(context: Context, { id }: { readonly id: string }): Promise<HealthyWebhook> {
  const webhook = await getWebhookOrThrow(context.services.db, context.caller.tenant, id);
  const [found] = await addHealth(context, [webhook], webhook.id);
  return found as HealthyWebhook;
}

async function addHealth(
  { services: { db, clock }, caller: { tenant } }: Context,
  webhooks: readonly Webhook[],
  only: string | null,
): Promise<HealthyWebhook[]> {
  const now = clock.now();
  const from = new Date(now.getTime() - DAY_MS);
  const [health, usage] = await Promise.all([
    readHealth(db, tenant, only, now),
    readUsage(db, tenant, { from, minutesFrom: from, bucketMs: HOUR_MS }),
  ]);
  return webhooks.map((webhook) => {
    const counted = usage.filter(({ kind, key }) => kind === 'delivery' && key === webhook.id);
    const found = health.get(webhook.id) ?? null;
    const disablesMs = found?.failingSince == null ? null : found.failingSince.getTime() + FAILING_LIMIT_MS;
    return {
      webhook,
      health: found,
      hours: Array.from({ length: HOURS }, (_, hour) => {
        const found = counted.find(({ index }) => index === hour);
        return { n: found?.n ?? 0, bad: found?.bad ?? 0 };
      }),
      disablesAt: disablesMs === null || webhook.status !== 'active' ? null : new Date(disablesMs),
    };
  });
}
