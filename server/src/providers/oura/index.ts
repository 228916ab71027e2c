// Oura API version 2: the ring.
import type { CloudProvider } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { about } from './about.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { ouraOAuth } from './oauth.ts';
import { OURA_RESOURCES } from './resources/index.ts';
import { ouraWebhook } from './webhook.ts';

const METRICS = metricIds(`
  steps active_calories resting_energy light_activity moderate_activity vigorous_activity sedentary_time average_met met_minutes
  heart_rate heart_rate_variability_rmssd sleep_heart_rate_min sleep_temperature_deviation blood_oxygen
  sleep_blood_oxygen breathing_disturbances stress_time_high stress_time_rest vo2_max pulse_wave_velocity mindfulness`);

export const oura: CloudProvider = {
  id: 'oura',
  displayName: 'Oura',
  about,
  deviceClass: 'ring',
  metrics: METRICS,
  hasSleep: true,
  sleepVitals: ['sleep_heart_rate', 'sleep_respiratory_rate', 'sleep_heart_rate_variability'],
  hasWorkouts: true,
  historyDays: 3_650, // everything: the first ring was sold in 2015
  documentation: 'https://cloud.ouraring.com/v2/docs',
  origins: {
    authorize: 'https://cloud.ouraring.com',
    token: 'https://api.ouraring.com',
    api: 'https://api.ouraring.com',
  },
  oauth: ouraOAuth,
  applicationHeaders: ({ clientId, clientSecret }) => ({ 'x-client-id': clientId, 'x-client-secret': clientSecret }),
  budgets: [{ per: 'application', requests: 5_000, seconds: 300, readLeft: () => null }],
  resources: OURA_RESOURCES,
  webhook: ouraWebhook,
  notMapped: NOT_MAPPED,
};
