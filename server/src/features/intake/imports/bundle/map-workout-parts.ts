// Maps the route, the laps and the vendor of a workout of a bundle. Pure. A text says why a part is impossible.
import { findTextProblem } from '../../../../domain/metrics/record-limits.ts';
import { isLapPossible, isPointPossible, tidyLaps, tidyRoute } from '../../../../domain/records/check-route.ts';
import type { EpochMs, RecordedBy, RoutePoint, Workout, WorkoutLap } from '../../../../domain/records/records.ts';
import type { LineOf } from './line-schemas.ts';

type WorkoutLine = LineOf<'workout'>;

const MAX_TEXT_LENGTH = 1_000;

export function mapRoute(line: WorkoutLine): Workout['route'] | string {
  if (!line.route) return null;
  const times = timesOf(line);
  const points = line.route.map(
    ([time, latitude, longitude, elevationM]): RoutePoint => ({
      time: time as EpochMs,
      latitude,
      longitude,
      elevationM,
    }),
  );
  const faulty = points.findIndex((point) => !isPointPossible(times, point));
  return faulty === -1 ? tidyRoute(times, points) : `route[${faulty}] must be a possible position within the workout`;
}

export function mapLaps(line: WorkoutLine): Workout['laps'] | string {
  if (!line.laps) return null;
  const times = timesOf(line);
  const laps = line.laps.map(
    (lap): WorkoutLap => ({
      start: lap.start as EpochMs,
      end: lap.end as EpochMs,
      distanceKm: lap.distance_km ?? null,
      activeCalories: lap.active_calories ?? null,
      avgHeartRate: lap.avg_heart_rate ?? null,
      maxHeartRate: lap.max_heart_rate ?? null,
      elevationGainM: lap.elevation_gain_m ?? null,
    }),
  );
  const faulty = laps.findIndex((lap) => !isLapPossible(times, lap));
  return faulty === -1 ? tidyLaps(times, laps) : `laps[${faulty}] must end after its start and be within the workout`;
}

export function mapRecordedBy({ recorded_by: recordedBy }: WorkoutLine): RecordedBy | null | string {
  if (!recordedBy) return null;
  for (const field of ['vendor', 'id'] as const) {
    const text = recordedBy[field];
    const problem = text === null ? null : findTextProblem(text, MAX_TEXT_LENGTH);
    if (problem !== null) return `recorded_by.${field} ${problem}`;
  }
  return { vendor: recordedBy.vendor, id: recordedBy.id };
}

function timesOf({ start, end }: WorkoutLine): Pick<Workout, 'start' | 'end'> {
  return { start: start as EpochMs, end: end as EpochMs };
}
