// Gathers what one device reports, as columns: a week of minutes is no list of objects.
import type { MetricId } from '../metrics/index.ts';
import type { DailyValue, RecordingMethod, SleepSession, Workout } from '../records.ts';
import type { SampleColumns, SampleRun } from '../sample-blocks/index.ts';

/** What a device has to say of some days, in the shape in which devices hand it over. */
export type DeviceRecords = {
  readonly samples: ReadonlyMap<MetricId, SampleColumns>;
  readonly daily: readonly DailyValue[];
  readonly sleep: readonly SleepSession[];
  readonly workouts: readonly Workout[];
};

export type Reading = {
  readonly start: number;
  /** Absent: an instant. */
  readonly end?: number;
  readonly value: number;
  readonly unit: string;
  readonly offsetMinutes: number;
  readonly method?: RecordingMethod;
};

export type RecordBook = {
  /** Of one metric in the order of time. */
  add(metric: string, reading: Reading): void;
  addSleep(session: SleepSession): void;
  addWorkout(workout: Workout): void;
  finish(): DeviceRecords;
};

type OpenColumns = {
  starts: number[];
  ends: number[];
  values: number[];
  runs: { -readonly [Key in keyof SampleRun]: SampleRun[Key] }[];
};

export function openRecordBook(): RecordBook {
  const samples = new Map<MetricId, OpenColumns>();
  const sleep: SleepSession[] = [];
  const workouts: Workout[] = [];
  return {
    add(metric, { start, end = start, value, unit, offsetMinutes, method = 'automatic' }) {
      const columns = samples.getOrInsertComputed(metric as MetricId, () => ({
        starts: [],
        ends: [],
        values: [],
        runs: [],
      }));
      columns.starts.push(start);
      columns.ends.push(end);
      columns.values.push(value);
      const last = columns.runs.at(-1);
      if (last?.unit === unit && last.offsetMinutes === offsetMinutes && last.method === method) last.count += 1;
      else columns.runs.push({ count: 1, unit, offsetMinutes, method });
    },
    addSleep: (session) => void sleep.push(session),
    addWorkout: (workout) => void workouts.push(workout),
    finish: () => ({
      samples: new Map([...samples].map(([metric, open]) => [metric, close(open)])),
      daily: [],
      sleep,
      workouts,
    }),
  };
}

function close({ starts, ends, values, runs }: OpenColumns): SampleColumns {
  const isInstants = ends.every((end, index) => end === starts[index]);
  return {
    starts: Float64Array.from(starts),
    ends: isInstants ? null : Float64Array.from(ends),
    values: Float64Array.from(values),
    runs,
  };
}
