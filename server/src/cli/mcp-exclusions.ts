// Removes the data of providers whose terms forbid its use by models from answers of the API (Form 2), and says how much. Pure.
import type { UseRestriction } from '../providers/contract.ts';
import { forbids } from '../providers/use-restrictions.ts';

/** The reply of GET /v1/users/{user_id}/devices, which user tokens may read too. */
type DevicesReply = {
  readonly restricted_providers: readonly {
    readonly provider: string;
    readonly restrictions: readonly Pick<UseRestriction, 'kind'>[];
    readonly passed_on: boolean;
  }[];
};

export function listExcluded(reply: unknown): readonly string[] {
  return (reply as DevicesReply).restricted_providers
    .filter(({ restrictions, passed_on }) => !passed_on && restrictions.some(({ kind }) => forbids('assistant', kind)))
    .map(({ provider }) => provider);
}

/** The provider of values that the service computes, possibly from excluded data. */
const COMPUTED = 'tributary';

type Source = { readonly provider: string; readonly sources?: readonly Source[] };
type Series = {
  readonly series: Readonly<Record<string, readonly unknown[]>>;
  readonly sources?: Readonly<Record<string, readonly (Source | null)[]>>;
};

/** Columns of daily values with their sources. An excluded value becomes null. */
export function excludeDays(reply: unknown, excluded: readonly string[]): object {
  const { series, sources = {}, ...rest } = reply as Series;
  let count = 0;
  const kept = Object.entries(series).map(([metric, values]) => {
    const isKept = (index: number) => {
      const source = sources[metric]?.[index] ?? null;
      return source !== null && isAllowed(listProviders(source), excluded);
    };
    const allowed = values.map((value, index) => (value === null || isKept(index) ? value : null));
    count += allowed.filter((value, index) => value !== values[index]).length;
    return [metric, allowed] as const;
  });
  return { ...rest, series: Object.fromEntries(kept), excluded: describe(excluded, count) };
}

type Item = {
  readonly source?: string | Source;
  readonly sources?: readonly Source[] | Readonly<Record<string, Source>>;
};

/** Lists of sleeps, workouts and hourly values. */
export function excludeItems(reply: unknown, excluded: readonly string[]): { readonly data: readonly object[] } {
  const { data, ...rest } = reply as { readonly data: readonly Item[] };
  const allowed = data.filter((item) => isAllowed(listItemProviders(item), excluded));
  return { ...rest, data: allowed, excluded: describe(excluded, data.length - allowed.length) } as {
    data: readonly object[];
  };
}

/** A workout without its copies from excluded providers. */
export function excludeCopies(workout: unknown, excluded: readonly string[]): object {
  const { copies, ...rest } = workout as { readonly copies: readonly Item[] };
  const allowed = copies.filter((copy) => isItemAllowed(copy, excluded));
  return { ...rest, copies: allowed, excluded: describe(excluded, copies.length - allowed.length) };
}

export function isItemAllowed(item: unknown, excluded: readonly string[]): boolean {
  return isAllowed(listItemProviders(item as Item), excluded);
}

/** The whole answer of a tool, if nothing of it can be given. `count` null: it was not read. */
export function describe(excluded: readonly string[], count: number | null) {
  return {
    providers: excluded,
    values: count,
    reason: `The terms of ${excluded.join(', ')} forbid the use of its data by models. Values that it contributed to, and values and scores that the service computes for this user, are excluded unless the operator allows it (TRIBUTARY_PASS_ON_RESTRICTED).`,
  };
}

/** Not if the source is unknown: it may be an excluded one. */
function isAllowed(providers: readonly string[], excluded: readonly string[]): boolean {
  return providers.length > 0 && providers.every((provider) => provider !== COMPUTED && !excluded.includes(provider));
}

function listProviders({ provider, sources = [] }: Source): string[] {
  return [provider, ...sources.map((source) => source.provider)];
}

function listItemProviders({ source, sources = [] }: Item): string[] {
  const first = typeof source === 'string' ? [source] : source === undefined ? [] : [source.provider];
  return [...first, ...Object.values(sources).map(({ provider }: Source) => provider)];
}
