// Maps the lines of one device to a batch. Records with impossible values are rejected, as in an upload; the others are kept.
import { findMetric, type Metric, type MetricId } from '../../../../domain/metrics/index.ts';
import { isSampledByProviders, isTakenFromProviders, MAX_AHEAD_MS } from '../../../../domain/metrics/record-limits.ts';
import { findUnit, listUnitRules, type UnitRules } from '../../../../domain/metrics/unit-rules.ts';
import {
  collectSample,
  createCollector,
  finishCollector,
  packTraits,
  type SampleCollector,
} from '../../../../domain/packed/sample-blocks/index.ts';
import { isWithin } from '../../../../domain/records/check-numbers.ts';
import { findTimeProblem, isSampleTimely } from '../../../../domain/records/check-times.ts';
import {
  type DailyValue,
  RECORDING_METHODS,
  type SleepSession,
  type Workout,
} from '../../../../domain/records/records.ts';
import { type LocalDate, parseLocalDate } from '../../../../domain/time/calendar.ts';
import type { Batch } from '../../../pipeline/ingest/index.ts';
import type { LineOf } from './line-schemas.ts';
import { mapSleep, mapWorkout } from './map-sessions.ts';

export type RecordLine = LineOf<'samples'> | LineOf<'daily'> | LineOf<'sleep'> | LineOf<'workout'>;

export type RecordProblem = { readonly line: number; readonly message: string };

type MappedRecords = {
  readonly batch: Batch;
  readonly problems: readonly RecordProblem[];
  /** Records of metrics that this version does not know, by metric. */
  readonly skipped: ReadonlyMap<string, number>;
};

type Mapping = {
  readonly latestMs: number;
  readonly collectors: Map<MetricId, SampleCollector>;
  readonly daily: DailyValue[];
  readonly sleep: SleepSession[];
  readonly workouts: Workout[];
  readonly skipped: Map<string, number>;
  reject(message: string): void;
};

/** `numberOf` returns the number of a line in the file. */
export function mapRecords(
  lines: readonly RecordLine[],
  now: Date,
  numberOf: (index: number) => number = (index) => index,
): MappedRecords {
  const problems: RecordProblem[] = [];
  let line = 0;
  const mapping: Mapping = {
    latestMs: now.getTime() + MAX_AHEAD_MS,
    collectors: new Map(),
    daily: [],
    sleep: [],
    workouts: [],
    skipped: new Map(),
    reject: (message) => void problems.push({ line, message }),
  };
  for (const [index, record] of lines.entries()) {
    line = numberOf(index);
    mapLine(mapping, record);
  }
  const { collectors, daily, sleep, workouts, skipped } = mapping;
  const samples = new Map(
    [...collectors].flatMap(([id, collector]) =>
      collector.count === 0 ? [] : [[id, finishCollector(collector).columns] as const],
    ),
  );
  return { batch: { samples, daily, sleep, workouts, deletions: [] }, problems, skipped };
}

function mapLine(mapping: Mapping, record: RecordLine) {
  switch (record.line) {
    case 'samples':
      return mapSamples(mapping, record);
    case 'daily':
      return mapDaily(mapping, record);
    case 'sleep':
      return mapSession(mapping, mapping.sleep, mapSleep(record, mapping.latestMs));
    case 'workout':
      return mapSession(mapping, mapping.workouts, mapWorkout(record, mapping.latestMs));
  }
}

function mapSession<Session>(mapping: Mapping, list: Session[], mapped: Session | string): void {
  if (typeof mapped === 'string') mapping.reject(mapped);
  else list.push(mapped);
}

/** Null: the records were counted as skipped or rejected. */
function openMetric(mapping: Mapping, name: string, count: number, isTaken: (metric: Metric) => boolean) {
  const metric = findMetric(name);
  if (metric === null) {
    mapping.skipped.set(name, (mapping.skipped.get(name) ?? 0) + count);
    return null;
  }
  if (isTaken(metric)) return { id: metric.id, rules: listUnitRules(metric) };
  mapping.reject(`metric ${name} is computed by the service`);
  return null;
}

function mapSamples(mapping: Mapping, line: LineOf<'samples'>) {
  const { start: starts, end: ends = starts, value: values, unit } = line;
  const metric = openMetric(mapping, line.metric, starts.length, isSampledByProviders);
  if (metric === null) return;
  const unitIndex = findUnit(metric.rules, unit);
  const rule = metric.rules[unitIndex];
  if (rule === undefined) return mapping.reject(describeUnits(line.metric, unit, metric.rules));
  if (values.length !== starts.length || ends.length !== starts.length)
    return mapping.reject('start, end and value must have the same length');
  const collector = mapping.collectors.get(metric.id) ?? createCollector(metric.rules.map((one) => one.unit));
  mapping.collectors.set(metric.id, collector);
  const traits = packTraits(line.utc_offset_minutes, unitIndex, RECORDING_METHODS.indexOf(line.recording_method));
  for (let index = 0; index < starts.length; index += 1) {
    const [start, end, value] = [starts[index] as number, ends[index] as number, values[index] as number];
    if (!isSampleTimely(start, end, mapping.latestMs)) mapping.reject(`start[${index}] is not a possible time`);
    else if (!isWithin(value, rule.sample)) mapping.reject(describeRange(`value[${index}]`, rule.sample, unit));
    else collectSample(collector, start, end, value, traits);
  }
}

function mapDaily(mapping: Mapping, line: LineOf<'daily'>): void {
  const metric = openMetric(mapping, line.metric, line.values.length, isTakenFromProviders);
  if (metric === null) return;
  for (const [index, stated] of line.values.entries()) {
    const { value, unit, recording_method: method, is_imported: isImported } = stated;
    const rule = metric.rules[findUnit(metric.rules, unit)];
    const date = parseLocalDate(stated.date);
    if (date === null || findTimeProblem(Date.parse(date), mapping.latestMs) !== null)
      mapping.reject(`values[${index}].date is not a possible date`);
    else if (rule === undefined) mapping.reject(describeUnits(line.metric, unit, metric.rules));
    else if (!isWithin(value, rule.daily)) mapping.reject(describeRange(`values[${index}].value`, rule.daily, unit));
    else
      mapping.daily.push({
        metric: metric.id,
        date: date as LocalDate,
        value,
        unit: rule.unit,
        method,
        ...(isImported && { isImported }),
      });
  }
}

function describeRange(field: string, { min, max }: UnitRules['daily'], unit: string): string {
  return `${field} must be between ${min} and ${max} ${unit}`;
}

function describeUnits(metric: string, unit: string, rules: readonly UnitRules[]): string {
  return `${metric} does not accept the unit ${JSON.stringify(unit)}; use one of ${rules.map((one) => one.unit).join(', ')}`;
}
