// Workouts. https://cloud.ouraring.com/v2/docs#tag/Workout-Routes: energy in kcal, distance in meters.
import { makeWorkout, scale } from '../make-sessions.ts';
import type { RecordCollector } from '../provider-records.ts';
import { readId, readNumber, readText, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';
import { isKnownSport, toSportType } from './sports.ts';

export function collectWorkouts(documents: readonly unknown[], into: RecordCollector): void {
  into.each(documents, (document) => {
    const { ms: start, offsetMinutes } = required(readMoment(document, 'start_datetime'), 'start_datetime');
    const activity = readText(document, 'activity');
    into.workout(
      makeWorkout({
        key: required(readId(document, 'id'), 'id'),
        sportType: toSportType(activity),
        name: readText(document, 'label') || (isKnownSport(activity) ? null : activity),
        start,
        end: required(readMoment(document, 'end_datetime'), 'end_datetime').ms,
        offsetMinutes,
        distanceKm: scale(readNumber(document, 'distance'), 1_000), // m
        activeCalories: readNumber(document, 'calories'), // kcal
        method: readText(document, 'source') === 'manual' ? 'manual' : 'automatic',
      }),
    );
  });
}
