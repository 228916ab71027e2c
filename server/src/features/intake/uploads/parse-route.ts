// Parses the route and the laps of a workout. One invalid entry rejects the workout, as everything inside it.
import {
  ELEVATION_LIMIT,
  isLapPossible,
  LATITUDE_LIMIT,
  LONGITUDE_LIMIT,
  MAX_LAPS,
  MAX_REPORTED_POINTS,
  tidyLaps,
  tidyRoute,
} from '../../../domain/records/check-route.ts';
import { isInside } from '../../../domain/records/check-times.ts';
import { limitsOfWorkout } from '../../../domain/records/check-workout.ts';
import type { RoutePoint, Workout, WorkoutLap } from '../../../domain/records/records.ts';
import { adopt, fail, type Item, openItem, readList, readNumber, readTime, required } from './item.ts';
import { readPeriod, type SessionFrame } from './read-session.ts';
import { LAP_FIELDS, ROUTE_POINT_FIELDS } from './schemas.ts';

export function readRoute(item: Item, frame: SessionFrame, latestMs: number): Pick<Workout, 'route' | 'laps'> {
  const points = readEntries(item, 'route', { known: ROUTE_POINT_FIELDS, max: MAX_REPORTED_POINTS }, (entry) =>
    readPoint(entry, frame, latestMs),
  );
  const laps = readEntries(item, 'laps', { known: LAP_FIELDS, max: MAX_LAPS }, (entry) =>
    readLap(entry, frame, latestMs),
  );
  return {
    ...(points !== null && { route: tidyRoute(frame, points) }),
    ...(laps !== null && { laps: tidyLaps(frame, laps) }),
  };
}

/** Null: absent, or the item has a fault. */
function readEntries<Entry>(
  item: Item,
  field: string,
  { known, max }: { readonly known: ReadonlySet<string>; readonly max: number },
  read: (entry: Item) => Entry | null,
): Entry[] | null {
  const list = readList(item, field, max);
  if (list === null) return null;
  const entries: Entry[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const opened = openItem(list[index], known);
    const entry = opened.fault === null ? read(opened) : null;
    if (opened.fault !== null) adopt(item, `${field}[${index}]`, opened);
    if (entry === null || opened.fault !== null) return null;
    entries.push(entry);
  }
  return entries;
}

function readPoint(entry: Item, frame: SessionFrame, latestMs: number): RoutePoint | null {
  const time = required(entry, 'timestamp', readTime(entry, 'timestamp', latestMs));
  const latitude = required(entry, 'latitude', readNumber(entry, 'latitude', LATITUDE_LIMIT));
  const longitude = required(entry, 'longitude', readNumber(entry, 'longitude', LONGITUDE_LIMIT));
  const elevationM = readNumber(entry, 'elevation_m', ELEVATION_LIMIT);
  if (time === null || latitude === null || longitude === null) return null;
  if (!isInside(frame, time, time)) return failOutside(entry, 'timestamp');
  return { time, latitude, longitude, elevationM };
}

function readLap(entry: Item, frame: SessionFrame, latestMs: number): WorkoutLap | null {
  const period = readPeriod(entry, latestMs);
  if (period === null) return null;
  const limits = limitsOfWorkout(frame);
  const lap: WorkoutLap = {
    ...period,
    distanceKm: readNumber(entry, 'distance_km', limits.distanceKm),
    activeCalories: readNumber(entry, 'active_calories', limits.activeCalories),
    avgHeartRate: readNumber(entry, 'avg_heart_rate', limits.avgHeartRate),
    maxHeartRate: readNumber(entry, 'max_heart_rate', limits.maxHeartRate),
    elevationGainM: readNumber(entry, 'elevation_gain_m', limits.elevationGainM),
  };
  if (isLapPossible(frame, lap)) return lap;
  if (lap.end <= lap.start) return fail(entry, 'end', 'end_before_start', 'must be after the start');
  return failOutside(entry, 'start');
}

function failOutside(entry: Item, field: string): null {
  return fail(entry, field, 'sample_outside_workout', 'must be within the workout');
}
