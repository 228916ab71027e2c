// Withings: scales, blood pressure, thermometers, sleep mats and watches.
import type { CloudProvider, ProviderAnswer } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { type JsonObject, readNumber, readPart } from '../read-json.ts';
import { about } from './about.ts';
import { RATE_LIMITED, readStatus } from './answer.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { withingsOAuth } from './oauth.ts';
import { activityResource, intradayResource, workoutsResource } from './resources/activity.ts';
import { measuresResource } from './resources/measures.ts';
import { sleepResource, stagesResource } from './resources/sleep.ts';
import { withingsWebhook } from './webhook.ts';

const METRICS = metricIds(`
  weight height lean_body_mass body_fat_percentage body_fat_mass muscle_mass body_water_mass bone_mass visceral_fat_rating
  metabolic_age basal_metabolic_rate blood_pressure_diastolic blood_pressure_systolic blood_oxygen body_temperature
  skin_temperature pulse_wave_velocity vo2_max heart_rate heart_rate_min heart_rate_max heart_rate_variability
  heart_rate_variability_rmssd respiratory_rate steps distance floors_climbed light_activity moderate_activity vigorous_activity
  active_calories resting_energy heart_rate_zone_2_time heart_rate_zone_3_time heart_rate_zone_5_time sleep_heart_rate_min
  snoring_duration`);

const WAIT_SECONDS = 60; // the budget is per minute

export const withings: CloudProvider = {
  id: 'withings',
  displayName: 'Withings',
  about,
  deviceClass: 'scale',
  metrics: METRICS,
  hasSleep: true,
  sleepVitals: ['sleep_heart_rate', 'sleep_heart_rate_variability', 'sleep_respiratory_rate', 'sleep_body_temperature'],
  hasWorkouts: true,
  historyDays: 5_475, // everything: the first scale was sold in 2009, and fifteen years are enough
  documentation: 'https://developer.withings.com/api-reference',
  origins: {
    authorize: 'https://account.withings.com',
    token: 'https://wbsapi.withings.net',
    api: 'https://wbsapi.withings.net',
  },
  oauth: withingsOAuth,
  budgets: [{ per: 'application', requests: 120, seconds: 60, readLeft: readWait }],
  resources: [measuresResource, activityResource, workoutsResource, intradayResource, sleepResource, stagesResource],
  webhook: withingsWebhook,
  notMapped: NOT_MAPPED,
};

function readWait({ body }: ProviderAnswer): { left: number; resetSeconds: number } | null {
  if (readStatus(body) !== RATE_LIMITED) return null;
  const reported = readPart(body as JsonObject, 'body');
  return { left: 0, resetSeconds: (reported === null ? null : readNumber(reported, 'wait_seconds')) ?? WAIT_SECONDS };
}
