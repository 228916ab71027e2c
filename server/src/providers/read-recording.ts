// What a FIT recording adds to a workout that a provider describes elsewhere: heart rates, route, laps and the sport.
import { MAX_LAPS, thinOut } from '../domain/records/check-route.ts';
import type { EpochMs, HeartRateSample, RoutePoint, Workout, WorkoutLap } from '../domain/records/records.ts';
import { SECOND_MS } from '../domain/time/durations.ts';
import { type FitFile, type FitLap, type FitRecord, parseFit } from './parse-fit.ts';
import { ProviderAnswerError } from './provider-answer-error.ts';
import { isObject, type JsonObject } from './read-json.ts';
import { rejectField } from './unreadable-fields.ts';

export type Recording = Pick<Workout, 'heartRateSamples' | 'route' | 'laps'> & {
  /** In the words of FIT, such as `cycling`; null: not given. */
  readonly sport: string | null;
};

/** Null: no recording. Throws ProviderAnswerError if the bytes are not a FIT file. */
export function readRecording(body: unknown): Recording | null {
  if (isObject(body) && !(body instanceof Uint8Array)) return readWithoutPositions(body);
  if (!(body instanceof Uint8Array)) return null;
  const fit = parse(body);
  return {
    sport: fit.sessions[0]?.sport ?? null,
    heartRateSamples: orNull(thinOut(fit.records.filter(hasHeartRate)).map(toHeartRate)),
    route: orNull(thinOut(fit.records.filter(hasPosition)).map(toPoint)),
    laps: orNull(fit.laps.slice(0, MAX_LAPS).flatMap(toLap)),
  };
}

/** A file that was read before the mapping, which would block the event loop. Null: it is not a FIT file. */
export class ReadFile {
  readonly recording: Recording | null;

  constructor(recording: Recording | null) {
    this.recording = recording;
  }
}

/** The workout is complete without its recording, so a damaged one is only counted. */
export function readOptionalRecording(body: unknown): Recording | null {
  if (body instanceof ReadFile) return body.recording ?? rejectField('file', 'is not a FIT file');
  const recording = readIfReadable(body);
  return recording === null && body instanceof Uint8Array ? rejectField('file', 'is not a FIT file') : recording;
}

/** The JSON that an account keeps of a recording without its route and laps; null: nothing. */
export function dropRecordedPositions(body: unknown): unknown {
  const recording = body instanceof ReadFile ? body.recording : readIfReadable(body);
  if (recording === null) return null;
  const { sport, heartRateSamples } = recording;
  return { sport, heart_rates: (heartRateSamples ?? []).map(({ time, bpm }) => [time, bpm]) };
}

/** Null: no recording, or not a FIT file. */
export function readIfReadable(body: unknown): Recording | null {
  try {
    return readRecording(body);
  } catch (error) {
    if (error instanceof ProviderAnswerError) return null;
    throw error;
  }
}

function readWithoutPositions({ sport, heart_rates: rates }: JsonObject): Recording {
  const heartRateSamples = (Array.isArray(rates) ? rates : []).flatMap((pair: unknown): HeartRateSample[] => {
    const [time, bpm] = Array.isArray(pair) ? pair : [];
    return typeof time === 'number' && typeof bpm === 'number' ? [{ time: time as EpochMs, bpm }] : [];
  });
  return { sport: typeof sport === 'string' ? sport : null, heartRateSamples: orNull(heartRateSamples) };
}

function parse(bytes: Uint8Array): FitFile {
  try {
    return parseFit(bytes);
  } catch {
    throw new ProviderAnswerError('the recording is not a FIT file');
  }
}

function hasHeartRate({ time, bpm }: FitRecord): boolean {
  return time !== null && bpm !== null && bpm > 0;
}

function toHeartRate({ time, bpm }: FitRecord): HeartRateSample {
  return { time: time as EpochMs, bpm: bpm as number };
}

function hasPosition({ time, latitude, longitude }: FitRecord): boolean {
  return time !== null && latitude !== null && longitude !== null;
}

function toPoint({ time, latitude, longitude, altitudeM }: FitRecord): RoutePoint {
  return {
    time: time as EpochMs,
    latitude: latitude as number,
    longitude: longitude as number,
    elevationM: altitudeM,
  };
}

function toLap({ start, elapsedS, distanceM, kcal, avgBpm, maxBpm, ascentM }: FitLap): WorkoutLap[] {
  if (start === null || elapsedS === null || elapsedS <= 0) return [];
  return [
    {
      start: start as EpochMs,
      end: (start + elapsedS * SECOND_MS) as EpochMs,
      distanceKm: distanceM === null ? null : distanceM / 1_000,
      activeCalories: kcal,
      avgHeartRate: avgBpm,
      maxHeartRate: maxBpm,
      elevationGainM: ascentM,
    },
  ];
}

function orNull<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
}
