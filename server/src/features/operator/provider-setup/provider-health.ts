// How each provider works for an account: people, sync runs of the last day, budget and backoff.
import type { Tenant } from '../../../domain/tenancy.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Services } from '../../../platform/services.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { CLOUD_PROVIDERS } from '../../../providers/registry.ts';
import {
  type BudgetUse,
  type ConnectedPeople,
  countConnectedPeople,
  listBudgetUse,
} from '../../clouds/provider-accounts/index.ts';
import { listApps, type ProviderApp, type ProviderAppServices } from '../../clouds/provider-apps/index.ts';
import { countSyncRuns, listWaitingProviders, type SyncCount, type WaitingProvider } from '../../clouds/sync/index.ts';

type ProviderBudget = { readonly used: number; readonly of: number; readonly resetsAt: Date | null };
export type ProviderHealth = {
  readonly people: { readonly active: number; readonly reauthorize: number };
  /** Sync runs within 24 hours that stored something or failed. */
  readonly syncs: readonly Omit<SyncCount, 'provider' | 'kind'>[];
  readonly webhooks: { readonly runs: number; readonly lastAt: Date | null };
  /** Null: the provider has no limit for the whole application. */
  readonly budget: ProviderBudget | null;
  readonly backoff: Pick<WaitingProvider, 'devices' | 'until'> | null;
};

export async function readProviderHealth(
  services: ProviderAppServices & Pick<Services, 'clock'>,
  tenant: Tenant,
): Promise<ReadonlyMap<string, ProviderHealth>> {
  const { db, clock } = services;
  const now = clock.now();
  const apps = await listApps(services, tenant);
  const [people, runs, backoffs, budgets] = await Promise.all([
    countConnectedPeople(db, tenant),
    countSyncRuns(db, tenant, new Date(now.getTime() - DAY_MS)),
    listWaitingProviders(db, tenant, now),
    listBudgetUse(
      db,
      apps.map(({ id }) => id),
      now,
    ),
  ]);
  return new Map(
    CLOUD_PROVIDERS.map((provider) => {
      const app = apps.find((one) => one.provider.id === provider.id) ?? null;
      return [provider.id, describeHealth(provider, app, { people, runs, backoffs, budgets })];
    }),
  );
}

type ProviderActivity = {
  readonly people: readonly ConnectedPeople[];
  readonly runs: readonly SyncCount[];
  readonly backoffs: readonly WaitingProvider[];
  readonly budgets: readonly BudgetUse[];
};

export function describeHealth(
  provider: Pick<CloudProvider, 'id' | 'budgets'>,
  app: Pick<ProviderApp, 'id'> | null,
  activity: ProviderActivity,
): ProviderHealth {
  const ofProvider = (one: { readonly provider: string }) => one.provider === provider.id;
  const { active = 0, reauthorize = 0 } = activity.people.find(ofProvider) ?? {};
  const runs = activity.runs.filter(ofProvider);
  const fromWebhooks = runs.filter(({ kind }) => kind === 'webhook');
  const backoff = activity.backoffs.find(ofProvider);
  return {
    people: { active, reauthorize },
    syncs: sumByOutcome(runs),
    webhooks: { runs: fromWebhooks.reduce((sum, one) => sum + one.runs, 0), lastAt: latest(fromWebhooks) },
    budget: app === null ? null : findBudget(provider, app, activity.budgets),
    backoff: backoff ? { devices: backoff.devices, until: backoff.until } : null,
  };
}

function sumByOutcome(runs: readonly SyncCount[]): ProviderHealth['syncs'] {
  return [...Map.groupBy(runs, ({ outcome }) => outcome)].map(([outcome, all]) => ({
    outcome,
    runs: all.reduce((sum, one) => sum + one.runs, 0),
    lastAt: latest(all) ?? new Date(0),
  }));
}

function latest(runs: readonly SyncCount[]): Date | null {
  return runs.length === 0 ? null : new Date(Math.max(...runs.map(({ lastAt }) => lastAt.getTime())));
}

/** Of several limits the one that is used most. */
function findBudget(
  { id, budgets }: Pick<CloudProvider, 'id' | 'budgets'>,
  app: Pick<ProviderApp, 'id'>,
  uses: readonly BudgetUse[],
): ProviderBudget | null {
  const limits = budgets.filter(({ per }) => per === 'application');
  const used = limits.map(({ seconds, requests }): ProviderBudget => {
    const use = uses.find((one) => one.provider === id && one.appId === app.id && one.seconds === seconds);
    return { used: use?.used ?? 0, of: requests, resetsAt: use?.endsAt ?? null };
  });
  return used.toSorted((one, other) => other.used / other.of - one.used / one.of)[0] ?? null;
}
