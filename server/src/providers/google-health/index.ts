// Google Health v4, the successor of the Fitbit Web API: one account for all devices of a user.
import { METRICS } from '../../domain/metrics/index.ts';
import type { CloudProvider } from '../contract.ts';
import { about } from './about.ts';
import { DATA_TYPES } from './data-points.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { GOOGLE_OAUTH } from './oauth.ts';
import { PLANS } from './plans.ts';
import { GOOGLE_RESOURCES } from './resources.ts';
import { GOOGLE_WEBHOOK } from './webhook.ts';

const reported = new Set<string>(PLANS.flatMap(({ mapping }) => (typeof mapping.of === 'string' ? [] : mapping.of)));

export const googleHealth: CloudProvider = {
  id: 'google_health',
  displayName: 'Google Health',
  about,
  deviceClass: 'wrist', // Fitbit and Pixel Watch; merged points do not say which
  metrics: METRICS.map(({ id }) => id).filter((id) => reported.has(id)),
  hasSleep: true,
  sleepVitals: [],
  hasWorkouts: true,
  historyDays: 3_650, // no limit is documented; ten years are enough
  documentation: DATA_TYPES,
  origins: {
    authorize: 'https://accounts.google.com',
    token: 'https://oauth2.googleapis.com',
    api: 'https://health.googleapis.com',
    keys: 'https://www.gstatic.com',
  },
  oauth: GOOGLE_OAUTH,
  budgets: [
    { per: 'person', requests: 300, seconds: 60, readLeft: () => null },
    { per: 'application', requests: 120_000, seconds: 60, readLeft: () => null },
  ],
  resources: GOOGLE_RESOURCES,
  webhook: GOOGLE_WEBHOOK,
  notMapped: NOT_MAPPED,
};
