// Strava API, version 3: activities that a watch recorded and its vendor uploaded.
import type { ProviderDialect } from '../dialect.ts';
import { activityRoutes } from './activity-routes.ts';
import { stravaOAuth } from './oauth.ts';
import { LIMITS, refuseStrava, writeRateHeaders } from './refuse.ts';
import { readClient, subscriptionRoutes } from './subscription-routes.ts';
import { stravaWebhooks } from './webhooks.ts';

export const stravaDialect: ProviderDialect = {
  id: 'strava',
  displayName: 'Strava',
  device: 'watch',
  oauth: stravaOAuth,
  routes: [...activityRoutes, ...subscriptionRoutes],
  readClient,
  limits: LIMITS,
  rateHeaders: writeRateHeaders,
  refuse: refuseStrava,
  webhooks: stravaWebhooks,
};
