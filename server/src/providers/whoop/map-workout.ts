// Workouts. https://developer.whoop.com/api#tag/Workout: energy in kJ, distance and ascent in meters; strain is WHOOP's opinion.
import { toCatalogUnit } from '../../domain/units.ts';
import type { MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { readId, readNumber, readText, required } from '../read-json.ts';
import { readFrame } from './read-frame.ts';
import { listRecords, readScore } from './resources/collection.ts';
import { toSportType } from './sports.ts';

export function mapWorkouts(body: unknown, { zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  into.each(listRecords(body), (record) => {
    const score = readScore(record);
    const measured = (name: string) => (score === null ? null : readNumber(score, name));
    const sport = readText(record, 'sport_name');
    into.workout(
      makeWorkout({
        key: required(readId(record, 'id'), 'id'),
        sportType: toSportType(sport),
        name: sport,
        ...readFrame(record, zone),
        distanceKm: scale(measured('distance_meter'), 1_000), // m
        activeCalories: toKcal(measured('kilojoule')), // kJ
        elevationGainM: measured('altitude_gain_meter'), // m
        avgHeartRate: measured('average_heart_rate'), // bpm
        maxHeartRate: measured('max_heart_rate'), // bpm
      }),
    );
  });
  return into.records();
}

function toKcal(kilojoule: number | null): number | null {
  return kilojoule === null ? null : toCatalogUnit('active_calories', kilojoule, 'kJ', 'kcal');
}
