// The daily values, sleeps and workouts of a bundle: those of each device as it reported them.

import { isOfWholeDay, parseDeviceDayNote } from '../../../domain/consolidate/day-notes.ts';
import { compareText } from '../../../domain/consolidate/ranking.ts';
import { metricIdOf } from '../../../domain/metrics/index.ts';
import { dateOf } from '../../../domain/packed/month-sheets/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { listStoredMonths, readDeviceMonths } from '../../store/daily-store/index.ts';
import {
  listSessionDates,
  readRoutes,
  readSleepsOfDates,
  readWorkout,
  readWorkoutsOfDates,
  type StoredSleep,
  type WorkoutRoute,
  type WorkoutWithTrace,
} from '../../store/session-store/index.ts';
import { keepsRoutes } from '../../tenancy/accounts/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

const DATES_PER_PAGE = 31;

type RecordLine = { readonly line: 'daily' | 'sleep' | 'workout'; readonly device: number };

export async function* listBundleRecords(db: Queryable, user: UserHandle): AsyncGenerator<RecordLine> {
  yield* listStatedDays(db, user);
  const dates = await listSessionDates(db, user);
  for (const page of inPages(dates.sleep))
    for (const sleeps of (await readSleepsOfDates(db, user, page)).values())
      for (const sleep of sleeps.toSorted(byDevice)) yield presentSleep(sleep);
  // A job needs time to delete the routes of an account that has stopped keeping them.
  const hasRoutes = await keepsRoutes(db, user.tenant);
  for (const page of inPages(dates.workouts))
    for (const workouts of (await readWorkoutsOfDates(db, user, page)).values())
      for (const { id } of workouts.toSorted(byDevice)) {
        const workout = await readWorkout(db, user, id);
        if (workout === null) continue;
        yield presentWorkout(workout, hasRoutes ? await readRoute(db, user, workout) : undefined);
      }
}

type Recorded = { readonly device: number; readonly session: { readonly start: number; readonly key: string } };

/** Not by id: an import gives records new ids, and exports the same bundle again. */
function byDevice(a: Recorded, b: Recorded): number {
  return a.session.start - b.session.start || a.device - b.device || compareText(a.session.key, b.session.key);
}

async function readRoute(
  db: Queryable,
  user: UserHandle,
  workout: WorkoutWithTrace,
): Promise<WorkoutRoute | undefined> {
  return (await readRoutes(db, user, [workout], { hasPoints: true, hasLaps: true })).get(workout.id);
}

async function* listStatedDays(db: Queryable, user: UserHandle): AsyncGenerator<RecordLine> {
  for (const month of await listStoredMonths(db, user))
    for (const [device, sheet] of (await readDeviceMonths(db, user, [month])).get(month) ?? [])
      for (const number of sheet.metrics()) {
        const metric = metricIdOf(number);
        const values = [...sheet.cells(number)].flatMap(([day, { value, note }]) => {
          const { origin, unit, method } = parseDeviceDayNote(note);
          if (!isOfWholeDay(origin)) return [];
          return {
            date: dateOf(month, day),
            value,
            unit,
            recording_method: method,
            is_imported: origin === 'imported',
          };
        });
        if (metric !== null && values.length > 0) yield { line: 'daily', device, metric, values } as RecordLine;
      }
}

function presentSleep({ device, session }: StoredSleep): RecordLine {
  const { offsetMinutes, method, stages, ...fields } = session;
  return {
    line: 'sleep',
    device,
    ...inSnakeCase(fields),
    utc_offset_minutes: offsetMinutes,
    recording_method: method,
    stages: stages?.map(({ stage, start, end }) => [stage, start, end]) ?? null,
  } as RecordLine;
}

function presentWorkout({ device, session, trace }: WorkoutWithTrace, route: WorkoutRoute | undefined): RecordLine {
  const { offsetMinutes, method, sourceZones, heartRateSamples: _inTrace, ...fields } = session;
  return {
    line: 'workout',
    device,
    ...inSnakeCase(fields),
    utc_offset_minutes: offsetMinutes,
    recording_method: method,
    source_zones: sourceZones && { minutes: sourceZones.minutes, is_approximate: sourceZones.isApproximate },
    heart_rate_samples: trace?.map(({ time, bpm }) => [time, bpm]) ?? null,
    ...(route?.points && {
      route: route.points.map(({ time, latitude, longitude, elevationM }) => [time, latitude, longitude, elevationM]),
    }),
    ...(route?.laps && { laps: route.laps.map(inSnakeCase) }),
  } as RecordLine;
}

function inSnakeCase(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function* inPages(dates: readonly LocalDate[]): Generator<readonly LocalDate[]> {
  const sorted = dates.toSorted();
  for (let from = 0; from < sorted.length; from += DATES_PER_PAGE) yield sorted.slice(from, from + DATES_PER_PAGE);
}
