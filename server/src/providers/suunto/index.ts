// Suunto Cloud API: watches. Written from the behaviour of public clients, because the reference is only open to partners.
import type { CloudProvider } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { about } from './about.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { suuntoOAuth } from './oauth.ts';
import { SUUNTO_RESOURCES } from './resources.ts';
import { PART_COVERAGE, UNCONFIRMED } from './unconfirmed.ts';
import { suuntoWebhook } from './webhook.ts';

const METRICS = metricIds('steps heart_rate blood_oxygen sleep_heart_rate_min');

export const suunto: CloudProvider = {
  id: 'suunto',
  displayName: 'Suunto',
  about,
  deviceClass: 'wrist',
  metrics: METRICS,
  hasSleep: true,
  sleepVitals: ['sleep_heart_rate'],
  hasWorkouts: true,
  hasRoutes: true,
  historyDays: 3_650, // workouts of any age; how long the 24/7 data is kept is not published
  documentation: 'https://apizone.suunto.com/',
  origins: {
    authorize: 'https://cloudapi-oauth.suunto.com',
    token: 'https://cloudapi-oauth.suunto.com',
    api: 'https://cloudapi.suunto.com',
  },
  oauth: suuntoOAuth,
  /** Besides the user's token: the gateway rejects requests without it. */
  apiHeaders: ({ extras }) => ({ 'ocp-apim-subscription-key': extras?.subscription_key ?? '' }),
  // The limit depends on the subscription and is not published: a 429 with Retry-After says when it is reached.
  budgets: [{ per: 'application', requests: 60, seconds: 60, readLeft: () => null }],
  resources: SUUNTO_RESOURCES,
  webhook: suuntoWebhook,
  notMapped: NOT_MAPPED,
  unconfirmed: UNCONFIRMED,
  partCoverage: PART_COVERAGE,
};
