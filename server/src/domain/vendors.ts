// Which cloud provider a record on the phone comes from: apps write into the phone's health store what their vendor's
// cloud also sends. The vendor is recognized by the app's bundle or package id, its name, or the model of the device.
import { CLOUD_PROVIDER_IDS, type CloudProviderId } from './provider-ids.ts';

/**
 * Prefixes of words in ids and names: "com.ouraring.oura", "WHOOP 4.0", "fi.polar.polarflow". Fitbit data belongs to
 * Google.
 */
const VENDOR_WORDS: Readonly<Record<CloudProviderId, readonly string[]>> = {
  oura: ['oura'],
  whoop: ['whoop'],
  withings: ['withings'],
  garmin: ['garmin'],
  polar: ['polar'],
  google_health: ['fitbit'],
};

/** Null if no connected cloud can have the same records. */
export function findVendor(texts: readonly (string | null)[]): CloudProviderId | null {
  const words = texts.flatMap((text) => text?.toLowerCase().split(/[^a-z0-9]+/) ?? []);
  const isNamed = (provider: CloudProviderId) =>
    VENDOR_WORDS[provider].some((vendor) => words.some((word) => word.startsWith(vendor)));
  return CLOUD_PROVIDER_IDS.find(isNamed) ?? null;
}
