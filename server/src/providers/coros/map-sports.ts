// Workouts. Times in seconds since 1970, distance in meters, zones in quarter hours.

import type { Workout } from '../../domain/records/records.ts';
import type { MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { asObject, isObject, type JsonObject, readId, readNumber, readValues, required } from '../read-json.ts';
import { offsetAt, readEpochSeconds, readLastingMs } from '../read-time.ts';
import { readKcal } from './read-kcal.ts';
import { readQuarters } from './read-quarters.ts';
import { toSportType } from './sports.ts';
import { LEGS, SPORTS } from './unconfirmed.ts';

export function mapSports(body: unknown, context: MapContext): ProviderRecords {
  const into = collectRecords();
  into.each(readValues(asObject(body), 'data'), (item) => {
    const key = required(readId(item, 'labelId'), 'labelId'); // int64
    const legs = context.parts?.has(LEGS) ? readValues(item, 'triathlonItemList') : [];
    if (!legs.some(isTimed)) into.workout(toWorkout(item, key, context));
    else into.each(legs, (leg) => into.workout(toWorkout(leg, `${key}-${readNumber(leg, 'startTime')}`, context)));
  });
  return into.records();
}

/** A push has legs without times. */
function isTimed(leg: unknown): boolean {
  return isObject(leg) && typeof leg.startTime === 'number' && typeof leg.endTime === 'number';
}

function toWorkout(item: JsonObject, key: string, { parts, zone }: MapContext): Workout {
  const start = required(readEpochSeconds(item, 'startTime'), 'startTime');
  const mode = readNumber(item, 'mode');
  return makeWorkout({
    key,
    sportType: toSportType(mode, readNumber(item, 'subMode'), parts?.has(SPORTS) === true),
    start,
    end: required(readEpochSeconds(item, 'endTime'), 'endTime'),
    offsetMinutes: readQuarters(item, 'startTimezone') ?? offsetAt(zone, start),
    durationMinutes: scale(readLastingMs(item, 'duration', 1_000), 60_000), // without pauses
    distanceKm: scale(readNumber(item, 'distance'), 1_000),
    activeCalories: readKcal(item, parts),
    steps: readNumber(item, 'step'),
    method: 'active',
  });
}
