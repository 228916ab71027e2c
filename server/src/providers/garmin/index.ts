// Garmin pushes all data, also requested history. It forbids polling.
import type { CloudProvider } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { about } from './about.ts';
import { GARMIN_BACKFILL } from './backfill.ts';
import { GARMIN_KINDS } from './kinds.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { GARMIN_OAUTH } from './oauth.ts';
import { HEALTH_API } from './summaries.ts';
import { GARMIN_WEBHOOK } from './webhook.ts';

export const garmin: CloudProvider = {
  id: 'garmin',
  displayName: 'Garmin',
  about,
  deviceClass: 'wrist',
  metrics: metricIds(`
    steps distance wheelchair_pushes wheelchair_distance floors_climbed active_minutes moderate_activity vigorous_activity
    running_speed running_power cycling_speed cycling_power cycling_cadence vo2_max
    active_calories resting_energy average_met dietary_energy
    heart_rate heart_rate_min heart_rate_max resting_heart_rate heart_rate_variability_rmssd
    blood_oxygen respiratory_rate blood_pressure_systolic blood_pressure_diastolic
    stress_time_rest stress_time_low stress_time_medium stress_time_high stress_score
    sleep_heart_rate_variability sleep_temperature_deviation
    weight muscle_mass bone_mass body_water_percentage body_fat_percentage body_mass_index`),
  hasSleep: true,
  sleepVitals: ['sleep_respiratory_rate', 'sleep_blood_oxygen'],
  hasWorkouts: true,
  hasRoutes: true,
  historyDays: 30, // before the consent; contracts may allow more
  documentation: HEALTH_API,
  origins: {
    authorize: 'https://connect.garmin.com',
    token: 'https://diauth.garmin.com',
    api: 'https://apis.garmin.com',
  },
  oauth: GARMIN_OAUTH,
  // Garmin counts days of data: 10,000 per minute, so 333 requests of 30 days; an application with less gets a 429.
  budgets: [{ per: 'application', requests: 300, seconds: 60, readLeft: () => null }],
  resources: [],
  backfill: GARMIN_BACKFILL,
  pushed: GARMIN_KINDS,
  webhook: GARMIN_WEBHOOK,
  notMapped: NOT_MAPPED,
};
