// Strava API version 3: activities of any device, recorded with Strava or copied from other vendors.
import type { CloudProvider } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { about } from './about.ts';
import { STRAVA_BUDGETS } from './budgets.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { stravaOAuth } from './oauth.ts';
import { STRAVA_RESOURCES } from './resources.ts';
import { STRAVA_RESTRICTIONS } from './restrictions.ts';
import { stravaWebhook } from './webhook.ts';

export const strava: CloudProvider = {
  id: 'strava',
  displayName: 'Strava',
  about,
  deviceClass: 'app',
  metrics: metricIds('running_speed running_power cycling_speed cycling_power cycling_cadence'),
  hasSleep: false,
  sleepVitals: [],
  hasWorkouts: true,
  hasRoutes: true,
  historyDays: 5_475, // everything: Strava began in 2009, and fifteen years are enough
  documentation: 'https://developers.strava.com/docs/reference/',
  origins: {
    authorize: 'https://www.strava.com',
    token: 'https://www.strava.com',
    api: 'https://www.strava.com',
  },
  oauth: stravaOAuth,
  applicationParameters: ({ clientId, clientSecret }) => ({ client_id: clientId, client_secret: clientSecret }),
  budgets: STRAVA_BUDGETS,
  // Each poll costs a share of a thousand requests a day, and webhooks rarely fail.
  pollMinutes: 360,
  resources: STRAVA_RESOURCES,
  webhook: stravaWebhook,
  notMapped: NOT_MAPPED,
  restrictions: STRAVA_RESTRICTIONS,
};
