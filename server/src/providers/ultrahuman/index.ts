// Ultrahuman partner API: the ring, and the glucose sensor of users who wear one. Both arrive in one answer per day, so they are
// one device of the class `ring`; its glucose ranks after devices of the class `cgm`.
import type { CloudProvider } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { about } from './about.ts';
import { HRV_COVERAGE, HRV_PARTS } from './hrv-kind.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { ultrahumanOAuth } from './oauth.ts';
import { ULTRAHUMAN_RESOURCES } from './resources.ts';

const PARTNER = 'https://partner.ultrahuman.com';

export const ultrahuman: CloudProvider = {
  id: 'ultrahuman',
  displayName: 'Ultrahuman',
  about,
  deviceClass: 'ring',
  metrics: metricIds(
    'heart_rate skin_temperature blood_oxygen steps resting_heart_rate vo2_max active_minutes blood_glucose',
  ),
  hasSleep: true,
  sleepVitals: ['sleep_heart_rate', 'sleep_skin_temperature'],
  replacesSleeps: true,
  hasWorkouts: false,
  historyDays: 365, // no limit is known, but each day is a request: a year takes six minutes of the budget
  pollMinutes: 60,
  documentation: 'https://vision.ultrahuman.com/developer-docs',
  origins: { authorize: 'https://auth.ultrahuman.com', token: PARTNER, api: PARTNER },
  oauth: ultrahumanOAuth,
  // Ultrahuman publishes no limit. This is our own: one request per second.
  budgets: [{ per: 'application', requests: 60, seconds: 60, readLeft: () => null }],
  resources: ULTRAHUMAN_RESOURCES,
  webhook: null,
  notMapped: NOT_MAPPED,
  unconfirmed: HRV_PARTS,
  partCoverage: HRV_COVERAGE,
};
