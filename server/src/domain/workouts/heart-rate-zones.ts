// Minutes of one workout in the five zones of heart-rate reserve (gap G-92).
import type { Workout } from '../records.ts';
import { buildHeartHistogram, type HeartHistogram } from './heart-histogram.ts';
import type { HeartLimits } from './heart-limits.ts';

export type HeartRateZone = {
  readonly zone: 1 | 2 | 3 | 4 | 5;
  readonly minBpm: number;
  readonly maxBpm: number;
  readonly minutes: number;
};

const ZONES = [1, 2, 3, 4, 5] as const;
/** Zone 1 begins at five tenths of the reserve; each zone is a tenth wide. */
const FIRST_TENTH = 5;
const MINUTE_MS = 60_000;

/** From the trace; without one the source's own five zones in minutes, else null. */
export function divideIntoZones(
  workout: Workout,
  limits: HeartLimits,
  sourceMinutes: readonly number[] | null,
): HeartRateZone[] | null {
  const histogram = buildHeartHistogram(workout);
  if (histogram !== null) return divideHistogramIntoZones(histogram, limits);
  return sourceMinutes === null ? null : toZones(limits, sourceMinutes);
}

export function divideHistogramIntoZones(histogram: HeartHistogram, limits: HeartLimits): HeartRateZone[] {
  return toZones(limits, sumMinutes(histogram, limits));
}

function sumMinutes(histogram: HeartHistogram, limits: HeartLimits): number[] {
  const totalMs = ZONES.map(() => 0);
  for (const [bpm, heldMs] of histogram) {
    const place = findZone(bpm, limits);
    if (place !== null) totalMs[place] = (totalMs[place] ?? 0) + heldMs;
  }
  return totalMs.map((ms) => ms / MINUTE_MS);
}

/** A border belongs to the zone above it; below zone 1 counts in none; above the maximum is zone 5 still. */
function findZone(bpm: number, { restBpm, maxBpm }: HeartLimits): number | null {
  const tenth = Math.floor(((bpm - restBpm) * 10) / (maxBpm - restBpm));
  return tenth < FIRST_TENTH ? null : Math.min(tenth - FIRST_TENTH, ZONES.length - 1);
}

function toZones({ restBpm, maxBpm }: HeartLimits, minutes: readonly number[]): HeartRateZone[] {
  const border = (tenth: number) => restBpm + (tenth * (maxBpm - restBpm)) / 10;
  return ZONES.map((zone, place) => ({
    zone,
    minBpm: border(FIRST_TENTH + place),
    maxBpm: border(FIRST_TENTH + place + 1),
    minutes: minutes[place] ?? 0,
  }));
}
