// Results as workouts. https://log.concept2.com/developers/documentation/#logbook-users-results
// Differs from the documentation: a heart rate of 0 stands for a missing one, in `min` and `max` beside a real `average`; the list
// often has `workout` (splits and intervals), which is documented for single results only.
import type { Workout } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { mapSport, nameWorkout } from '../map-sport.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readId, readNumber, readPart, readText, required } from '../read-json.ts';
import { readLaps } from './read-laps.ts';
import { hasStrokes, listResults, readBpm } from './result.ts';
import { type ResultTime, readResultTime } from './result-time.ts';
import { CONCEPT2_SPORTS } from './sports.ts';

/** Entered by hand on the website. */
const WEB = 'Web';

/** Results with strokes are mapped with them. */
export function mapResults(body: unknown, context: MapContext): ProviderRecords {
  const into = collectRecords();
  into.each(listResults(body), (result) => {
    if (!hasStrokes(result)) into.workout(mapResult(result, readResultTime(result, context.zone), context));
  });
  return into.records();
}

export function mapResult(result: JsonObject, time: ResultTime, { keepsRoutes = false }: MapContext): Workout {
  const { start, end, offsetMinutes, workMs } = time;
  const sport = readText(result, 'type');
  const heartRate = readPart(result, 'heart_rate') ?? {};
  return makeWorkout({
    key: required(readId(result, 'id'), 'id'),
    sportType: mapSport(CONCEPT2_SPORTS, sport),
    name: nameWorkout(CONCEPT2_SPORTS, sport, null),
    start,
    end,
    offsetMinutes,
    durationMinutes: workMs / MINUTE_MS,
    distanceKm: scale(readNumber(result, 'distance'), 1_000), // m, without rests
    activeCalories: readNumber(result, 'calories_total'), // kcal of the workout; there is no other energy
    avgHeartRate: readBpm(heartRate, 'average'),
    maxHeartRate: readBpm(heartRate, 'max'),
    ...(keepsRoutes && { laps: readLaps(result, start) }),
    method: readText(result, 'source') === WEB ? 'manual' : 'active',
  });
}
