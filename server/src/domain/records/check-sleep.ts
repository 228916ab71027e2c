// Checks a sleep as a device reports it.
import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import { MAX_SLEEP_MS } from '../metrics/record-limits.ts';
import { MINUTE_MS, SECOND_MS } from '../time/durations.ts';
import { type Limit, limitOfMinutes } from './check-numbers.ts';
import { isInside } from './check-times.ts';
import type { HrvKind, SleepSession, StagePeriod } from './records.ts';

type SleepNumber =
  | 'asleepMinutes'
  | 'deepMinutes'
  | 'lightMinutes'
  | 'remMinutes'
  | 'awakeMinutes'
  | 'inBedMinutes'
  | 'heartRate'
  | 'heartRateVariability'
  | 'respiratoryRate'
  | 'bloodOxygen'
  | 'bodyTemperature'
  | 'skinTemperature'
  | 'wristTemperature';
export type SleepLimits = Readonly<Record<SleepNumber, Limit>>;

/** One every ten seconds; the finest epoch that devices score is 30 s. */
export const MAX_STAGES = MAX_SLEEP_MS / (10 * SECOND_MS);

const VITALS = {
  heartRate: limitOf('sleep_heart_rate', 'bpm'),
  respiratoryRate: limitOf('sleep_respiratory_rate', 'breaths/min'),
  bloodOxygen: limitOf('sleep_blood_oxygen', '%'),
  bodyTemperature: limitOf('sleep_body_temperature', '°C'),
  skinTemperature: limitOf('sleep_skin_temperature', '°C'),
  wristTemperature: limitOf('sleep_wrist_temperature', '°C'),
};

const HRV: Readonly<Record<HrvKind, Limit>> = {
  rmssd: limitOf('sleep_heart_rate_variability', 'ms'),
  sdnn: limitOf('heart_rate_variability', 'ms'),
};

/** Time in bed may exceed the session, because some devices report only the time asleep as the session. */
const IN_BED: Limit = { min: 0, max: MAX_SLEEP_MS / MINUTE_MS, unit: 'min' };

export function limitsOfSleep(session: Pick<SleepSession, 'start' | 'end' | 'hrvKind'>): SleepLimits {
  const part = limitOfMinutes(session);
  return {
    asleepMinutes: part,
    deepMinutes: part,
    lightMinutes: part,
    remMinutes: part,
    awakeMinutes: part,
    inBedMinutes: IN_BED,
    heartRateVariability: HRV[session.hrvKind],
    ...VITALS,
  };
}

/** Overlapping stages are possible; they are resolved where minutes are counted. */
export function findStageProblem(
  session: Pick<SleepSession, 'start' | 'end'>,
  { start, end }: StagePeriod,
): 'end_before_start' | 'outside_session' | null {
  if (!(end > start)) return 'end_before_start';
  return isInside(session, start, end) ? null : 'outside_session';
}

export function orderStages(stages: readonly StagePeriod[]): readonly StagePeriod[] {
  return stages.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

function limitOf(id: string, unit: string): Limit {
  return { ...getMetricOrThrow(id as MetricId).limits, unit };
}
