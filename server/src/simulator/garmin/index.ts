// Garmin's Health and Activity APIs: a watch whose data is pushed, not pulled.
import type { ProviderDialect } from '../dialect.ts';
import { backfillRoutes, countDays } from './backfill-routes.ts';
import { garminOAuth } from './oauth.ts';
import { pullRoutes } from './pull.ts';
import { refuseGarmin } from './refuse.ts';
import { userRoutes } from './user-routes.ts';
import { garminWebhooks } from './webhooks.ts';

const DAYS_OF_DATA_A_MINUTE = 10_000; // the limit of a production application

export const garminDialect: ProviderDialect = {
  id: 'garmin',
  displayName: 'Garmin',
  device: 'watch',
  oauth: garminOAuth,
  routes: [...userRoutes, ...backfillRoutes, ...pullRoutes],
  limits: [{ per: 'application', seconds: 60, requests: () => DAYS_OF_DATA_A_MINUTE, weigh: countDays }],
  refuse: refuseGarmin,
  webhooks: garminWebhooks,
};
