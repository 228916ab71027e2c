// Records and changes of react-native-health-connect.
import type { Changes, Item, RecordingMethod, SleepStage, Source } from '../upload.ts';
import { groupBySource } from './group-by-source.ts';
import { RECORD_TYPES, type RecordType, type RecordValue } from './health-connect-table.ts';
import { androidSource, cleanText, recordedBy } from './sources.ts';
import { healthConnectSport } from './sport-names.ts';
import { formatTime, parseTime, phoneOffsetMinutes, spreadTime, type TimeOptions } from './times.ts';

type Fields = Readonly<Record<string, unknown>>;
type ZoneOffset = { readonly totalSeconds: number };

export type HealthConnectRecord = {
  /** Only in changes; `readRecords` knows it from its first argument. */
  readonly recordType?: string;
  readonly time?: string;
  readonly zoneOffset?: ZoneOffset | null;
  readonly startTime?: string;
  readonly endTime?: string;
  readonly startZoneOffset?: ZoneOffset | null;
  readonly metadata?: {
    readonly id?: string;
    readonly dataOrigin?: string;
    readonly clientRecordId?: string | null;
    readonly recordingMethod?: number;
    readonly device?: { readonly manufacturer?: string; readonly model?: string; readonly type?: number } | null;
  };
};

export type HealthConnectChanges = {
  readonly upsertionChanges: readonly { readonly record: HealthConnectRecord }[];
  readonly deletionChanges: readonly { readonly recordId: string }[];
};

const byType = new Map(RECORD_TYPES.map((type) => [type.recordType, type]));

/** The results of `readRecords(recordType, …)`. Types that the catalog does not have are ignored. */
export function mapHealthConnectRecords(
  recordType: string,
  records: readonly HealthConnectRecord[],
  options: TimeOptions = {},
): Changes {
  return {
    groups: mapRecords(
      records.map((record) => ({ recordType, record })),
      options,
    ),
  };
}

/** The results of `getChanges`. A changed record may have other times, so the earlier record is deleted first. */
export function mapHealthConnectChanges(changes: HealthConnectChanges, options: TimeOptions = {}): Changes {
  const upserted = changes.upsertionChanges.map(({ record }) => ({ recordType: record.recordType ?? '', record }));
  const ids = [
    ...changes.deletionChanges.map(({ recordId }) => recordId),
    ...upserted.flatMap(({ record }) => record.metadata?.id ?? []),
  ];
  return { deletedIds: [...new Set(ids)], groups: mapRecords(upserted, options) };
}

function mapRecords(records: readonly { recordType: string; record: HealthConnectRecord }[], options: TimeOptions) {
  return groupBySource(
    records.flatMap(({ recordType, record }) => {
      const type = byType.get(recordType.replace(/Record$/, ''));
      return type === undefined ? [] : [{ source: sourceOf(record), items: toItems(type, record, options) }];
    }),
  );
}

function sourceOf({ metadata }: HealthConnectRecord): Source {
  const { manufacturer, model, type } = metadata?.device ?? {};
  return androidSource({ packageName: metadata?.dataOrigin ?? 'health_connect', manufacturer, model, type });
}

const METHODS: readonly RecordingMethod[] = ['unknown', 'active', 'automatic', 'manual'];

type Context = {
  readonly startMs: number;
  readonly endMs: number;
  readonly ids: readonly string[] | undefined;
  readonly method: RecordingMethod;
  format(timeMs: number): string;
};

function toItems(type: RecordType, record: HealthConnectRecord, options: TimeOptions): Item[] {
  const startMs = parseTime(record.startTime ?? record.time);
  const endMs = record.endTime === undefined ? startMs : parseTime(record.endTime);
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return [];
  const zone = record.startZoneOffset ?? record.zoneOffset;
  const offset = zone ? Math.round(zone.totalSeconds / 60) : (options.offsetMinutes ?? phoneOffsetMinutes)(startMs);
  const id = record.metadata?.id;
  const context: Context = {
    startMs,
    endMs,
    ids: id === undefined ? undefined : [id],
    method: METHODS[record.metadata?.recordingMethod ?? 0] ?? 'unknown',
    format: (timeMs) => formatTime(timeMs, offset),
  };
  if (type.kind === 'sleep') return [toSleep(record, context)];
  if (type.kind === 'workout') return [toWorkout(record, context)];
  if (type.kind === 'duration')
    return type.values.flatMap((value) => toSample(value, (endMs - startMs) / 1_000, startMs, endMs, context));
  if (type.kind === 'series') return type.values.flatMap((value) => toSeries(value, record as Fields, context));
  if (type.kind === 'skin_temperature') return toSkinTemperature(type, record as Fields, context);
  const shiftMs = type.kind === 'logged' ? spreadTime(startMs, id) - startMs : 0;
  return type.values.flatMap((value) =>
    toSample(value, readPath(record as Fields, value.path), startMs + shiftMs, endMs + shiftMs, context),
  );
}

function toSample(
  { metric, unit }: RecordValue,
  value: unknown,
  startMs: number,
  endMs: number,
  context: Context,
): Item[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return [];
  const sample = {
    metric,
    start: context.format(startMs),
    ...(endMs > startMs && { end: context.format(endMs) }),
    value,
    unit,
    recording_method: context.method,
  };
  return [{ list: 'samples', ...(context.ids && { ids: context.ids }), value: sample }];
}

/** `samples[].beatsPerMinute`: the list, then the field of each entry, which has its own `time`. */
function toSeries(value: RecordValue, record: Fields, context: Context): Item[] {
  const [list = '', path = ''] = value.path.split('[].');
  const entries = (record[list] ?? []) as readonly Fields[];
  return entries.flatMap((entry) => {
    const timeMs = parseTime(entry.time);
    return Number.isNaN(timeMs) ? [] : toSample(value, readPath(entry, path), timeMs, timeMs, context);
  });
}

/** The deviation of each moment; with a baseline also the temperature itself. */
function toSkinTemperature({ values }: RecordType, record: Fields, context: Context): Item[] {
  const [deviation, absolute] = values as readonly [RecordValue, RecordValue];
  const deviations = toSeries(deviation, record, context);
  const baseline = readPath(record, absolute.path);
  if (typeof baseline !== 'number') return deviations;
  const temperatures = deviations.flatMap((item): Item[] =>
    item.list === 'samples'
      ? [{ ...item, value: { ...item.value, metric: absolute.metric, value: baseline + item.value.value } }]
      : [],
  );
  return [...deviations, ...temperatures];
}

function readPath(fields: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Fields | null | undefined)?.[name], fields);
}

/** SleepStageType, from 0. An unknown stage is time in bed; out of bed is awake. */
const STAGES: readonly SleepStage[] = ['in_bed', 'awake', 'asleep', 'awake', 'light', 'deep', 'rem', 'awake'];

function toSleep(record: HealthConnectRecord, { startMs, endMs, ids, method, format }: Context): Item {
  const stages = ((record as Fields).stages ?? []) as readonly { startTime: string; endTime: string; stage: number }[];
  const inside = stages
    .map(({ startTime, endTime, stage }) => ({
      stage: STAGES[stage] ?? 'in_bed',
      fromMs: Math.max(startMs, parseTime(startTime)),
      toMs: Math.min(endMs, parseTime(endTime)),
    }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .map(({ stage, fromMs, toMs }) => ({ stage, start: format(fromMs), end: format(toMs) }));
  return {
    list: 'sleep',
    ...(ids && { ids }),
    value: {
      ...(ids?.[0] !== undefined && { id: ids[0] }),
      start: format(startMs),
      end: format(endMs),
      ...(inside.length > 0 && { stages: inside }),
      recording_method: method,
    },
  };
}

function toWorkout(record: HealthConnectRecord, { startMs, endMs, ids, method, format }: Context): Item {
  const { exerciseType, title } = record as { exerciseType?: number; title?: string };
  const name = cleanText(title);
  return {
    list: 'workouts',
    ...(ids && { ids }),
    value: {
      ...(ids?.[0] !== undefined && { id: ids[0] }),
      sport_type: healthConnectSport(exerciseType ?? 0),
      start: format(startMs),
      end: format(endMs),
      ...(name !== '' && { name }),
      ...recordedBy(record.metadata?.dataOrigin, record.metadata?.clientRecordId),
      recording_method: method,
    },
  };
}
