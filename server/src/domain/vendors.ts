// Which cloud provider made a record that a phone passes on: apps write into the phone's health store what their vendor's cloud
// also sends. The vendor is known by the app's bundle or package id, its name, or the model of the device.
import { CLOUD_PROVIDER_IDS, type CloudProviderId } from './provider-ids.ts';

/** Beginnings of the words in ids and names: "com.ouraring.oura", "WHOOP 4.0", "fi.polar.polarflow". Fitbit data is Google's. */
const VENDOR_WORDS: Readonly<Record<CloudProviderId, readonly string[]>> = {
  oura: ['oura'],
  whoop: ['whoop'],
  withings: ['withings'],
  garmin: ['garmin'],
  polar: ['polar'],
  google_health: ['fitbit'],
};

/** Null: no connected cloud can have the same records. */
export function findVendor(texts: readonly (string | null)[]): CloudProviderId | null {
  const words = texts.flatMap((text) => text?.toLowerCase().split(/[^a-z0-9]+/) ?? []);
  const isNamed = (provider: CloudProviderId) =>
    VENDOR_WORDS[provider].some((vendor) => words.some((word) => word.startsWith(vendor)));
  return CLOUD_PROVIDER_IDS.find(isNamed) ?? null;
}
