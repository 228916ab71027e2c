// What a card says about a provider. Pure.
import type { Tone } from '../../shared/ui/pill.tsx';
import type { Health, ProviderSetup } from './queries.ts';
import { GOOD_OUTCOMES, words } from './words.ts';

export function describeApplication({ application }: Pick<ProviderSetup, 'application'>): { tone: Tone; text: string } {
  if (application === null) return { tone: 'plain', text: words.applications.none };
  return { tone: application === 'simulator' ? 'accent' : 'good', text: words.applications[application] };
}

/** The first sentence of a card: who is connected, and what needs attention. */
export function describePeople({ people: { active, reauthorize } }: Pick<Health, 'people'>): string {
  const total = active + reauthorize;
  if (total === 0) return words.nobody;
  const connected = words.connected(total);
  return reauthorize === 0 ? `${connected}.` : `${connected}; ${words.mustReconnect(reauthorize)}.`;
}

export function describeSyncs({ syncs }: Pick<Health, 'syncs'>): { text: string; failures: string | null } {
  if (syncs.length === 0) return { text: words.noSyncs, failures: null };
  const failed = syncs.filter(({ outcome }) => !GOOD_OUTCOMES.includes(outcome));
  const bad = sum(failed);
  return {
    text: words.synced(sum(syncs) - bad, bad),
    failures: failed.length === 0 ? null : words.failures(failed),
  };
}

/** Part of the budget that is used, at most 1. */
export function budgetShare({ used, of }: { readonly used: number; readonly of: number }): number {
  return of <= 0 ? 0 : Math.min(1, Math.max(0, used / of));
}

/** Those that need somebody first, then those that people can connect, then the others. */
export function orderProviders(providers: readonly ProviderSetup[]): ProviderSetup[] {
  const rank = ({ application, health }: ProviderSetup) => {
    if (health.people.reauthorize > 0 || health.backoff !== null) return 0;
    return application === null ? 2 : 1;
  };
  return providers.toSorted((one, other) => rank(one) - rank(other));
}

function sum(syncs: readonly { readonly runs: number }[]): number {
  return syncs.reduce((total, { runs }) => total + runs, 0);
}
