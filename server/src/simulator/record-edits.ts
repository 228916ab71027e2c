// Applies active faults to a day's records: a night that has not arrived yet, a record that was changed or deleted
// later.

import type { SleepSession, Workout } from '../domain/records/records.ts';
import type { ActiveFault } from '../domain/sandbox/simulated-faults.ts';
import { addDays, type LocalDate } from '../domain/time/calendar.ts';

export type DayRecords = { readonly sleeps: readonly SleepSession[]; readonly workouts: readonly Workout[] };

/** Not every day has a record. */
const LOOK_BACK_DAYS = 14;

type RecordEdits = {
  apply(date: LocalDate, records: DayRecords): DayRecords;
  isNightMissing(date: LocalDate): boolean;
};

/** `recordsOf` returns the original records. */
export function createRecordEdits(
  faults: readonly ActiveFault[],
  recordsOf: (date: LocalDate) => DayRecords,
): RecordEdits {
  const isNightMissing = (date: LocalDate) =>
    faults.some(({ kind, date: from }) => kind === 'late_night' && date >= from);
  const edits = faults
    .filter(({ kind }) => kind === 'changed_record' || kind === 'deleted_record')
    .map((fault) => ({ fault, key: findKey(fault, recordsOf) }));
  const isDeleted = (key: string) => edits.some((edit) => edit.key === key && edit.fault.kind === 'deleted_record');
  const isChanged = (key: string) => edits.some((edit) => edit.key === key && edit.fault.kind === 'changed_record');
  return {
    isNightMissing,
    apply: (date, { sleeps, workouts }) => ({
      sleeps: sleeps
        .filter((one) => !isDeleted(one.key) && !(isNight(one) && isNightMissing(date)))
        .map((one) => (isChanged(one.key) ? changeSleep(one) : one)),
      workouts: workouts
        .filter(({ key }) => !isDeleted(key))
        .map((one) => (isChanged(one.key) ? changeWorkout(one) : one)),
    }),
  };
}

export function isNight({ key }: SleepSession): boolean {
  return key.startsWith('night');
}

/** The last record on or before the date of the fault. */
function findKey({ record, date }: ActiveFault, recordsOf: (date: LocalDate) => DayRecords): string | null {
  for (let back = 0; back < LOOK_BACK_DAYS; back++) {
    const { sleeps, workouts } = recordsOf(addDays(date, -back));
    const last = record === 'workout' ? workouts.at(-1) : sleeps.findLast(isNight);
    if (last !== undefined) return last.key;
  }
  return null;
}

/** As after reprocessing: some deep sleep becomes light, the heart rate rises. */
function changeSleep(sleep: SleepSession): SleepSession {
  const first = sleep.stages?.findIndex(({ stage }) => stage === 'deep') ?? -1;
  return {
    ...sleep,
    stages: sleep.stages?.map((one, index) => (index === first ? { ...one, stage: 'light' } : one)) ?? null,
    heartRate: sleep.heartRate === null ? null : sleep.heartRate + 3,
    heartRateVariability: sleep.heartRateVariability === null ? null : sleep.heartRateVariability - 4,
  };
}

function changeWorkout(workout: Workout): Workout {
  return {
    ...workout,
    activeCalories: workout.activeCalories === null ? null : Math.round(workout.activeCalories * 1.1),
    distanceKm: workout.distanceKm === null ? null : Math.round(workout.distanceKm * 1_050) / 1_000,
  };
}
