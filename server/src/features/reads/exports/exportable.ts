// Which data an export may contain, by the providers that it comes from.
import { forbids } from '../../../providers/use-restrictions.ts';
import type { RestrictedProvider } from '../../store/devices/index.ts';
import { COMPUTED_PROVIDER } from '../shared/index.ts';

/** By provider: the restrictions that forbid to export its data. */
export type ExcludedProviders = ReadonlyMap<string, readonly string[]>;

/** Of the providers that a user has data of. */
export function findExcluded(restricted: readonly RestrictedProvider[]): ExcludedProviders {
  const found = restricted.flatMap(({ provider, restrictions, isPassedOn }) => {
    const kinds = restrictions.map(({ kind }) => kind).filter((kind) => forbids('export', kind));
    return isPassedOn || kinds.length === 0 ? [] : [[provider, kinds] as const];
  });
  return new Map(found);
}

/**
 * A record may be exported if no excluded provider contributed to it. Values that the service computes can depend on any data
 * of the user, so one excluded provider excludes them.
 */
export function isExportable(
  { excluded }: { readonly excluded: ExcludedProviders },
  providers: readonly string[],
): boolean {
  if (excluded.size === 0) return true;
  return providers.every((provider) => provider !== COMPUTED_PROVIDER && !excluded.has(provider));
}
