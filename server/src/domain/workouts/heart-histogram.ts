// How long each heart rate stood during a workout: all that averages, maxima and zones need of its trace, in far less room.
import type { Workout } from '../records/records.ts';
import { holdReadings, readTrace } from './heart-rate-trace.ts';

/** Ascending by rate, each rate once. A rate that was seen and did not stand has 0. */
export type HeartHistogram = readonly (readonly [bpm: number, heldMs: number])[];

/** A tenth of a beat, as the catalog rounds it: finer rates would make the histogram as long as the trace. */
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

/** What the source states wins over what its trace says (gap G-52); null where neither speaks. */
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
  // Nothing stood: the only reading is of the moment of the end.
  const weigh = (heldMs: number) => (totalMs === 0 ? 1 : heldMs);
  return (
    histogram.reduce((sum, [bpm, heldMs]) => sum + bpm * weigh(heldMs), 0) /
    histogram.reduce((sum, [, heldMs]) => sum + weigh(heldMs), 0)
  );
}
