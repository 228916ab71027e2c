// What no public source confirms about COROS, or what sources contradict each other about. Each part is off until the operator
// enables it.
import type { PartCoverage, UnconfirmedPart } from '../contract.ts';
import { metricIds } from '../metric-ids.ts';

export const DAILY = 'daily';
export const HRV = 'hrv';
export const CALORIES = 'calories';
export const SPORTS = 'sports';
export const LEGS = 'multisport_legs';
export const LINK_STATE = 'link_state';

export const UNCONFIRMED: readonly UnconfirmedPart[] = [
  {
    part: DAILY,
    reason:
      'Steps, resting heart rate and sleep times of a day: their fields are known from clients only, and sleep has no stages, so all of it is time in bed.',
  },
  { part: HRV, reason: 'ppgHrv of a day is read as RMSSD, but COROS does not say which kind of variability it is.' },
  { part: CALORIES, reason: 'calorie is read as thousandths of a kcal; the reference only says "calorie".' },
  {
    part: SPORTS,
    reason: 'Sports of the modes and submodes that only one source lists, such as indoor and trail running.',
  },
  { part: LEGS, reason: 'A multisport workout is read as the workouts in triathlonItemList, if they have times.' },
  { part: LINK_STATE, reason: 'bindState 0 ends the connection: the user removed the link in the COROS app.' },
];

export const PART_COVERAGE: readonly PartCoverage[] = [
  {
    parts: [DAILY],
    metrics: metricIds('steps resting_heart_rate'),
    hasSleep: true,
    sleepVitals: ['sleep_heart_rate'],
  },
  { parts: [DAILY, HRV], metrics: metricIds('heart_rate_variability_rmssd') },
  { parts: [DAILY, CALORIES], metrics: metricIds('active_calories') },
];
