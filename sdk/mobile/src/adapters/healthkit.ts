// Samples of @kingstinct/react-native-healthkit, as objects or as their JSON.
import type { Changes, Item, RecordingMethod, Sample, SleepStage, Source, Workout } from '../upload.ts';
import { groupBySource } from './group-by-source.ts';
import { findHealthKitType, type HealthKitType } from './healthkit-table.ts';
import { groupSleep, type StageSample } from './sleep-sessions.ts';
import { appleSource, recordedBy } from './sources.ts';
import { healthKitSport } from './sport-names.ts';
import { formatTime, offsetOfZone, parseTime, phoneOffsetMinutes, spreadTime, type TimeOptions } from './times.ts';
import { toServiceUnit } from './units.ts';

type Quantity = { readonly unit: string; readonly quantity: number };
type Metadata = Readonly<Record<string, unknown>>;

type BaseSample = {
  readonly uuid: string;
  readonly startDate: Date | string;
  readonly endDate: Date | string;
  readonly sourceRevision: {
    readonly source: { readonly name: string; readonly bundleIdentifier: string };
    readonly productType?: string | undefined;
    readonly operatingSystemVersion?: string | undefined;
  };
  readonly metadata?: Metadata | undefined;
};
export type KingstinctQuantitySample = BaseSample & {
  readonly quantityType: string;
  readonly quantity: number;
  readonly unit: string;
};
export type KingstinctCategorySample = BaseSample & { readonly categoryType: string; readonly value: number };
export type KingstinctCorrelation = BaseSample & {
  readonly objects: readonly (KingstinctQuantitySample | KingstinctCategorySample)[];
};
export type KingstinctWorkout = BaseSample & {
  readonly workoutActivityType: number;
  readonly duration?: Quantity | number | undefined;
  readonly totalEnergyBurned?: Quantity | undefined;
  readonly totalDistance?: Quantity | undefined;
  readonly totalSwimmingStrokeCount?: Quantity | undefined;
};

/** The results of the bridge's queries; `deletedSamples` of every anchored query. */
export type KingstinctResults = {
  readonly samples?: readonly (KingstinctQuantitySample | KingstinctCategorySample)[];
  readonly correlations?: readonly KingstinctCorrelation[];
  readonly workouts?: readonly KingstinctWorkout[];
  readonly deletedSamples?: readonly { readonly uuid: string }[];
};

/** Types that the catalog does not have are ignored. */
export function mapKingstinct(results: KingstinctResults, options: TimeOptions = {}): Changes {
  const samples = [...(results.samples ?? []), ...(results.correlations ?? []).flatMap(({ objects }) => objects)];
  const stages: { source: Source; sample: StageSample }[] = [];
  const parts = samples.flatMap((sample) => {
    const type = findHealthKitType('quantityType' in sample ? sample.quantityType : sample.categoryType);
    if (type === null) return [];
    const source = sourceOf(sample);
    if (type.kind === 'sleep') {
      const stage = toStage(sample as KingstinctCategorySample, options);
      if (stage !== null) stages.push({ source, sample: stage });
      return [];
    }
    return [{ source, items: toItems(type, sample, options) }];
  });
  const nights = groupStages(stages);
  const workouts = (results.workouts ?? []).map((workout) => ({
    source: sourceOf(workout),
    items: [toWorkout(workout, options)],
  }));
  return {
    deletedIds: (results.deletedSamples ?? []).map(({ uuid }) => uuid),
    groups: groupBySource([...parts, ...nights, ...workouts]),
  };
}

function groupStages(stages: readonly { source: Source; sample: StageSample }[]): { source: Source; items: Item[] }[] {
  const bySource = new Map<string, { source: Source; samples: StageSample[] }>();
  for (const { source, sample } of stages) {
    const key = JSON.stringify(source);
    const group = bySource.get(key) ?? { source, samples: [] };
    group.samples.push(sample);
    bySource.set(key, group);
  }
  return [...bySource.values()].map(({ source, samples }) => ({ source, items: groupSleep(samples) }));
}

function sourceOf({ sourceRevision: { source, productType, operatingSystemVersion } }: BaseSample): Source {
  return appleSource({
    bundleId: source.bundleIdentifier,
    name: source.name,
    productType,
    osVersion: operatingSystemVersion,
  });
}

function methodOf({ metadata }: BaseSample): RecordingMethod {
  const entered = metadata?.HKWasUserEntered;
  return entered === true || entered === 1 ? 'manual' : 'unknown';
}

function offsetAt({ metadata }: BaseSample, timeMs: number, { offsetMinutes = phoneOffsetMinutes }: TimeOptions) {
  return offsetOfZone(metadata?.HKTimeZone, timeMs) ?? offsetMinutes(timeMs);
}

function toItems(
  type: HealthKitType,
  sample: KingstinctQuantitySample | KingstinctCategorySample,
  options: TimeOptions,
): Item[] {
  const startMs = parseTime(sample.startDate);
  const endMs = parseTime(sample.endDate);
  const reading = readValue(type, sample, endMs - startMs);
  if (reading === null || Number.isNaN(startMs) || Number.isNaN(endMs)) return [];
  const shiftMs = type.kind === 'logged' ? spreadTime(startMs, sample.uuid) - startMs : 0;
  const offset = offsetAt(sample, startMs, options);
  const value: Sample = {
    metric: type.metric,
    start: formatTime(startMs + shiftMs, offset),
    ...(endMs > startMs && { end: formatTime(endMs + shiftMs, offset) }),
    ...reading,
    recording_method: methodOf(sample),
  };
  return [{ list: 'samples', ids: [sample.uuid], value }];
}

const STOOD = 0;

/** Null: there is nothing to send, such as an hour without standing. */
function readValue(
  type: HealthKitType,
  sample: KingstinctQuantitySample | KingstinctCategorySample,
  lengthMs: number,
): Pick<Sample, 'value' | 'unit'> | null {
  if (type.kind === 'duration') return { value: lengthMs / 1_000, unit: 's' };
  if (type.kind === 'event') return { value: 1, unit: 'count' };
  if (type.kind === 'stand_hour')
    return 'value' in sample && sample.value === STOOD ? { value: 1, unit: 'count' } : null;
  if (!('quantity' in sample) || !Number.isFinite(sample.quantity)) return null;
  const { unit, factor } = toServiceUnit(type.metric, sample.unit);
  return { value: sample.quantity * factor, unit };
}

/** HKCategoryValueSleepAnalysis, from 0. */
const STAGES: readonly SleepStage[] = ['in_bed', 'asleep', 'awake', 'light', 'deep', 'rem'];

function toStage(sample: KingstinctCategorySample, options: TimeOptions): StageSample | null {
  const stage = STAGES[sample.value];
  const startMs = parseTime(sample.startDate);
  const endMs = parseTime(sample.endDate);
  if (stage === undefined || Number.isNaN(startMs) || Number.isNaN(endMs)) return null;
  const offsetMinutes = offsetAt(sample, startMs, options);
  return { id: sample.uuid, stage, startMs, endMs, offsetMinutes, method: methodOf(sample) };
}

const METERS: Readonly<Record<string, number>> = { m: 1, km: 1_000, cm: 0.01, mi: 1_609.344, ft: 0.3048, yd: 0.9144 };
const KCAL: Readonly<Record<string, number>> = { kcal: 1, Cal: 1, cal: 0.001, kJ: 1 / 4.184, J: 1 / 4_184 };
const MINUTES: Readonly<Record<string, number>> = { s: 1 / 60, ms: 1 / 60_000, min: 1, hr: 60 };

function toWorkout(workout: KingstinctWorkout, options: TimeOptions): Item {
  const startMs = parseTime(workout.startDate);
  const offset = offsetAt(workout, startMs, options);
  const { metadata } = workout;
  const duration = typeof workout.duration === 'number' ? { unit: 's', quantity: workout.duration } : workout.duration;
  const meters = convert(workout.totalDistance, METERS);
  const value: Workout = {
    id: workout.uuid,
    sport_type: healthKitSport(workout.workoutActivityType),
    start: formatTime(startMs, offset),
    end: formatTime(parseTime(workout.endDate), offset),
    ...optional('duration_minutes', convert(duration, MINUTES)),
    ...optional('distance_km', meters === null ? null : meters / 1_000),
    ...optional('active_calories', convert(workout.totalEnergyBurned, KCAL)),
    ...optional('swimming_stroke_count', workout.totalSwimmingStrokeCount?.quantity ?? null),
    ...workoutDetails(metadata),
    ...recordedBy(workout.sourceRevision.source.bundleIdentifier, externalId(metadata)),
    recording_method: methodOf(workout),
  };
  return { list: 'workouts', ids: [workout.uuid], value };
}

/** The app's own id of a record, if it writes one. */
export function externalId(metadata: Metadata | undefined): unknown {
  return metadata?.HKExternalUUID ?? metadata?.HKMetadataKeySyncIdentifier;
}

/** Metadata that HealthKit stores as quantities. */
export function workoutDetails(metadata: Metadata | undefined): Partial<Workout> {
  const read = (key: string) => toQuantity(metadata?.[key]);
  const temperature = read('HKWeatherTemperature');
  return {
    ...optional('elevation_gain_m', convert(read('HKElevationAscended'), METERS)),
    ...optional('avg_mets', read('HKAverageMETs')?.quantity ?? null),
    ...optional('swimming_lap_length_m', convert(read('HKLapLength'), METERS)),
    ...optional('weather_temperature_c', temperature === null ? null : toCelsius(temperature)),
    ...optional('weather_humidity_pct', toPercent(read('HKWeatherHumidity')?.quantity)),
  };
}

function toQuantity(value: unknown): Quantity | null {
  if (typeof value !== 'object' || value === null || !('quantity' in value) || !('unit' in value)) return null;
  const { quantity, unit } = value;
  return typeof quantity === 'number' && typeof unit === 'string' ? { quantity, unit } : null;
}

function convert(quantity: Quantity | null | undefined, factors: Readonly<Record<string, number>>): number | null {
  const factor = quantity ? factors[quantity.unit] : undefined;
  return quantity && factor !== undefined ? quantity.quantity * factor : null;
}

function toCelsius({ quantity, unit }: Quantity): number | null {
  if (unit === 'degF') return ((quantity - 32) * 5) / 9;
  return unit === 'degC' ? quantity : null;
}

/** Apple's own workouts have 56 for 56 %, others the fraction that the unit asks for. */
function toPercent(value: number | undefined): number | null {
  if (value === undefined) return null;
  return value <= 1 ? value * 100 : value > 100 ? value / 100 : value;
}

export function optional<Name extends string>(name: Name, value: number | null): { [Key in Name]?: number } {
  return value === null || !Number.isFinite(value) ? {} : ({ [name]: value } as { [Key in Name]: number });
}
