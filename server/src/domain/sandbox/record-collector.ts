// Collects the records of one device as columns, because a week of minutes would be a long list of objects.
import type { MetricId } from '../metrics/index.ts';
import type { SampleColumns, SampleRun } from '../packed/sample-blocks/index.ts';
import type { DailyValue, RecordingMethod, SleepSession, Workout } from '../records/records.ts';

/** The records of a device for some days, in the form in which devices send them. */
export type DeviceRecords = {
  readonly samples: ReadonlyMap<MetricId, SampleColumns>;
  readonly daily: readonly DailyValue[];
  readonly sleep: readonly SleepSession[];
  readonly workouts: readonly Workout[];
};

/** For one metric in order of time. An instant ends where it starts. */
type Series = (start: number, end: number, value: number, offsetMinutes: number) => void;

export type DeviceRecordCollector = {
  series(metric: string, unit: string, method?: RecordingMethod): Series;
  addDaily(value: DailyValue): void;
  addSleep(session: SleepSession): void;
  addWorkout(workout: Workout): void;
  finish(): DeviceRecords;
};

type Mutable<One> = { -readonly [Key in keyof One]: One[Key] };
type OpenColumns = { starts: number[]; ends: number[]; values: number[]; runs: Mutable<SampleRun>[] };

export function createRecordCollector(): DeviceRecordCollector {
  const samples = new Map<MetricId, OpenColumns>();
  const daily: DailyValue[] = [];
  const sleep: SleepSession[] = [];
  const workouts: Workout[] = [];
  return {
    series(metric, unit, method = 'automatic') {
      const empty = () => ({ starts: [], ends: [], values: [], runs: [] });
      const columns = samples.getOrInsertComputed(metric as MetricId, empty);
      let run = columns.runs.at(-1);
      return (start, end, value, offsetMinutes) => {
        columns.starts.push(start);
        columns.ends.push(end);
        columns.values.push(value);
        if (run?.offsetMinutes !== offsetMinutes || run.unit !== unit || run.method !== method) {
          run = { count: 0, unit, offsetMinutes, method };
          columns.runs.push(run);
        }
        run.count += 1;
      };
    },
    addDaily: (value) => void daily.push(value),
    addSleep: (session) => void sleep.push(session),
    addWorkout: (workout) => void workouts.push(workout),
    finish() {
      const reported = [...samples].filter(([, { starts }]) => starts.length > 0);
      return { samples: new Map(reported.map(([metric, open]) => [metric, close(open)])), daily, sleep, workouts };
    },
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
