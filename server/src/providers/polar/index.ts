// Polar AccessLink v3. Only data synced after the user was registered is visible.
import type { CloudProvider } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';
import { about } from './about.ts';
import { POLAR_BUDGETS } from './budgets.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { POLAR_OAUTH } from './oauth.ts';
import { POLAR_RESOURCES } from './resources.ts';
import { POLAR_WEBHOOK } from './webhook.ts';

export const polar: CloudProvider = {
  id: 'polar',
  displayName: 'Polar',
  about,
  deviceClass: 'wrist',
  metrics: metricIds(`
    steps distance active_minutes sedentary_time light_activity moderate_activity vigorous_activity
    running_speed running_power cycling_speed cycling_power cycling_cadence
    active_calories resting_energy total_calories vo2_max weight height
    heart_rate heart_rate_variability_rmssd respiratory_rate blood_oxygen body_temperature skin_temperature
    sleep_heart_rate_variability sleep_respiratory_rate sleep_skin_temperature sleep_temperature_deviation`),
  hasSleep: true,
  sleepVitals: ['sleep_heart_rate'],
  hasWorkouts: true,
  hasRoutes: true,
  historyDays: 365,
  documentation: 'https://www.polar.com/accesslink-api/',
  origins: {
    authorize: 'https://flow.polar.com',
    token: 'https://polarremote.com',
    api: 'https://www.polaraccesslink.com',
  },
  oauth: POLAR_OAUTH,
  budgets: POLAR_BUDGETS,
  resources: POLAR_RESOURCES,
  webhook: POLAR_WEBHOOK,
  notMapped: NOT_MAPPED,
};
