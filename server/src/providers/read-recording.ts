// What a FIT recording adds to a workout that a provider describes elsewhere: heart rates, route, laps and the sport.
import { MAX_LAPS, MAX_REPORTED_POINTS } from '../domain/records/check-route.ts';
import type { EpochMs, HeartRateSample, RoutePoint, Workout, WorkoutLap } from '../domain/records/records.ts';
import { SECOND_MS } from '../domain/time/durations.ts';
import { type FitFile, type FitMessage, fitNumber, fitTime, parseFit, sportOfFit } from '../platform/fit/parse-fit.ts';
import { ProviderAnswerError } from './provider-answer-error.ts';
import { rejectField } from './unreadable-fields.ts';

export type Recording = Pick<Workout, 'heartRateSamples' | 'route' | 'laps'> & {
  /** In the words of FIT, such as `cycling`; null: not given. */
  readonly sport: string | null;
};

/** Null: no recording. Throws ProviderAnswerError if the bytes are not a FIT file. */
export function readRecording(body: unknown): Recording | null {
  if (!(body instanceof Uint8Array)) return null;
  const fit = parse(body);
  const records = fit.records.slice(0, MAX_REPORTED_POINTS);
  return {
    sport: fit.sessions[0] === undefined ? null : sportOfFit(fit.sessions[0]),
    heartRateSamples: orNull(records.flatMap(toHeartRate)),
    route: orNull(records.flatMap(toPoint)),
    laps: orNull(fit.laps.slice(0, MAX_LAPS).flatMap(toLap)),
  };
}

/** The workout is complete without its recording, so a damaged one is only counted. */
export function readOptionalRecording(body: unknown): Recording | null {
  try {
    return readRecording(body);
  } catch (error) {
    if (error instanceof ProviderAnswerError) return rejectField('file', 'is not a FIT file');
    throw error;
  }
}

function parse(bytes: Uint8Array): FitFile {
  try {
    return parseFit(bytes);
  } catch {
    throw new ProviderAnswerError('the recording is not a FIT file');
  }
}

function toHeartRate({ timestamp, heart_rate: rate }: FitMessage): HeartRateSample[] {
  const [time, bpm] = [fitTime(timestamp), fitNumber(rate)];
  return Number.isNaN(time) || bpm === null || bpm <= 0 ? [] : [{ time: time as EpochMs, bpm }];
}

/** The parser converts semicircles to degrees. */
function toPoint(record: FitMessage): RoutePoint[] {
  const time = fitTime(record.timestamp);
  const [latitude, longitude] = [fitNumber(record.position_lat), fitNumber(record.position_long)];
  if (Number.isNaN(time) || latitude === null || longitude === null) return [];
  const elevationM = fitNumber(record.enhanced_altitude) ?? fitNumber(record.altitude);
  return [{ time: time as EpochMs, latitude, longitude, elevationM }];
}

function toLap(lap: FitMessage): WorkoutLap[] {
  const start = fitTime(lap.start_time);
  const end = start + (fitNumber(lap.total_elapsed_time) ?? 0) * SECOND_MS;
  if (!(end > start)) return [];
  const meters = fitNumber(lap.total_distance);
  return [
    {
      start: start as EpochMs,
      end: end as EpochMs,
      distanceKm: meters === null ? null : meters / 1_000,
      activeCalories: fitNumber(lap.total_calories),
      avgHeartRate: fitNumber(lap.avg_heart_rate),
      maxHeartRate: fitNumber(lap.max_heart_rate),
      elevationGainM: fitNumber(lap.total_ascent),
    },
  ];
}

function orNull<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
}
