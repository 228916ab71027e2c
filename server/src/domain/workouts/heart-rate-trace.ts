// The heart-rate trace of one workout: how long each reading stood, averages, and the buckets that are shown.
import type { EpochMs, HeartRateSample, Workout } from '../records.ts';

export type HeldReading = { readonly bpm: number; readonly heldMs: number };

const HOUR_MS = 3_600_000;
/** A reading stands until the next one, but not longer: beyond, the sensor was off. Sources measure every 5 minutes at least. */
const MAX_HELD_MS = 300_000;

/** Readings within the workout, by time; null without any: then nothing can be told of it. */
export function readTrace({ start, end, heartRateSamples }: Workout): readonly HeartRateSample[] | null {
  const within = (heartRateSamples ?? []).filter(({ time }) => time >= start && time <= end);
  return within.length === 0 ? null : within.sort((a, b) => a.time - b.time);
}

/** The last reading stands as long as the one before it did, as there is no next one to end it. */
export function holdReadings(trace: readonly HeartRateSample[], endMs: number): HeldReading[] {
  let heldMs = MAX_HELD_MS;
  return trace.map(({ time, bpm }, index) => {
    const next = trace[index + 1];
    heldMs = next === undefined ? Math.min(endMs - time, heldMs) : Math.min(next.time - time, MAX_HELD_MS);
    return { bpm, heldMs };
  });
}

/** What the source states wins over what its trace says (gap G-52); null where neither speaks. */
export function averageHeartRate(workout: Workout): number | null {
  if (workout.avgHeartRate !== null) return workout.avgHeartRate;
  const trace = readTrace(workout);
  if (trace === null) return null;
  const held = holdReadings(trace, workout.end);
  const totalMs = held.reduce((sum, { heldMs }) => sum + heldMs, 0);
  if (totalMs === 0) return mean(trace);
  return held.reduce((sum, { bpm, heldMs }) => sum + bpm * heldMs, 0) / totalMs;
}

export function maxHeartRate(workout: Workout): number | null {
  const trace = readTrace(workout);
  return workout.maxHeartRate ?? trace?.reduce((max, { bpm }) => Math.max(max, bpm), Number.NEGATIVE_INFINITY) ?? null;
}

/** Means of 15 s buckets up to 1 h, 30 s up to 2 h, 60 s beyond, each at its beginning; empty ones are left out. */
export function bucketHeartRate(workout: Workout): HeartRateSample[] | null {
  const trace = readTrace(workout);
  if (trace === null) return null;
  const bucketMs = bucketLengthMs(workout.end - workout.start);
  const buckets = Map.groupBy(trace, ({ time }) => Math.floor((time - workout.start) / bucketMs));
  return [...buckets].map(([place, readings]) => ({
    time: (workout.start + place * bucketMs) as EpochMs,
    bpm: mean(readings),
  }));
}

function bucketLengthMs(lengthMs: number): number {
  if (lengthMs <= HOUR_MS) return 15_000;
  return lengthMs <= 2 * HOUR_MS ? 30_000 : 60_000;
}

function mean(readings: readonly HeartRateSample[]): number {
  return readings.reduce((sum, { bpm }) => sum + bpm, 0) / readings.length;
}
