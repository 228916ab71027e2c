// All cloud providers, in the order of the catalog.
import { CONNECTORS } from './connectors.gen.ts';
import type { CloudProvider } from './contract.ts';

export const CLOUD_PROVIDERS: readonly CloudProvider[] = CONNECTORS;

export function findProvider(id: string): CloudProvider | null {
  return CLOUD_PROVIDERS.find((provider) => provider.id === id) ?? null;
}

const PHONE_NAMES = new Map([
  ['apple_health', 'Apple Health'],
  ['health_connect', 'Health Connect'],
  ['samsung_health', 'Samsung Health'],
]);

/** The name of a provider or of a health store on the phone, for texts. */
export function nameSource(provider: string): string {
  return findProvider(provider)?.displayName ?? PHONE_NAMES.get(provider) ?? provider;
}
