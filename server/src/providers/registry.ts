// The cloud providers there are, in the order of the catalog. A connector is registered here and nowhere else.
import type { CloudProvider } from './contract.ts';

export const CLOUD_PROVIDERS: readonly CloudProvider[] = [];
