// Which cloud provider a record on the phone comes from: apps write into the phone's health store what their vendor's
// cloud also sends. The vendor is recognized by the app's bundle or package id, its name, or the model of the device.
import { appWordsOf, CLOUD_PROVIDER_IDS, type CloudProviderId } from './provider-ids.ts';

/** The vendor of what an app passes on that records nothing itself. */
const OTHER_VENDOR = 'other';
/** Such apps: Health Sync, RunGap, HealthFit and so on copy between accounts and health stores. */
const FORWARDING_APPS = ['healthsync', 'rungap', 'healthfit', 'syncmytracks', 'fitnesssyncer', 'strava'];

/** Null if no connected account can have the same records. */
export function findVendor(texts: readonly (string | null)[]): CloudProviderId | typeof OTHER_VENDOR | null {
  const words = texts.flatMap((text) => text?.toLowerCase().split(/[^a-z0-9]+/) ?? []);
  const isNamed = (names: readonly string[]) => names.some((name) => words.some((word) => word.startsWith(name)));
  const vendor = CLOUD_PROVIDER_IDS.find((provider) => isNamed(appWordsOf(provider)));
  return vendor ?? (isNamed(FORWARDING_APPS) ? OTHER_VENDOR : null);
}

/** The same as the provider of a record; null if it is not recognized. */
export function nameVendor(texts: readonly (string | null)[]): string | null {
  const vendor = findVendor(texts);
  return vendor === OTHER_VENDOR ? null : vendor;
}

/** Most of their records come from other vendors' devices. */
const RELAYS: ReadonlySet<string> = new Set(['strava', 'apple_health', 'health_connect', OTHER_VENDOR]);

/** Whether a record received from this vendor may come from any other; null: the vendor is not known. */
export function isRelay(vendor: string | null): boolean {
  return vendor === null || RELAYS.has(vendor);
}
