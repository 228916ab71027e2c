// Parses workouts. A workout is accepted or rejected as a whole, see parse-sleep.ts.

import type { Scope } from '../../../domain/metrics/categories.ts';
import {
  limitOfTotal,
  MAX_TEXT_LENGTH,
  MAX_WORKOUT_MS,
  MINUTES_TOLERANCE,
  ROUNDING_MS,
  WORKOUT_LIMITS,
} from '../../../domain/metrics/record-limits.ts';
import type { HeartRateSample, Workout } from '../../../domain/records/records.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
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
import { readSession, type SessionFrame } from './read-session.ts';
import { HEART_RATE_FIELDS, HEART_RATE_ITEM_FIELDS, WORKOUT_FIELDS } from './schemas.ts';
import { MAX_SESSIONS } from './upload-limits.ts';

/** One per second for the longest workout; the size limit of a body allows fewer. */
const MAX_HEART_RATES = MAX_WORKOUT_MS / 1_000;

const OTHER = 'other';

const { heartRate: HEART_RATE } = WORKOUT_LIMITS;

export function workoutKind(context: { scopes: readonly Scope[]; latestMs: number }): ItemKind<Workout> {
  return {
    list: 'workouts',
    known: WORKOUT_FIELDS,
    maxItems: MAX_SESSIONS,
    parse(item) {
      if (!context.scopes.includes('activity'))
        return fail(item, '', 'out_of_scope', 'the session has no scope activity');
      const frame = readSession(item, context.latestMs, MAX_WORKOUT_MS);
      const sent = required(item, 'sport_type', readText(item, 'sport_type', MAX_TEXT_LENGTH));
      if (frame === null || sent === null) return null;
      const sport = matchSport(sent);
      const lengthMs = frame.end - frame.start;
      const lasted = { min: 0, max: lengthMs / MINUTE_MS + MINUTES_TOLERANCE };
      return {
        ...frame,
        sportType: sport?.type ?? OTHER,
        name: readText(item, 'name', MAX_TEXT_LENGTH) ?? (sport === null ? sent : null),
        durationMinutes: readNumber(item, 'duration_minutes', lasted, 'min'),
        distanceKm: readNumber(item, 'distance_km', limitOfTotal('distanceKm', lengthMs), 'km'),
        activeCalories: readNumber(item, 'active_calories', limitOfTotal('activeCalories', lengthMs), 'kcal'),
        steps: readNumber(item, 'steps', limitOfTotal('steps', lengthMs), 'steps'),
        elevationGainM: readNumber(item, 'elevation_gain_m', limitOfTotal('elevationGainM', lengthMs), 'm'),
        avgMets: readNumber(item, 'avg_mets', WORKOUT_LIMITS.mets, 'MET'),
        weatherTemperatureC: readNumber(item, 'weather_temperature_c', WORKOUT_LIMITS.weatherC, '°C'),
        weatherHumidityPct: readNumber(item, 'weather_humidity_pct', WORKOUT_LIMITS.percent, '%'),
        swimmingStrokeCount: readNumber(
          item,
          'swimming_stroke_count',
          limitOfTotal('swimmingStrokeCount', lengthMs),
          'strokes',
        ),
        swimmingLapLengthM: readNumber(item, 'swimming_lap_length_m', WORKOUT_LIMITS.lapM, 'm'),
        sourceZones: null, // devices send the trace instead
        ...readHeartRate(item, frame, context.latestMs),
      };
    },
  };
}

type HeartRate = Pick<Workout, 'avgHeartRate' | 'maxHeartRate' | 'heartRateSamples'>;

function readHeartRate(item: Item, frame: SessionFrame, latestMs: number): HeartRate {
  const part = readPart(item, 'heart_rate', HEART_RATE_FIELDS);
  if (part === null) return { avgHeartRate: null, maxHeartRate: null, heartRateSamples: null };
  const heartRate = {
    avgHeartRate: readNumber(part, 'avg_bpm', HEART_RATE, 'bpm'),
    maxHeartRate: readNumber(part, 'max_bpm', HEART_RATE, 'bpm'),
    heartRateSamples: readTrace(part, frame, latestMs),
  };
  adopt(item, 'heart_rate', part);
  return heartRate;
}

/** Ascending by time, one sample per time: the last one sent is kept. */
function readTrace(part: Item, frame: SessionFrame, latestMs: number): readonly HeartRateSample[] | null {
  const list = readList(part, 'samples', MAX_HEART_RATES);
  if (list === null || list.length === 0) return null;
  const trace: HeartRateSample[] = [];
  let isAscending = true;
  for (let index = 0; index < list.length; index += 1) {
    const entry = openItem(list[index], HEART_RATE_ITEM_FIELDS);
    const sample = entry.fault === null ? readHeartRateSample(entry, frame, latestMs) : null;
    if (entry.fault !== null) adopt(part, `samples[${index}]`, entry);
    if (sample === null || part.fault !== null) return null;
    isAscending &&= trace.length === 0 || sample.time > (trace[trace.length - 1] as HeartRateSample).time;
    trace.push(sample);
  }
  if (isAscending) return trace;
  const sorted = trace.sort((one, other) => one.time - other.time); // a stable sort keeps the order of samples with equal times
  return sorted.filter((sample, index) => sorted[index + 1]?.time !== sample.time);
}

function readHeartRateSample(entry: Item, frame: SessionFrame, latestMs: number): HeartRateSample | null {
  const time = required(entry, 'timestamp', readTime(entry, 'timestamp', latestMs));
  const bpm = required(entry, 'bpm', readNumber(entry, 'bpm', HEART_RATE, 'bpm'));
  if (time === null || bpm === null) return null;
  if (time < frame.start - ROUNDING_MS || time > frame.end + ROUNDING_MS)
    return fail(entry, 'timestamp', 'sample_outside_workout', 'must be within the workout');
  return { time, bpm };
}
