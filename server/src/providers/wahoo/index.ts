// Wahoo Cloud API: workouts of bike computers, watches and apps. https://developers.wahooligan.com/cloud
import type { CloudProvider } from '../contract.ts';
import { about } from './about.ts';
import { WAHOO_BUDGETS } from './budgets.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { WAHOO_OAUTH } from './oauth.ts';
import { WAHOO_RESOURCES } from './resources.ts';
import { WAHOO_WEBHOOK } from './webhook.ts';
import { FILES_ORIGIN } from './workout-items.ts';

export const wahoo: CloudProvider = {
  id: 'wahoo',
  displayName: 'Wahoo',
  about,
  deviceClass: 'wrist',
  metrics: [],
  hasSleep: false,
  sleepVitals: [],
  hasWorkouts: true,
  hasRoutes: true,
  historyDays: 3_650,
  documentation: 'https://cloud-api.wahooligan.com/',
  origins: {
    authorize: 'https://api.wahooligan.com',
    token: 'https://api.wahooligan.com',
    api: 'https://api.wahooligan.com',
    files: FILES_ORIGIN,
  },
  oauth: WAHOO_OAUTH,
  budgets: WAHOO_BUDGETS,
  resources: WAHOO_RESOURCES,
  webhook: WAHOO_WEBHOOK,
  notMapped: NOT_MAPPED,
};
