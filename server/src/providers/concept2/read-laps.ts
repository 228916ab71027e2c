// Intervals or splits of a result. Each interval is followed by its rest; splits divide a workout without rests.
import type { EpochMs, WorkoutLap } from '../../domain/records/records.ts';
import { scale } from '../make-sessions.ts';
import { type JsonObject, readList, readNumber, readPart } from '../read-json.ts';
import { readLastingMs } from '../read-time.ts';
import { readBpm } from './result.ts';
import { TENTHS_MS } from './result-time.ts';

/** In milliseconds from the start of the workout. */
type Part = { readonly fromMs: number; readonly workMs: number; readonly item: JsonObject };

export function readLaps(result: JsonObject, start: number): WorkoutLap[] | null {
  const intervals = readIntervals(result);
  const parts = intervals.length > 0 ? intervals : (placeParts(listParts(result, 'splits'), () => 0) ?? []);
  const laps = parts.map(({ fromMs, workMs, item }) => toLap(item, start + fromMs, workMs));
  return laps.length === 0 ? null : laps;
}

/** Empty if there are none, or if one has no time: then the others cannot be placed. */
export function readIntervals(result: JsonObject): readonly Part[] {
  return placeParts(listParts(result, 'intervals'), (item) => readLastingMs(item, 'rest_time', TENTHS_MS)) ?? [];
}

function listParts(result: JsonObject, name: string): readonly JsonObject[] {
  return readList(readPart(result, 'workout') ?? {}, name);
}

function placeParts(items: readonly JsonObject[], restOf: (item: JsonObject) => number | null): Part[] | null {
  let fromMs = 0;
  const parts: Part[] = [];
  for (const item of items) {
    const workMs = readLastingMs(item, 'time', TENTHS_MS);
    const restMs = restOf(item);
    if (workMs === null || workMs === 0 || restMs === null) return null;
    parts.push({ fromMs, workMs, item });
    fromMs += workMs + restMs;
  }
  return parts;
}

function toLap(item: JsonObject, start: number, workMs: number): WorkoutLap {
  const heartRate = readPart(item, 'heart_rate') ?? {};
  return {
    start: start as EpochMs,
    end: (start + workMs) as EpochMs,
    distanceKm: scale(readNumber(item, 'distance'), 1_000), // m
    activeCalories: readNumber(item, 'calories_total'), // kcal
    avgHeartRate: readBpm(heartRate, 'average'),
    maxHeartRate: readBpm(heartRate, 'max'),
    elevationGainM: null,
  };
}
