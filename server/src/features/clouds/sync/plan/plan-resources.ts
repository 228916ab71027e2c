// What of a provider is asked for by itself: what the person shares, and nothing that only others call for.
import type { CloudProvider, Resource } from '../../../../providers/contract.ts';

export type Sharing = { readonly scopes: readonly string[] | null; readonly skippedResources: readonly string[] };

export function listPolled(provider: CloudProvider, sharing: Sharing): Resource[] {
  return provider.resources.filter((resource) => resource.isFollowUp !== true && isShared(resource, sharing));
}

/** Scopes that the provider did not tell are taken as granted; it refuses what is not. */
export function isShared(
  { name, scope }: Pick<Resource, 'name' | 'scope'>,
  { scopes, skippedResources }: Sharing,
): boolean {
  return !skippedResources.includes(name) && (scope === null || scopes === null || scopes.includes(scope));
}
