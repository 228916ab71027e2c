// Google Health, version 4: a Google watch, and manual entries.
import type { ProviderDialect } from '../dialect.ts';
import { dataRoutes } from './data-routes.ts';
import { googleOAuth } from './oauth.ts';
import { personRoutes } from './person-routes.ts';
import { refuseGoogle } from './refuse.ts';
import { keysRoute } from './signing-keys.ts';
import { subscriberRoutes } from './subscriber-routes.ts';
import { googleWebhooks } from './webhooks.ts';

export const googleHealthDialect: ProviderDialect = {
  id: 'google_health',
  displayName: 'Google Health',
  device: 'watch',
  oauth: googleOAuth,
  routes: [...personRoutes, ...dataRoutes, ...subscriberRoutes, keysRoute],
  limits: [
    { per: 'person', seconds: 60, requests: () => 300 },
    { per: 'application', seconds: 60, requests: () => 120_000 },
  ],
  refuse: refuseGoogle,
  webhooks: googleWebhooks,
};
