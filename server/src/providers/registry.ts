// All cloud providers, in the order of the catalog. A connector is registered only here.

import { concept2 } from './concept2/index.ts';
import type { CloudProvider } from './contract.ts';
import { coros } from './coros/index.ts';
import { dexcom } from './dexcom/index.ts';
import { garmin } from './garmin/index.ts';
import { googleHealth } from './google-health/index.ts';
import { oura } from './oura/index.ts';
import { polar } from './polar/index.ts';
import { strava } from './strava/index.ts';
import { suunto } from './suunto/index.ts';
import { ultrahuman } from './ultrahuman/index.ts';
import { wahoo } from './wahoo/index.ts';
import { whoop } from './whoop/index.ts';
import { withings } from './withings/index.ts';

export const CLOUD_PROVIDERS: readonly CloudProvider[] = [
  oura,
  whoop,
  withings,
  garmin,
  polar,
  googleHealth,
  strava,
  dexcom,
  suunto,
  ultrahuman,
  wahoo,
  concept2,
  coros,
];

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
