// Dexcom API version 3: continuous glucose monitors (G6, G7, ONE, ONE+) from their phone apps and receivers.
import { HOUR_SECONDS } from '../../domain/time/durations.ts';
import type { CloudProvider, ProviderOrigins } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { about } from './about.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { dexcomOAuth } from './oauth.ts';
import { DEXCOM_RESOURCES, EVENTS_PART } from './resources.ts';

const originsOf = (origin: string): ProviderOrigins => ({ authorize: origin, token: origin, api: origin });

export const dexcom: CloudProvider = {
  id: 'dexcom',
  displayName: 'Dexcom',
  about,
  deviceClass: 'cgm',
  metrics: metricIds('blood_glucose glucose_time_below_range glucose_time_above_range'),
  hasSleep: false,
  sleepVitals: [],
  hasWorkouts: false,
  pollMinutes: 30, // readings are at least an hour late
  historyDays: 3_650, // the whole account
  documentation: 'https://developer.dexcom.com/docs/dexcomv3/endpoint-overview',
  origins: originsOf('https://api.dexcom.com'),
  regions: {
    us: originsOf('https://api.dexcom.com'),
    eu: originsOf('https://api.dexcom.eu'),
    jp: originsOf('https://api.dexcom.jp'),
  },
  oauth: dexcomOAuth,
  budgets: [{ per: 'application', requests: 60_000, seconds: HOUR_SECONDS, readLeft: () => null }],
  resources: DEXCOM_RESOURCES,
  webhook: null,
  notMapped: NOT_MAPPED,
  restrictions: [
    {
      kind: 'delay',
      description:
        'Dexcom delivers readings one hour late in the United States and three hours late elsewhere, and those of a receiver when it is uploaded. Never use them for alarms or treatment decisions.',
    },
    {
      kind: 'retention',
      description:
        'Your agreement with Dexcom decides how long you may keep data after a user has revoked access. No public source names a number of days, so the service deletes it only with the device or the user.',
    },
  ],
  unconfirmed: [
    {
      part: EVENTS_PART,
      reason:
        'No public source shows how an entry of carbohydrates or insulin is reported after the user has changed or deleted it; a total could keep an old amount.',
    },
  ],
  partCoverage: [{ parts: [EVENTS_PART], metrics: metricIds('carbohydrates insulin_delivery') }],
};
