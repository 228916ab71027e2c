// Exports every sleep and workout of every device with stages, trace and zones, canonical or duplicate.

import type { RoutePoint, WorkoutLap } from '../../../domain/records/records.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { formatInstant, type LocalDate } from '../../../domain/time/calendar.ts';
import { findZoneBasis, findZones, type HeartRateRange, type HeartRateZone } from '../../../domain/workouts/index.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Pieces } from '../../reads/exports/index.ts';
import { readHeartRateRange } from '../../store/heart-rate-range/index.ts';
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
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { writeItems } from './write-list.ts';

const DATES_PER_PAGE = 31;
type NameDevice = (device: DeviceNumber) => object;

export async function* exportSleep(db: Queryable, user: UserHandle, nameDevice: NameDevice): AsyncGenerator<string> {
  for (const dates of inPages((await listSessionDates(db, user)).sleep))
    for (const sleeps of (await readSleepsOfDates(db, user, dates)).values())
      for (const sleep of sleeps) yield JSON.stringify(presentSleep(sleep, nameDevice));
}

export async function* exportWorkouts(db: Queryable, user: UserHandle, nameDevice: NameDevice): AsyncGenerator<Pieces> {
  for (const dates of inPages((await listSessionDates(db, user)).workouts)) {
    const limits = await readHeartRateRange(db, user, dates);
    for (const [date, workouts] of await readWorkoutsOfDates(db, user, dates))
      for (const { id } of workouts) {
        const workout = await readWorkout(db, user, id);
        if (workout === null) continue; // deleted since it was listed
        const route = (await readRoutes(db, user, [workout], { hasPoints: true, hasLaps: true })).get(id);
        yield writeWorkout(workout, route, limits.on(date), nameDevice);
      }
  }
}

/** Few enough days to hold their sessions in memory. */
export function* inPages(dates: readonly LocalDate[]): Generator<readonly LocalDate[]> {
  const sorted = dates.toSorted();
  for (let from = 0; from < sorted.length; from += DATES_PER_PAGE) yield sorted.slice(from, from + DATES_PER_PAGE);
}

function presentSleep({ session, ...stored }: StoredSleep, nameDevice: NameDevice) {
  const { start, end, stages, ...fields } = session;
  return {
    ...presentStored(stored, nameDevice),
    start: timeOf(start),
    end: timeOf(end),
    ...inSnakeCase(fields),
    stages:
      stages?.map((period) => ({ stage: period.stage, start: timeOf(period.start), end: timeOf(period.end) })) ?? null,
  };
}

async function* writeWorkout(
  workout: WorkoutWithTrace,
  route: WorkoutRoute | undefined,
  limits: HeartRateRange,
  nameDevice: NameDevice,
): Pieces {
  const { session, histogram, trace, ...stored } = workout;
  const { start, end, heartRateSamples: _inTrace, sourceZones, ...fields } = session;
  const head = {
    ...presentStored(stored, nameDevice),
    start: timeOf(start),
    end: timeOf(end),
    ...inSnakeCase(fields),
    heart_rate_zones: findZones(session, histogram, limits)?.map(presentZone) ?? null,
    heart_rate_zones_from: findZoneBasis(session, histogram),
    source_zone_minutes: sourceZones?.minutes ?? null,
    laps: route?.laps?.map(presentLap) ?? null,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"heart_rate_trace":`;
  if (trace === null) yield 'null';
  else yield* writeItems(trace, ({ time, bpm }) => `["${timeOf(time)}",${bpm}]`);
  yield ',"route":';
  const points = route?.points ?? null;
  if (points === null) yield 'null';
  else yield* writeItems(points, writePoint);
  yield '}';
}

function writePoint({ time, latitude, longitude, elevationM }: RoutePoint): string {
  return `["${timeOf(time)}",${latitude},${longitude},${elevationM}]`;
}

function presentLap({ start, end, ...fields }: WorkoutLap) {
  return { start: timeOf(start), end: timeOf(end), ...inSnakeCase(fields) };
}

function presentStored(
  { id, device, date, duplicateOf, isMain }: Pick<StoredSleep, 'id' | 'device' | 'date' | 'duplicateOf' | 'isMain'>,
  nameDevice: NameDevice,
) {
  return { id, ...nameDevice(device), date, duplicate_of: duplicateOf, is_main: isMain };
}

function presentZone({ zone, minBpm, maxBpm, minutes }: HeartRateZone) {
  return { zone, min_bpm: minBpm, max_bpm: maxBpm, minutes };
}

/** Generic, so that fields added to sessions later are exported too. */
function inSnakeCase(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function timeOf(epochMs: number): string {
  return formatInstant(new Date(epochMs));
}
