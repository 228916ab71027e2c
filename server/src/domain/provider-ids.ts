// The ids of providers in settings, stored rows and the API.
export const CLOUD_PROVIDER_IDS = [
  'oura',
  'whoop',
  'withings',
  'garmin',
  'polar',
  'google_health',
  'strava',
  'ultrahuman',
  'concept2',
] as const;
export type CloudProviderId = (typeof CLOUD_PROVIDER_IDS)[number];

/** Health stores on the phone, which connect through the Mobile SDK. */
export const ON_DEVICE_PROVIDERS = ['apple_health', 'health_connect', 'samsung_health'] as const;
export type OnDeviceProvider = (typeof ON_DEVICE_PROVIDERS)[number];

/** The provider of devices whose data was imported from files of other programs than a phone's health store. */
export const FILE_PROVIDER = 'file';
