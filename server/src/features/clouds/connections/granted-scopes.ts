// Reads the scopes that the user granted, and compares the categories that they open with those that we asked for. Pure.
import { SCOPES } from '../../../domain/metrics/categories.ts';
import type { CloudProvider, TokenSet } from '../../../providers/contract.ts';
import type { DeviceScopes } from '../../store/devices/index.ts';

type ScopedProvider = {
  readonly oauth: Pick<CloudProvider['oauth'], 'scopes'>;
  readonly resources: readonly Pick<CloudProvider['resources'][number], 'scope'>[];
};

/** A category of which only a part is shared is both granted and missing. Null: the provider did not report its scopes. */
export function compareScopes({ oauth }: ScopedProvider, { scopes }: Pick<TokenSet, 'scopes'>): DeviceScopes | null {
  if (scopes === null) return null;
  const requested = Object.entries(oauth.scopes);
  const listCategories = (isWanted: (scope: string) => boolean) => {
    const opened = new Set(requested.filter(([scope]) => isWanted(scope)).flatMap(([, categories]) => categories));
    return SCOPES.filter((category) => opened.has(category));
  };
  return {
    granted: listCategories((scope) => scopes.includes(scope)),
    missing: listCategories((scope) => !scopes.includes(scope)),
  };
}

/**
 * Null: the redirect does not list them, or not under the names that we asked for. It passes through the browser, so it can only
 * withhold what the tokens open.
 */
export function readRedirectScopes(
  {
    scopes,
    hasScopeOnRedirect,
    impliedScopes = {},
  }: Pick<CloudProvider['oauth'], 'scopes' | 'hasScopeOnRedirect' | 'impliedScopes'>,
  query: URLSearchParams,
): readonly string[] | null {
  const listed = hasScopeOnRedirect ? query.get('scope') : null;
  if (listed === null) return null;
  const granted = listed.split(/[ ,]+/).filter((scope) => scope !== '');
  if (!granted.every((scope) => Object.hasOwn(scopes, scope))) return null;
  return [...new Set(granted.flatMap((scope) => [scope, ...(impliedScopes[scope] ?? [])]))];
}

/** False: the tokens open no resource with data. */
export function sharesData({ resources }: ScopedProvider, { scopes }: Pick<TokenSet, 'scopes'>): boolean {
  if (scopes === null || resources.length === 0) return true;
  return resources.some(({ scope }) => scope === null || scopes.includes(scope));
}
