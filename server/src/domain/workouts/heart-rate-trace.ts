// The heart-rate trace of one workout: how long each reading lasted, and the buckets of the API.

import type { EpochMs, HeartRateSample, Workout } from '../records/records.ts';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';

type HeldReading = { readonly bpm: number; readonly heldMs: number };

/**
 * A reading lasts until the next one, at most this long; after that the sensor was off. Sources measure at least every
 * 5 minutes.
 */
const MAX_HELD_MS = 5 * MINUTE_MS;

/** Readings within the workout, by time, the last of each moment; null without any. */
export function readTrace({ start, end, heartRateSamples }: Workout): readonly HeartRateSample[] | null {
  const within = (heartRateSamples ?? []).filter(({ time }) => time >= start && time <= end);
  within.sort((a, b) => a.time - b.time);
  return within.length === 0 ? null : within.filter(({ time }, index) => within[index + 1]?.time !== time);
}

/** The last reading lasts as long as the one before it, because no next one ends it. */
export function holdReadings(trace: readonly HeartRateSample[], endMs: number): HeldReading[] {
  let heldMs = MAX_HELD_MS;
  return trace.map(({ time, bpm }, index) => {
    const next = trace[index + 1];
    heldMs = next === undefined ? Math.min(endMs - time, heldMs) : Math.min(next.time - time, MAX_HELD_MS);
    return { bpm, heldMs };
  });
}

/** Means of 15 s buckets up to 1 h, 30 s up to 2 h, 60 s beyond, each at its start; empty ones are omitted. */
export function bucketHeartRate(workout: Workout): HeartRateSample[] | null {
  const trace = readTrace(workout);
  if (trace === null) return null;
  const bucketMs = bucketLengthMs(workout.end - workout.start);
  const buckets = Map.groupBy(trace, ({ time }) => Math.floor((time - workout.start) / bucketMs));
  return [...buckets].map(([index, readings]) => ({
    time: (workout.start + index * bucketMs) as EpochMs,
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
