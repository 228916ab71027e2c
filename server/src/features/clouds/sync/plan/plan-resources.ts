// Selects the resources that are fetched on their own: those that the user shares and that are not of a disabled part, without pure
// follow-ups.
import type { Settings } from '../../../../platform/services.ts';
import type { CloudProvider, Resource } from '../../../../providers/contract.ts';

export type Sharing = {
  readonly scopes: readonly string[] | null;
  readonly skippedResources: readonly string[];
  /** The unconfirmed parts that the operator enabled. */
  readonly parts: ReadonlySet<string>;
};

const NO_PARTS: ReadonlySet<string> = new Set();

export function partsOf(
  { unconfirmedParts }: Pick<Settings, 'unconfirmedParts'>,
  provider: string,
): ReadonlySet<string> {
  return unconfirmedParts.get(provider) ?? NO_PARTS;
}

export function isEnabled({ part }: Pick<Resource, 'part'>, parts: ReadonlySet<string>): boolean {
  return part === undefined || parts.has(part);
}

export function listPolled(provider: CloudProvider, sharing: Sharing): Resource[] {
  return provider.resources.filter((resource) => resource.isFollowUp !== true && isShared(resource, sharing));
}

/** If the provider did not report the scopes, all count as granted; it rejects requests for the others. */
export function isShared(
  resource: Pick<Resource, 'name' | 'part' | 'scope'>,
  { scopes, skippedResources, parts }: Sharing,
): boolean {
  const { name, scope } = resource;
  if (!isEnabled(resource, parts)) return false;
  return !skippedResources.includes(name) && (scope === null || scopes === null || scopes.includes(scope));
}
