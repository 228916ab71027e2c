// The Concept2 Logbook of somebody who does every workout on a machine of Concept2.
import type { ProviderDialect } from '../dialect.ts';
import { concept2OAuth } from './oauth.ts';
import { refuseConcept2 } from './refuse.ts';
import { resultRoutes } from './result-routes.ts';
import { userRoutes } from './user-routes.ts';
import { concept2Webhooks } from './webhooks.ts';

export const concept2Dialect: ProviderDialect = {
  id: 'concept2',
  displayName: 'Concept2',
  device: 'watch',
  oauth: concept2OAuth,
  routes: [...userRoutes, ...resultRoutes],
  limits: [{ per: 'application', seconds: 300, requests: () => 1_000 }], // none is published; for the fault rate_limited
  refuse: refuseConcept2,
  webhooks: concept2Webhooks,
};
