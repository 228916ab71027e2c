// Suunto's cloud: a watch with workouts, sleeps and 24/7 samples. Every request needs the subscription key, too.
import type { ProviderDialect } from '../dialect.ts';
import { allDayRoutes } from './all-day-routes.ts';
import { readSuuntoToken, suuntoOAuth } from './oauth.ts';
import { refuseSuunto } from './refuse.ts';
import { suuntoWebhooks } from './webhooks.ts';
import { workoutRoutes } from './workout-routes.ts';

export const suuntoDialect: ProviderDialect = {
  id: 'suunto',
  displayName: 'Suunto',
  device: 'watch',
  oauth: suuntoOAuth,
  routes: [
    ...workoutRoutes,
    ...allDayRoutes,
    {
      method: 'GET',
      path: '/oauth/deauthorize',
      access: 'person',
      scope: null,
      answer({ query, context, revoke }) {
        if (query.get('client_id') !== context.client.clientId) return { status: 400 };
        revoke();
        return { status: 200 };
      },
    },
  ],
  readToken: readSuuntoToken,
  limits: [{ per: 'application', seconds: 60, requests: () => 60 }],
  refuse: refuseSuunto,
  webhooks: suuntoWebhooks,
};
