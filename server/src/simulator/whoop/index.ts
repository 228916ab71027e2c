// WHOOP, version 2: a band that records the same as a ring, including naps and skin temperature.
import type { ProviderDialect } from '../dialect.ts';
import { collectionRoutes, cycleRoutes } from './collection-routes.ts';
import { whoopOAuth } from './oauth.ts';
import { personRoutes } from './person-routes.ts';
import { refuseWhoop, writeRateHeaders } from './refuse.ts';
import { whoopWebhooks } from './webhooks.ts';

export const whoopDialect: ProviderDialect = {
  id: 'whoop',
  displayName: 'WHOOP',
  device: 'ring',
  oauth: whoopOAuth,
  routes: [...personRoutes, ...cycleRoutes, ...collectionRoutes],
  limits: [
    { per: 'application', seconds: 60, requests: () => 100 },
    { per: 'application', seconds: 86_400, requests: () => 10_000 },
  ],
  rateHeaders: writeRateHeaders,
  refuse: refuseWhoop,
  webhooks: whoopWebhooks,
};
