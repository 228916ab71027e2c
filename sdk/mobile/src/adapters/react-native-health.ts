// Results of react-native-health. The bridge reports no deleted samples, so a deletion is found by reading a period again.
import type { Changes, Item, RecordingMethod, Sample, SleepStage, Source } from '../upload.ts';
import { groupBySource } from './group-by-source.ts';
import { externalId, optional, workoutDetails } from './healthkit.ts';
import { findHealthKitType } from './healthkit-table.ts';
import { HEALTH_METHODS, type HealthMethod } from './react-native-health-table.ts';
import { groupSleep, type StageSample } from './sleep-sessions.ts';
import { appleSource, recordedBy } from './sources.ts';
import { formatTime, offsetOfText, parseTime, phoneOffsetMinutes, spreadTime, type TimeOptions } from './times.ts';
import { toServiceUnit } from './units.ts';

export type HealthResult = {
  readonly id?: string;
  readonly value?: number | string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly sourceId?: string;
  readonly sourceName?: string;
  readonly metadata?: unknown;
  readonly bloodPressureSystolicValue?: number;
  readonly bloodPressureDiastolicValue?: number;
  readonly activityName?: string;
  readonly calories?: number;
  readonly distance?: number;
  readonly duration?: number;
  readonly device?: string;
  readonly tracked?: boolean;
  readonly start?: string;
  readonly end?: string;
};

type Options = TimeOptions & {
  /** The `unit` that you passed to the method. Default: the method's own default. */
  readonly unit?: string;
};

/** What HealthKit added up over all sources, or reports without naming one. */
const ALL_SOURCES: Source = { provider: 'apple_health', id: 'healthkit', name: 'Apple Health', device_class: 'phone' };

/** `method` is the name of the bridge's function that returned the results. */
export function mapReactNativeHealth(method: string, results: readonly HealthResult[], options: Options = {}): Changes {
  const known = HEALTH_METHODS.find((candidate) => candidate.method === method);
  if (known === undefined)
    throw new Error(`${method} is not a method that @tributary/mobile maps. See docs/mobile.md.`);
  if (known.type === 'SleepAnalysis') return { groups: mapSleep(results, options) };
  return { groups: groupBySource(results.flatMap((result) => toParts(known, result, options))) };
}

type Part = { readonly source: Source; readonly items: readonly Item[] };

function toParts(method: HealthMethod, result: HealthResult, options: Options): Part[] {
  if (method.type === 'Workout') return [{ source: sourceOf(result), items: [toWorkout(result, options)] }];
  if (method.type === 'BloodPressure')
    return [
      ...sampleOf('BloodPressureSystolic', result, result.bloodPressureSystolicValue, method.unit, options),
      ...sampleOf('BloodPressureDiastolic', result, result.bloodPressureDiastolicValue, method.unit, options),
    ];
  const shares = method.isStatistic ? sharesOf(result) : [];
  if (shares.length > 0)
    return shares.flatMap((share) => sampleOf(method.type, { ...result, ...share }, share.value, method.unit, options));
  return sampleOf(method.type, result, result.value, method.unit, options);
}

/** The sum of each source. Without them, HealthKit's total is one source. */
function sharesOf({ metadata }: HealthResult): { sourceId: string; sourceName: string; value: number }[] {
  if (!Array.isArray(metadata)) return [];
  return (metadata as { sourceId: string; sourceName: string; quantity: number }[]).map(
    ({ sourceId, sourceName, quantity }) => ({ sourceId, sourceName, value: quantity }),
  );
}

function sampleOf(
  typeName: string,
  result: HealthResult,
  reported: number | string | undefined,
  defaultUnit: string,
  options: Options,
): Part[] {
  const type = findHealthKitType(typeName);
  const { startMs, endMs, offset } = periodOf(result, options);
  const value = type?.kind === 'duration' ? (endMs - startMs) / 1_000 : reported;
  if (type === null || typeof value !== 'number' || !Number.isFinite(value) || Number.isNaN(startMs)) return [];
  const { unit, factor } = toServiceUnit(type.metric, type.kind === 'duration' ? 's' : (options.unit ?? defaultUnit));
  const shiftMs = type.kind === 'logged' ? spreadTime(startMs, result.id) - startMs : 0;
  const sample: Sample = {
    metric: type.metric,
    start: formatTime(startMs + shiftMs, offset),
    ...(endMs > startMs && { end: formatTime(endMs + shiftMs, offset) }),
    value: value * factor,
    unit,
    recording_method: methodOf(result),
  };
  const ids = result.id === undefined ? {} : { ids: [result.id] };
  return [{ source: sourceOf(result), items: [{ list: 'samples', ...ids, value: sample }] }];
}

function periodOf({ startDate, endDate, start, end }: HealthResult, options: Options) {
  const [from, to] = [startDate ?? start, endDate ?? end];
  const startMs = parseTime(from);
  const endMs = to === undefined ? startMs : parseTime(to);
  const offset = offsetOfText(from) ?? (options.offsetMinutes ?? phoneOffsetMinutes)(startMs);
  return { startMs, endMs, offset };
}

function sourceOf({ sourceId, sourceName, device }: HealthResult): Source {
  if (sourceId === undefined) return ALL_SOURCES;
  return appleSource({ bundleId: sourceId, name: sourceName, productType: device === '' ? undefined : device });
}

function methodOf({ metadata, tracked }: HealthResult): RecordingMethod {
  const entered = (metadata as { HKWasUserEntered?: unknown } | null | undefined)?.HKWasUserEntered;
  return entered === true || entered === 1 || tracked === false ? 'manual' : 'unknown';
}

const STAGES: Readonly<Record<string, SleepStage>> = {
  INBED: 'in_bed',
  ASLEEP: 'asleep',
  CORE: 'light',
  DEEP: 'deep',
  REM: 'rem',
  AWAKE: 'awake',
};

function mapSleep(results: readonly HealthResult[], options: Options) {
  const parts = results.flatMap((result) => {
    const stage = STAGES[String(result.value)];
    const { startMs, endMs, offset } = periodOf(result, options);
    if (stage === undefined || result.id === undefined || Number.isNaN(startMs) || Number.isNaN(endMs)) return [];
    const sample: StageSample = {
      id: result.id,
      stage,
      startMs,
      endMs,
      offsetMinutes: offset,
      method: methodOf(result),
    };
    return [{ source: sourceOf(result), sample }];
  });
  const keys = [...new Set(parts.map(({ source }) => JSON.stringify(source)))];
  return keys.map((key) => {
    const samples = parts.filter(({ source }) => JSON.stringify(source) === key).map(({ sample }) => sample);
    return { source: JSON.parse(key) as Source, items: groupSleep(samples) };
  });
}

const KM_PER_MILE = 1.609344;

/** Distances of workouts are in miles, whatever unit was asked for. */
function toWorkout(result: HealthResult, options: Options): Item {
  const { startMs, endMs, offset } = periodOf(result, options);
  const { id, activityName = 'other', calories, distance, duration } = result;
  const metadata = result.metadata as Readonly<Record<string, unknown>> | undefined;
  return {
    list: 'workouts',
    ...(id !== undefined && { ids: [id] }),
    value: {
      ...(id !== undefined && { id }),
      sport_type: activityName,
      start: formatTime(startMs, offset),
      end: formatTime(endMs, offset),
      ...optional('duration_minutes', duration === undefined ? null : duration / 60),
      ...optional('distance_km', distance ? distance * KM_PER_MILE : null),
      ...optional('active_calories', calories || null),
      ...workoutDetails(metadata),
      ...recordedBy(result.sourceId, externalId(metadata)),
      recording_method: methodOf(result),
    },
  };
}
