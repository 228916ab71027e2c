// WHOOP API version 2: the band.
import { DAY_SECONDS } from '../../domain/time/durations.ts';
import type { CloudProvider } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { about } from './about.ts';
import { readRateLeft } from './budgets.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { whoopOAuth } from './oauth.ts';
import { bodyResource } from './resources/body.ts';
import { cycleResource, recoveryResource, sleepResource } from './resources/sleep.ts';
import { workoutResource } from './resources/workout.ts';
import { whoopWebhook } from './webhook.ts';

const METRICS = metricIds(`
  resting_heart_rate heart_rate_variability_rmssd blood_oxygen skin_temperature heart_rate heart_rate_max
  awakenings total_calories height weight`);

export const whoop: CloudProvider = {
  id: 'whoop',
  displayName: 'WHOOP',
  about,
  deviceClass: 'wrist',
  metrics: METRICS,
  hasSleep: true,
  sleepVitals: [
    'sleep_respiratory_rate',
    'sleep_blood_oxygen',
    'sleep_skin_temperature',
    'sleep_heart_rate_variability',
  ],
  hasWorkouts: true,
  historyDays: 3_650, // the whole membership
  documentation: 'https://developer.whoop.com/api',
  origins: {
    authorize: 'https://api.prod.whoop.com',
    token: 'https://api.prod.whoop.com',
    api: 'https://api.prod.whoop.com',
  },
  oauth: whoopOAuth,
  budgets: [
    { per: 'application', requests: 100, seconds: 60, readLeft: (answer) => readRateLeft(answer, 100) },
    { per: 'application', requests: 10_000, seconds: DAY_SECONDS, readLeft: (answer) => readRateLeft(answer, 10_000) },
  ],
  resources: [sleepResource, recoveryResource, cycleResource, workoutResource, bodyResource],
  webhook: whoopWebhook,
  notMapped: NOT_MAPPED,
};
