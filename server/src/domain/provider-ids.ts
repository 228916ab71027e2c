// The ids of providers in settings, stored rows and the API.
export const CLOUD_PROVIDER_IDS = [
  'oura',
  'whoop',
  'withings',
  'garmin',
  'polar',
  'google_health',
  'strava',
  'dexcom',
  'suunto',
  'ultrahuman',
  'wahoo',
  'concept2',
  'coros',
] as const;
export type CloudProviderId = (typeof CLOUD_PROVIDER_IDS)[number];

/** What a provider issues besides client id and client secret, as named in settings and requests. Each has to be set. */
const EXTRA_CREDENTIALS: Readonly<Partial<Record<string, readonly string[]>>> = {
  suunto: ['subscription_key', 'notification_secret'],
};

export function extraCredentialsOf(provider: string): readonly string[] {
  return EXTRA_CREDENTIALS[provider] ?? [];
}

/** An OAuth client as the provider issued it. */
export type ProviderClient = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** By name (`extraCredentialsOf`). Absent: the provider has none. */
  readonly extras?: Readonly<Record<string, string>>;
};

/** Health stores on the phone, which connect through the Mobile SDK. */
export const ON_DEVICE_PROVIDERS = ['apple_health', 'health_connect', 'samsung_health'] as const;
export type OnDeviceProvider = (typeof ON_DEVICE_PROVIDERS)[number];

/** The provider of devices whose data was imported from files of other programs than a phone's health store. */
export const FILE_PROVIDER = 'file';
