// The ids of providers in settings, stored rows and the API.

/** What the domain has to know of a cloud provider. */
type ProviderFacts = {
  /**
   * Prefixes of words in the ids and names of its apps: "com.ouraring.oura", "WHOOP 4.0", "fi.polar.polarflow". Fitbit
   * data belongs to Google.
   */
  readonly apps: readonly string[];
  /** The further credentials that it issues besides client id and client secret, as named in settings and requests. Each has to be set. */
  readonly extraCredentials?: readonly string[];
};

/**
 * The cloud providers, in the order of the catalog. A line here and `npm run generate` register the connector and the
 * simulated cloud in the folders of that name.
 */
const PROVIDER_FACTS = {
  oura: { apps: ['oura'] },
  whoop: { apps: ['whoop'] },
  withings: { apps: ['withings'] },
  garmin: { apps: ['garmin'] },
  polar: { apps: ['polar'] },
  google_health: { apps: ['fitbit'] },
  strava: { apps: ['strava'] },
  dexcom: { apps: ['dexcom'] },
  suunto: { apps: ['suunto'], extraCredentials: ['subscription_key', 'notification_secret'] },
  ultrahuman: { apps: ['ultrahuman'] },
  wahoo: { apps: ['wahoo'] },
  concept2: { apps: ['concept2', 'ergdata'] },
  coros: { apps: ['coros'] },
} satisfies Record<string, ProviderFacts>;

export type CloudProviderId = keyof typeof PROVIDER_FACTS;
export const CLOUD_PROVIDER_IDS = Object.keys(PROVIDER_FACTS) as readonly CloudProviderId[];

const FACTS: ReadonlyMap<string, ProviderFacts> = new Map(Object.entries(PROVIDER_FACTS));

export function appWordsOf(provider: CloudProviderId): readonly string[] {
  return PROVIDER_FACTS[provider].apps;
}

export function extraCredentialsOf(provider: string): readonly string[] {
  return FACTS.get(provider)?.extraCredentials ?? [];
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
