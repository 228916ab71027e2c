// Oura, version 2: a ring. Rate-limit headers only once the limit is reached.
import type { ProviderDialect } from '../dialect.ts';
import { collectionRoutes, heartRateRoute } from './collection-routes.ts';
import { ouraOAuth } from './oauth.ts';
import { personRoute, revokeRoutes } from './person-routes.ts';
import { refuseOura } from './refuse.ts';
import { subscriptionRoutes } from './subscription-routes.ts';
import { ouraWebhooks } from './webhooks.ts';

export const ouraDialect: ProviderDialect = {
  id: 'oura',
  displayName: 'Oura',
  device: 'ring',
  oauth: ouraOAuth,
  routes: [personRoute, heartRateRoute, ...collectionRoutes, ...subscriptionRoutes, ...revokeRoutes],
  readClient: ({ headers }) => {
    const { 'x-client-id': clientId, 'x-client-secret': clientSecret } = headers;
    return clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };
  },
  limits: [{ per: 'application', seconds: 300, requests: () => 5_000 }],
  refuse: refuseOura,
  webhooks: ouraWebhooks,
};
