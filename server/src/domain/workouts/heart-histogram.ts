// How long each heart rate lasted during a workout: enough for averages, maxima and zones, and much smaller than the
// trace.
import type { Workout } from '../records/records.ts';
import { holdReadings, readTrace } from './heart-rate-trace.ts';

/** Ascending by rate, each rate once. A rate without a duration has 0. */
export type HeartHistogram = readonly (readonly [bpm: number, heldMs: number])[];

/** A tenth of a beat, as the catalog rounds; finer rates would make the histogram as long as the trace. */
const STEPS_PER_BPM = 10;

/** Null without a trace. */
export function buildHeartHistogram(workout: Workout): HeartHistogram | null {
  const trace = readTrace(workout);
  if (trace === null) return null;
  const heldBySteps = new Map<number, number>();
  for (const { bpm, heldMs } of holdReadings(trace, workout.end)) {
    const steps = Math.round(bpm * STEPS_PER_BPM);
    heldBySteps.set(steps, (heldBySteps.get(steps) ?? 0) + heldMs);
  }
  return [...heldBySteps].sort(([a], [b]) => a - b).map(([steps, heldMs]) => [steps / STEPS_PER_BPM, heldMs]);
}

/** The value that the source reported wins over its trace (gap G-52); null without both. */
export function averageHeartRate(
  workout: Workout,
  histogram: HeartHistogram | null = buildHeartHistogram(workout),
): number | null {
  return workout.avgHeartRate ?? (histogram === null ? null : averageOf(histogram));
}

export function maxHeartRate(
  workout: Workout,
  histogram: HeartHistogram | null = buildHeartHistogram(workout),
): number | null {
  return workout.maxHeartRate ?? histogram?.at(-1)?.[0] ?? null;
}

function averageOf(histogram: HeartHistogram): number {
  const totalMs = histogram.reduce((sum, [, heldMs]) => sum + heldMs, 0);
  // If no reading has a duration, the only reading is at the end.
  const weigh = (heldMs: number) => (totalMs === 0 ? 1 : heldMs);
  return (
    histogram.reduce((sum, [bpm, heldMs]) => sum + bpm * weigh(heldMs), 0) /
    histogram.reduce((sum, [, heldMs]) => sum + weigh(heldMs), 0)
  );
}
