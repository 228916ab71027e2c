// Ultrahuman's partner API: a ring, and a glucose sensor for everybody who shares its data. No webhooks.
import type { ProviderDialect } from '../dialect.ts';
import { ultrahumanOAuth } from './oauth.ts';
import { refuseUltrahuman } from './refuse.ts';
import { userDataRoutes } from './user-data-routes.ts';

export const ultrahumanDialect: ProviderDialect = {
  id: 'ultrahuman',
  displayName: 'Ultrahuman',
  device: 'ring',
  oauth: ultrahumanOAuth,
  routes: userDataRoutes,
  limits: [{ per: 'application', seconds: 60, requests: () => 120 }], // none is published; for the fault rate_limited
  refuse: refuseUltrahuman,
  webhooks: null,
};
