// Open mHealth and IEEE 1752.1 data points of exported records: a header as in IEEE 1752.1, and a body by the schema it names. Pure.

import { getMetricOrThrow, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { ACTIVITY_SCHEMA, OMH_SCHEMAS, OWN_SCHEMA, SCORE_SCHEMA, SLEEP_SCHEMA } from './omh-schemas.ts';
import type { ExportedDaily, ExportedScore, ExportedSleep, ExportedWorkout, Origin, SampleParts } from './records.ts';
import { stableId } from './stable-id.ts';

type SchemaId = { readonly namespace: string; readonly name: string; readonly version: string };
const SECONDS_PER_MINUTE = 60;
const METERS_PER_KM = 1_000;

export function pointOfDay(userId: UserId, zone: Zone, { date, metric: id, value, ...origin }: ExportedDaily) {
  const { start, end } = zone.dayOf(date);
  const metric = getMetricOrThrow(id as MetricId);
  const dayId = stableId(userId, 'daily', id, date);
  const day = { id: dayId, start: timeOf(start), end: timeOf(end), isInstant: false, value };
  return pointOfMetric(userId, metric, origin, day, 'daily');
}

export function pointOfSample(userId: UserId, metric: Metric, origin: Origin, sample: SampleParts) {
  return pointOfMetric(userId, metric, origin, sample, 'sample');
}

function pointOfMetric(userId: UserId, metric: Metric, origin: Origin, parts: SampleParts, of: 'daily' | 'sample') {
  const { id, start, end, value } = parts;
  const schema = OMH_SCHEMAS[metric.id];
  const isInstant = parts.isInstant && schema?.needsInterval !== true;
  const frame = isInstant ? { date_time: start } : intervalOf(start, end);
  if (schema === undefined)
    return point(userId, id, OWN_SCHEMA, origin, end, {
      metric: metric.id,
      value: { value, unit: metric.unit },
      effective_time_frame: frame,
    });
  const isMean = of === 'daily' && metric.kind === 'mean' && schema.body?.descriptive_statistic === undefined;
  return point(userId, id, schema, origin, end, {
    [schema.field]: { value, unit: schema.unit },
    ...schema.body,
    ...(isMean && { descriptive_statistic: 'average' }),
    effective_time_frame: frame,
  });
}

export function pointOfSleep(userId: UserId, sleep: ExportedSleep) {
  return point(userId, sleep.id, SLEEP_SCHEMA, sleep, sleep.end, {
    effective_time_frame: intervalOf(sleep.start, sleep.end),
    ...durationOf('total_sleep_time', sleep.asleep_minutes),
    ...durationOf('light_sleep_duration', sleep.light_minutes),
    ...durationOf('deep_sleep_duration', sleep.deep_minutes),
    ...durationOf('rem_sleep_duration', sleep.rem_minutes),
    ...durationOf('wake_after_sleep_onset', sleep.wake_after_onset_minutes),
    ...durationOf('latency_to_sleep_onset', sleep.latency_minutes),
    ...(sleep.awakenings !== null && { number_of_awakenings: sleep.awakenings }),
    ...(sleep.efficiency_pct !== null && { sleep_efficiency_percentage: { value: sleep.efficiency_pct, unit: '%' } }),
    is_main_sleep: sleep.is_main_sleep,
  });
}

export function pointOfWorkout(userId: UserId, workout: ExportedWorkout) {
  const { distance_km: km, active_calories: kcal, steps } = workout;
  return point(userId, workout.id, ACTIVITY_SCHEMA, workout, workout.end, {
    activity_name: workout.sport_type,
    effective_time_frame: intervalOf(workout.start, workout.end),
    ...durationOf('duration', workout.duration_minutes),
    ...(km !== null && { distance: { value: km * METERS_PER_KM, unit: 'm' } }),
    ...(kcal !== null && { kcal_burned: { value: kcal, unit: 'kcal' } }),
    ...(steps !== null && { base_movement_quantity: { value: steps, unit: 'steps' } }),
  });
}

export function pointOfScore(userId: UserId, zone: Zone, score: ExportedScore) {
  const { date, type, value, computed_at: computedAt, ...rest } = score;
  const { start, end } = zone.dayOf(date);
  return point(userId, stableId(userId, 'score', type, date), SCORE_SCHEMA, null, computedAt, {
    score: type,
    value: { value, unit: 'score' },
    effective_time_frame: intervalOf(timeOf(start), timeOf(end)),
    ...rest,
  });
}

function point(userId: UserId, uuid: string, schema: SchemaId, origin: Origin | null, at: string, body: object) {
  const { namespace, name, version } = schema;
  return {
    header: {
      uuid,
      schema_id: { namespace, name, version },
      source_creation_date_time: at,
      modality: 'sensed',
      user_id: userId,
      ...(origin && {
        external_datasheets: [{ datasheet_type: 'manufacturer', datasheet_reference: origin.provider }],
      }),
    },
    body,
  };
}

function intervalOf(start: string, end: string) {
  return { time_interval: { start_date_time: start, end_date_time: end } };
}

function durationOf(field: string, minutes: number | null): object {
  return minutes === null ? {} : { [field]: { value: Math.round(minutes * SECONDS_PER_MINUTE), unit: 'sec' } };
}

function timeOf(epochMs: number): string {
  return formatInstant(new Date(epochMs));
}
