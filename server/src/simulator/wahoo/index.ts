// Wahoo: workouts of a device, with recordings on a file server.
import type { ProviderDialect } from '../dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';
import { fileRoutes } from './file-routes.ts';
import { refuseWahoo, writeRateHeaders } from './refuse.ts';
import { wahooWebhooks } from './webhooks.ts';
import { workoutRoutes } from './workout-routes.ts';

export const wahooDialect: ProviderDialect = {
  id: 'wahoo',
  displayName: 'Wahoo',
  device: 'watch',
  oauth: {
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    scopes: ['email', 'user_read', 'workouts_read', 'offline_data'],
    scopeSeparator: ' ',
    pkce: 'optional',
    minStateCharacters: 1,
    accessSeconds: 7_200,
    clientAuthentication: ['body'],
    refresh: { isRotating: true, endsAccess: true },
    presentTokens: (grant) => presentStandardTokens(grant, { scope: grant.scopes.join(' ') }),
  },
  routes: [...workoutRoutes, ...fileRoutes],
  limits: [
    { per: 'application', seconds: 300, requests: () => 200 },
    { per: 'application', seconds: 3_600, requests: () => 1_000 },
    { per: 'application', seconds: 86_400, requests: () => 5_000 },
  ],
  rateHeaders: writeRateHeaders,
  refuse: refuseWahoo,
  webhooks: wahooWebhooks,
};
