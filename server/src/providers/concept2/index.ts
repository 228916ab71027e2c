// Concept2 Logbook: rowing, ski and bike ergs. Results are workouts; strokes are read for each result that has them.
import type { CloudProvider } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { about } from './about.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { concept2OAuth } from './oauth.ts';
import { CONCEPT2_RESOURCES } from './resources.ts';
import { concept2Webhook } from './webhook.ts';

const ORIGIN = 'https://log.concept2.com';

export const concept2: CloudProvider = {
  id: 'concept2',
  displayName: 'Concept2',
  about,
  deviceClass: 'app', // an erg with any heart-rate sensor; no class of ours is a machine
  metrics: metricIds('cycling_cadence cycling_speed'),
  hasSleep: false,
  sleepVitals: [],
  hasWorkouts: true,
  historyDays: 3_650, // the whole logbook
  pollMinutes: 180, // webhooks report new results; polls find lost webhooks and deletions
  documentation: 'https://log.concept2.com/developers/documentation/',
  origins: { authorize: ORIGIN, token: ORIGIN, api: ORIGIN },
  oauth: concept2OAuth,
  // Concept2 publishes no limit and reserves the right to set one. This is our own: two requests per second on average.
  budgets: [{ per: 'application', requests: 600, seconds: 300, readLeft: () => null }],
  resources: CONCEPT2_RESOURCES,
  webhook: concept2Webhook,
  notMapped: NOT_MAPPED,
};
