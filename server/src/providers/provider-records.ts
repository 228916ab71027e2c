// The records of a provider page in the shape that the pipeline accepts, collected item by item.

import type { MetricId } from '../domain/metrics/index.ts';
import type { DailyValue, RecordingMethod, SleepSession, Workout } from '../domain/records/records.ts';
import type { LocalDate } from '../domain/time/calendar.ts';
import { asObject, type JsonObject } from './read-json.ts';
import {
  addSample,
  createSampleList,
  finishSamples,
  type ReportedSamples,
  type SampleList,
} from './reported-samples.ts';
import { readRecords, type Unreadable } from './unreadable-fields.ts';

export type ProviderRecords = {
  readonly samples: ReadonlyMap<MetricId, ReportedSamples>;
  readonly daily: readonly DailyValue[];
  readonly sleep: readonly SleepSession[];
  readonly workouts: readonly Workout[];
  readonly deletedSleep: readonly string[];
  /** Fields and records that were dropped because they could not be read. */
  readonly unreadable: ReadonlyMap<string, number>;
};

export type RecordCollector = {
  /**
   * Reads the records of a page, or the entries of a list, one by one. An unreadable field is dropped, and a record only if an
   * essential field is missing; both are counted.
   */
  each(items: Iterable<unknown>, read: (item: JsonObject) => void): void;
  /** Ignores null: missing stays missing, and a measured 0 is a value. */
  sample(
    metric: string,
    at: { start: number; end?: number; offsetMinutes: number; method?: RecordingMethod },
    value: number | null,
    unit: string,
  ): void;
  /** The same for a series of thousands, without an object for each. */
  moments(metric: string, unit: string): (start: number, offsetMinutes: number, value: number | null) => void;
  daily(
    metric: string,
    date: string,
    value: number | null,
    unit: string,
    method?: RecordingMethod,
    isImported?: boolean,
  ): void;
  sleep(session: SleepSession): void;
  workout(workout: Workout): void;
  deleteSleep(key: string): void;
  records(): ProviderRecords;
};

export function collectRecords(): RecordCollector {
  const samples = new Map<MetricId, SampleList>();
  const daily: DailyValue[] = [];
  const sleep: SleepSession[] = [];
  const workouts: Workout[] = [];
  const deletedSleep: string[] = [];
  const unreadable: Unreadable = new Map();
  const listOf = (metric: string) => samples.getOrInsertComputed(metric as MetricId, createSampleList);
  return {
    each(items, read) {
      readRecords(unreadable, items, (item) => read(asObject(item, 'a record')));
    },
    sample(metric, { start, end = start, offsetMinutes, method = 'automatic' }, value, unit) {
      if (value === null) return;
      addSample(listOf(metric), start, end, value, unit, offsetMinutes, method);
    },
    moments(metric, unit) {
      let list: SampleList | null = null; // empty columns are omitted
      return (start, offsetMinutes, value) => {
        if (value === null) return;
        list ??= listOf(metric);
        addSample(list, start, start, value, unit, offsetMinutes, 'automatic');
      };
    },
    daily(metric, date, value, unit, method = 'automatic', isImported = false) {
      if (value === null) return;
      const reported = { metric: metric as MetricId, date: date as LocalDate, value, unit, method };
      daily.push(isImported ? { ...reported, isImported } : reported);
    },
    sleep: (session) => void sleep.push(session),
    workout: (workout) => void workouts.push(workout),
    deleteSleep: (key) => void deletedSleep.push(key),
    records: () => ({
      samples: new Map([...samples].map(([metric, list]) => [metric, finishSamples(list)])),
      daily,
      sleep,
      workouts,
      deletedSleep,
      unreadable,
    }),
  };
}
