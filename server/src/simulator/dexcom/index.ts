// Dexcom, version 3: a sensor on the arm. It sends no webhooks, has one scope, and reports everything an hour late.
import type { ProviderDialect } from '../dialect.ts';
import { dexcomOAuth } from './oauth.ts';
import { recordRoutes } from './record-routes.ts';
import { refuseDexcom } from './refuse.ts';

export const dexcomDialect: ProviderDialect = {
  id: 'dexcom',
  displayName: 'Dexcom',
  device: 'watch', // the life behind the readings
  oauth: dexcomOAuth,
  routes: recordRoutes,
  limits: [{ per: 'application', seconds: 3_600, requests: () => 60_000 }],
  refuse: refuseDexcom,
  webhooks: null,
};
