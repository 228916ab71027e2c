// The names of cloud providers, as settings, stored rows and the API write them.
export const CLOUD_PROVIDER_IDS = ['oura', 'whoop', 'withings', 'garmin', 'polar', 'google_health'] as const;
export type CloudProviderId = (typeof CLOUD_PROVIDER_IDS)[number];
