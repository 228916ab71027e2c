// Parses workouts. A workout is accepted or rejected as a whole, see parse-sleep.ts.

import type { Scope } from '../../../domain/metrics/categories.ts';
import { MAX_TEXT_LENGTH } from '../../../domain/metrics/record-limits.ts';
import {
  findHeartRateProblem,
  HEART_RATE_LIMIT,
  limitsOfWorkout,
  MAX_HEART_RATES,
  orderHeartRates,
} from '../../../domain/records/check-workout.ts';
import type { HeartRateSample, Workout } from '../../../domain/records/records.ts';
import { nameVendor } from '../../../domain/vendors.ts';
import { matchSport } from '../../../domain/workouts/sports.ts';
import {
  adopt,
  fail,
  type Item,
  openItem,
  readList,
  readNumber,
  readPart,
  readText,
  readTime,
  required,
} from './item.ts';
import type { ItemKind } from './parse-items.ts';
import { readRoute } from './parse-route.ts';
import { readSession, type SessionFrame } from './read-session.ts';
import { HEART_RATE_FIELDS, HEART_RATE_ITEM_FIELDS, RECORDED_BY_FIELDS, WORKOUT_FIELDS } from './schemas.ts';
import { MAX_SESSIONS } from './upload-limits.ts';

const OTHER = 'other';

export function workoutKind(context: { scopes: readonly Scope[]; latestMs: number }): ItemKind<Workout> {
  return {
    list: 'workouts',
    known: WORKOUT_FIELDS,
    maxItems: MAX_SESSIONS,
    parse(item) {
      if (!context.scopes.includes('activity'))
        return fail(item, '', 'out_of_scope', 'the session has no scope activity');
      const frame = readSession(item, 'workout', context.latestMs);
      const sent = required(item, 'sport_type', readText(item, 'sport_type', MAX_TEXT_LENGTH));
      if (frame === null || sent === null) return null;
      const sport = matchSport(sent);
      const limits = limitsOfWorkout(frame);
      return {
        ...frame,
        sportType: sport?.type ?? OTHER,
        name: readText(item, 'name', MAX_TEXT_LENGTH) ?? (sport === null ? sent : null),
        durationMinutes: readNumber(item, 'duration_minutes', limits.durationMinutes),
        distanceKm: readNumber(item, 'distance_km', limits.distanceKm),
        activeCalories: readNumber(item, 'active_calories', limits.activeCalories),
        steps: readNumber(item, 'steps', limits.steps),
        elevationGainM: readNumber(item, 'elevation_gain_m', limits.elevationGainM),
        avgMets: readNumber(item, 'avg_mets', limits.avgMets),
        weatherTemperatureC: readNumber(item, 'weather_temperature_c', limits.weatherTemperatureC),
        weatherHumidityPct: readNumber(item, 'weather_humidity_pct', limits.weatherHumidityPct),
        swimmingStrokeCount: readNumber(item, 'swimming_stroke_count', limits.swimmingStrokeCount),
        swimmingLapLengthM: readNumber(item, 'swimming_lap_length_m', limits.swimmingLapLengthM),
        sourceZones: null, // devices send the trace instead
        ...readHeartRate(item, frame, context.latestMs),
        ...readRoute(item, frame, context.latestMs),
        ...readRecordedBy(item),
      };
    },
  };
}

/** An app of no known vendor recorded the workout itself, as far as is known. */
function readRecordedBy(item: Item): Pick<Workout, 'recordedBy'> {
  const part = readPart(item, 'recorded_by', RECORDED_BY_FIELDS);
  if (part === null) return {};
  const vendor = nameVendor([required(part, 'app', readText(part, 'app', MAX_TEXT_LENGTH))]);
  const id = readText(part, 'id', MAX_TEXT_LENGTH);
  adopt(item, 'recorded_by', part);
  return vendor === null ? {} : { recordedBy: { vendor, id } };
}

type HeartRate = Pick<Workout, 'avgHeartRate' | 'maxHeartRate' | 'heartRateSamples'>;

function readHeartRate(item: Item, frame: SessionFrame, latestMs: number): HeartRate {
  const part = readPart(item, 'heart_rate', HEART_RATE_FIELDS);
  if (part === null) return { avgHeartRate: null, maxHeartRate: null, heartRateSamples: null };
  const heartRate = {
    avgHeartRate: readNumber(part, 'avg_bpm', HEART_RATE_LIMIT),
    maxHeartRate: readNumber(part, 'max_bpm', HEART_RATE_LIMIT),
    heartRateSamples: readTrace(part, frame, latestMs),
  };
  adopt(item, 'heart_rate', part);
  return heartRate;
}

function readTrace(part: Item, frame: SessionFrame, latestMs: number): readonly HeartRateSample[] | null {
  const list = readList(part, 'samples', MAX_HEART_RATES);
  if (list === null || list.length === 0) return null;
  const trace: HeartRateSample[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const entry = openItem(list[index], HEART_RATE_ITEM_FIELDS);
    const sample = entry.fault === null ? readHeartRateSample(entry, frame, latestMs) : null;
    if (entry.fault !== null) adopt(part, `samples[${index}]`, entry);
    if (sample === null || part.fault !== null) return null;
    trace.push(sample);
  }
  return orderHeartRates(trace);
}

function readHeartRateSample(entry: Item, frame: SessionFrame, latestMs: number): HeartRateSample | null {
  const time = required(entry, 'timestamp', readTime(entry, 'timestamp', latestMs));
  const bpm = required(entry, 'bpm', readNumber(entry, 'bpm', HEART_RATE_LIMIT));
  if (time === null || bpm === null) return null;
  if (findHeartRateProblem(frame, { time, bpm }) === 'outside_workout')
    return fail(entry, 'timestamp', 'sample_outside_workout', 'must be within the workout');
  return { time, bpm };
}
