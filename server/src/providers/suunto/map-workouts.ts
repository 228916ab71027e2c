// Workouts. Times in ms since 1970, durations in seconds, distances and ascent in meters, energy in kcal. The recording
// has heart rates, laps and the route, so each workout of a page is fetched on its own.

import type { EpochMs, Workout } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { ListedRecord, MapContext } from '../contract.ts';
import { isPossible, makeWorkout, scale } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readNumber, readPart, readText, required } from '../read-json.ts';
import { type Recording, readOptionalRecording } from '../read-recording.ts';
import { offsetAt, readLastingMs, readZoneOffset } from '../read-time.ts';
import { nameActivity, toSportType } from './sports.ts';
import { isPage, listWorkouts, WORKOUTS } from './workout-items.ts';

export function mapWorkouts(body: unknown, { zone }: MapContext): ProviderRecords {
  const into = collectRecords();
  into.each(listWorkouts(body), (item) => into.workout(mapWorkout(item, zone, null)));
  return into.records();
}

/** All workouts of a page: each may have a recording. */
export function listRecords(body: unknown): ListedRecord[] {
  if (!isPage(body)) return [];
  const { workouts } = mapWorkouts(body, { zone: 'UTC', window: null }); // the zone only decides the offset
  return workouts.map((workout) => ({
    id: workout.key,
    start: workout.start,
    end: workout.end,
    workout,
    resource: WORKOUTS,
  }));
}

export function mapWorkoutFile(body: unknown, { zone, calledBy }: MapContext): ProviderRecords {
  const into = collectRecords();
  into.each([calledBy], (item) => into.workout(mapWorkout(item, zone, readOptionalRecording(body))));
  return into.records();
}

function mapWorkout(item: JsonObject, zone: string, recording: Recording | null): Workout {
  const start = required(readEpochMs(item, 'startTime'), 'startTime');
  const lastsMs = readLastingMs(item, 'totalTime', 1_000);
  const heart = readPart(item, 'hrdata') ?? {};
  const activityId = readNumber(item, 'activityId');
  return makeWorkout({
    key: required(readText(item, 'workoutKey'), 'workoutKey'), // workoutId is 0 in many of them
    sportType: toSportType(activityId),
    name: nameActivity(activityId),
    start,
    end: findEnd(item, start, lastsMs),
    offsetMinutes: readZoneOffset(item, 'timeOffsetInMinutes') ?? offsetAt(zone, start),
    durationMinutes: scale(lastsMs, MINUTE_MS), // without pauses
    distanceKm: scale(readNumber(item, 'totalDistance'), 1_000),
    activeCalories: readNumber(item, 'energyConsumption'), // of the session; Suunto reports no other energy
    steps: readNumber(item, 'stepCount'),
    elevationGainM: readNumber(item, 'totalAscent'),
    // `max` and `userMaxHR` are a setting of the user.
    avgHeartRate: readBeats(heart, 'workoutAvgHR') ?? readBeats(heart, 'avg'),
    maxHeartRate: readBeats(heart, 'workoutMaxHR') ?? readBeats(heart, 'hrmax'),
    heartRateSamples: recording?.heartRateSamples ?? null,
    ...(recording !== null && { route: recording.route ?? null, laps: recording.laps ?? null }),
    method: 'active',
  });
}

/** A fresh workout may have no `stopTime` yet. */
function findEnd(item: JsonObject, start: EpochMs, lastsMs: number | null): EpochMs {
  const stop = readEpochMs(item, 'stopTime');
  if (stop !== null && stop >= start) return stop;
  return (start + required(lastsMs, 'totalTime')) as EpochMs;
}

/** The last valid date. */
const LATEST_MS = 8.64e15;

function readEpochMs(item: JsonObject, name: string): EpochMs | null {
  const ms = readNumber(item, name);
  return ms === null || ms <= 0 || ms > LATEST_MS ? null : (Math.round(ms) as EpochMs);
}

/** 0: no heart rate was measured. */
function readBeats(heart: JsonObject, name: string): number | null {
  const bpm = readNumber(heart, name);
  return bpm !== null && isPossible('heart_rate', bpm) ? bpm : null;
}
