// Withings: a watch, a scale, a cuff and a thermometer. Every call is a POST with an action, and every response is 200.
import type { ProviderDialect } from '../dialect.ts';
import { refuseWithings } from './answer.ts';
import { dayRoutes } from './day-routes.ts';
import { measureRoute } from './measure-route.ts';
import { notifyRoutes } from './notify-routes.ts';
import { withingsOAuth } from './oauth.ts';
import { signedRoutes } from './signed-routes.ts';
import { withingsWebhooks } from './webhooks.ts';

export const withingsDialect: ProviderDialect = {
  id: 'withings',
  displayName: 'Withings',
  device: 'watch',
  oauth: withingsOAuth,
  routes: [measureRoute, ...dayRoutes, ...notifyRoutes, ...signedRoutes],
  limits: [{ per: 'application', seconds: 60, requests: () => 120 }],
  refuse: refuseWithings,
  webhooks: withingsWebhooks,
};
