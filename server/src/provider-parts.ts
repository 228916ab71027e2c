// The unconfirmed parts of connectors that the operator enabled.
import { ConfigError } from './config.ts';
import type { CloudProvider } from './providers/contract.ts';
import { CLOUD_PROVIDERS } from './providers/registry.ts';

/** By provider. A name that no connector has stops the start. */
export function findParts(
  names: ReadonlySet<string>,
  providers: readonly Pick<CloudProvider, 'id' | 'unconfirmed'>[] = CLOUD_PROVIDERS,
): ReadonlyMap<string, ReadonlySet<string>> {
  const known = providers.flatMap(({ id, unconfirmed = [] }) => unconfirmed.map(({ part }) => ({ id, part })));
  const nameOf = ({ id, part }: (typeof known)[number]) => `${id}.${part}`;
  const unknown = [...names].filter((name) => !known.some((one) => nameOf(one) === name));
  if (unknown.length > 0) {
    const list = known.length === 0 ? 'no connector has one' : known.map(nameOf).join(', ');
    throw new ConfigError(
      unknown.map((name) => `TRIBUTARY_UNCONFIRMED_PARTS names "${name}", which does not exist. Known parts: ${list}.`),
    );
  }
  const enabled = known.filter((one) => names.has(nameOf(one)));
  const byProvider = Map.groupBy(enabled, ({ id }) => id as string);
  return new Map([...byProvider].map(([id, parts]) => [id, new Set(parts.map(({ part }) => part))]));
}
