// Workouts. https://developer.whoop.com/api#tag/Workout: energy in kJ, distance and ascent in meters; strain is WHOOP's own
// score.

import { type SourceZones, ZONE_COUNT } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { MapContext } from '../contract.ts';
import { makeWorkout, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readId, readNumber, readPart, readText, required } from '../read-json.ts';
import { readFrame } from './read-frame.ts';
import { listRecords, readScore } from './resources/collection.ts';
import { isKnownSport, toSportType } from './sports.ts';
import { toKcal } from './to-kcal.ts';

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
        name: isKnownSport(sport) ? null : sport,
        ...readFrame(record, zone),
        distanceKm: scale(measured('distance_meter'), 1_000), // m
        activeCalories: toKcal(measured('kilojoule')), // kJ
        elevationGainM: measured('altitude_gain_meter'), // m
        avgHeartRate: measured('average_heart_rate'), // bpm
        maxHeartRate: measured('max_heart_rate'), // bpm
        sourceZones: score === null ? null : readZones(score),
      }),
    );
  });
  return into.records();
}

/** Tenths of the profile's maximum from 50 % on; below is `zone_zero_milli`, which we do not have. */
const ZONES = ['zone_one_milli', 'zone_two_milli', 'zone_three_milli', 'zone_four_milli', 'zone_five_milli'];

/** All or none: a missing zone is not a zone without time. */
function readZones(score: JsonObject): SourceZones | null {
  const durations = readPart(score, 'zone_durations') ?? {};
  const minutes = ZONES.flatMap((name) => scale(readNumber(durations, name), MINUTE_MS) ?? []);
  return minutes.length === ZONE_COUNT ? { minutes, isApproximate: false } : null;
}
