// Selects the resources that are fetched on their own: those that the user shares, without pure follow-ups.
import type { CloudProvider, Resource } from '../../../../providers/contract.ts';

export type Sharing = { readonly scopes: readonly string[] | null; readonly skippedResources: readonly string[] };

export function listPolled(provider: CloudProvider, sharing: Sharing): Resource[] {
  return provider.resources.filter((resource) => resource.isFollowUp !== true && isShared(resource, sharing));
}

/** If the provider did not report the scopes, all count as granted; it rejects requests for the others. */
export function isShared(
  { name, scope }: Pick<Resource, 'name' | 'scope'>,
  { scopes, skippedResources }: Sharing,
): boolean {
  return !skippedResources.includes(name) && (scope === null || scopes === null || scopes.includes(scope));
}
