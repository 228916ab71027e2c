// Polar AccessLink, version 3: a watch. Users must be registered before data can be read.
import type { ProviderDialect } from '../dialect.ts';
import { biosensingRoutes } from './biosensing-routes.ts';
import { dayRoutes } from './day-routes.ts';
import { exerciseRoutes } from './exercise-routes.ts';
import { nightRoutes } from './night-routes.ts';
import { polarOAuth } from './oauth.ts';
import { profileRoutes } from './profile-routes.ts';
import { refusePolar, writeRateHeaders } from './refuse.ts';
import { userRoutes } from './user-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { polarWebhooks } from './webhooks.ts';

export const polarDialect: ProviderDialect = {
  id: 'polar',
  displayName: 'Polar',
  device: 'watch',
  oauth: polarOAuth,
  // Users last, because `/v3/users/{id}` also matches other paths.
  routes: [
    ...exerciseRoutes,
    ...dayRoutes,
    ...nightRoutes,
    ...biosensingRoutes,
    ...profileRoutes,
    ...webhookRoutes,
    ...userRoutes,
  ],
  limits: [
    { per: 'application', seconds: 15 * 60, requests: (accountCount) => 500 + 20 * accountCount },
    { per: 'application', seconds: 86_400, requests: (accountCount) => 5_000 + 100 * accountCount },
  ],
  rateHeaders: writeRateHeaders,
  refuse: refusePolar,
  webhooks: polarWebhooks,
};
