// FHIR R4 Observations of exported records. Pure.

import { findMetric, getMetricOrThrow, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import { type Coding, categoryOf, codingsOf, LOINC, OWN_SYSTEM, quantityOf } from './fhir-codes.ts';
import type { ExportedDaily, ExportedScore, ExportedSleep, ExportedWorkout, Origin, SampleParts } from './records.ts';
import { stableId } from './stable-id.ts';

export function observeDay(userId: UserId, { date, metric: id, value, unit, ...origin }: ExportedDaily) {
  const metric = getMetricOrThrow(id as MetricId);
  return {
    ...startObservation(userId, stableId(userId, 'daily', id, date), origin),
    category: categoryOf(metric),
    code: { coding: codingsOf(metric, 'day') },
    effectiveDateTime: date,
    valueQuantity: quantityOf(value, unit),
  };
}

export function observeSample(userId: UserId, metric: Metric, origin: Origin, sample: SampleParts) {
  const { id, start, end, isInstant, value } = sample;
  return {
    ...startObservation(userId, id, origin),
    category: categoryOf(metric),
    code: { coding: codingsOf(metric, 'sample') },
    ...(isInstant ? { effectiveDateTime: start } : { effectivePeriod: { start, end } }),
    valueQuantity: quantityOf(value, metric.unit),
  };
}

/** Fields of a sleep whose metric is coded alike. */
const SLEEP_PARTS = [
  ['deep_minutes', 'deep_sleep'],
  ['light_minutes', 'light_sleep'],
  ['rem_minutes', 'REM'],
  ['awake_minutes', 'time_awake'],
  ['in_bed_minutes', 'time_in_bed'],
  ['latency_minutes', 'sleep_latency'],
  ['wake_after_onset_minutes', 'wake_after_sleep_onset'],
  ['awakenings', 'awakenings'],
  ['efficiency_pct', 'sleep_efficiency'],
  ['heart_rate', 'sleep_heart_rate'],
  ['heart_rate_variability', 'sleep_heart_rate_variability'],
  ['respiratory_rate', 'sleep_respiratory_rate'],
  ['blood_oxygen', 'sleep_blood_oxygen'],
  ['body_temperature', 'sleep_body_temperature'],
  ['skin_temperature', 'sleep_skin_temperature'],
  ['wrist_temperature', 'sleep_wrist_temperature'],
] as const satisfies readonly (readonly [keyof ExportedSleep, string])[];

export function observeSleep(userId: UserId, sleep: ExportedSleep) {
  const asleep = getMetricOrThrow('asleep' as MetricId);
  const stages = (sleep.stages ?? []).map(({ stage, start, end }) => ({
    code: { coding: [own(`stage_${stage}`)] },
    valuePeriod: { start, end },
  }));
  return {
    ...startObservation(userId, sleep.id, sleep),
    category: categoryOf(asleep),
    code: { coding: codingsOf(asleep, 'day') },
    effectivePeriod: { start: sleep.start, end: sleep.end },
    ...(sleep.asleep_minutes === null ? UNKNOWN : { valueQuantity: quantityOf(sleep.asleep_minutes, 'min') }),
    component: [
      { code: { coding: [own('is_main_sleep')] }, valueBoolean: sleep.is_main_sleep },
      ...SLEEP_PARTS.flatMap(([field, metric]) => measure(metric, sleep[field])),
      ...stages,
    ],
  };
}

const KIND_OF_EXERCISE = { system: LOINC, code: '73985-4' };
const WORKOUT_PARTS = [
  ['duration_minutes', { system: LOINC, code: '55411-3' }, 'min'],
  ['distance_km', { system: LOINC, code: '55412-1' }, 'km'],
  ['active_calories', { system: LOINC, code: '41981-2' }, 'kcal'],
  ['steps', { system: LOINC, code: '55423-8' }, 'count'],
  ['avg_heart_rate', own('avg_heart_rate'), 'bpm'],
  ['max_heart_rate', own('max_heart_rate'), 'bpm'],
  ['elevation_gain_m', own('elevation_gain'), 'm'],
  ['strain', own('strain'), 'score'],
] as const satisfies readonly (readonly [keyof ExportedWorkout, Coding, string])[];

export function observeWorkout(userId: UserId, workout: ExportedWorkout) {
  return {
    ...startObservation(userId, workout.id, workout),
    category: categoryOf({ category: 'activity' }),
    code: { coding: [KIND_OF_EXERCISE] },
    effectivePeriod: { start: workout.start, end: workout.end },
    valueCodeableConcept: {
      coding: [{ system: OWN_SYSTEM, code: workout.sport_type }],
      text: workout.name ?? workout.sport_type,
    },
    ...componentsOf(
      WORKOUT_PARTS.flatMap(([field, coding, unit]) => {
        const value = workout[field];
        return value === null ? [] : [{ code: { coding: [coding] }, valueQuantity: quantityOf(value, unit) }];
      }),
    ),
  };
}

export function observeScore(userId: UserId, { date, type, value, band, factors }: ExportedScore) {
  const metric = getMetricOrThrow(type as MetricId);
  return {
    ...startObservation(userId, stableId(userId, 'score', type, date), null),
    category: categoryOf(metric),
    code: { coding: codingsOf(metric, 'day') },
    effectiveDateTime: date,
    valueQuantity: quantityOf(value, metric.unit),
    ...(band !== null && { interpretation: [{ text: band }] }),
    ...componentsOf(
      factors.map(({ name, contribution }) => ({
        code: { coding: [own(name)] },
        valueQuantity: quantityOf(contribution, 'score'),
      })),
    ),
  };
}

const UNKNOWN = {
  dataAbsentReason: {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason', code: 'unknown' }],
  },
};

function startObservation(userId: UserId, id: string, origin: Origin | null) {
  return {
    resourceType: 'Observation',
    id,
    status: 'final',
    subject: { reference: `Patient/${userId}` },
    ...(origin?.device_id && { device: { reference: `Device/${origin.device_id}` } }),
  };
}

/** FHIR does not allow empty lists. */
function componentsOf(component: readonly object[]): object {
  return component.length === 0 ? {} : { component };
}

function measure(id: string, value: number | null): object[] {
  const metric = findMetric(id);
  if (value === null || metric === null) return [];
  return [{ code: { coding: codingsOf(metric, 'day') }, valueQuantity: quantityOf(value, metric.unit) }];
}

function own(code: string): Coding {
  return { system: OWN_SYSTEM, code, display: code.replaceAll('_', ' ') };
}
