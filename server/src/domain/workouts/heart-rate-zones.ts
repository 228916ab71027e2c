// Minutes of one workout in the five zones of heart-rate reserve (gap G-92).

import type { Workout } from '../records/records.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { HeartHistogram } from './heart-histogram.ts';
import type { HeartRateRange } from './heart-rate-range.ts';

export type HeartRateZone = {
  readonly zone: 1 | 2 | 3 | 4 | 5;
  /** Null for zones of the source, which does not report its limits. */
  readonly minBpm: number | null;
  readonly maxBpm: number | null;
  readonly minutes: number;
};

const ZONES = [1, 2, 3, 4, 5] as const;
/** Zone 1 begins at five tenths of the reserve; each zone is a tenth wide. */
const FIRST_TENTH = 5;

/** The origin of a workout's zones; `source_approximate`: the source has fewer than five. */
export const ZONE_BASES = ['trace', 'source', 'source_approximate'] as const;
export type ZoneBasis = (typeof ZONE_BASES)[number];

type Zoned = Pick<Workout, 'sourceZones'>;

/** The trace wins, because its zones use the user's heart-rate range; otherwise the source's zones, else null. */
export function findZones(
  { sourceZones }: Zoned,
  histogram: HeartHistogram | null,
  limits: HeartRateRange,
): HeartRateZone[] | null {
  if (histogram !== null) return divideHistogramIntoZones(histogram, limits);
  if (sourceZones === null) return null;
  return ZONES.map((zone, index) => ({ zone, minBpm: null, maxBpm: null, minutes: sourceZones.minutes[index] ?? 0 }));
}

export function findZoneBasis({ sourceZones }: Zoned, histogram: HeartHistogram | null): ZoneBasis | null {
  if (histogram !== null) return 'trace';
  if (sourceZones === null) return null;
  return sourceZones.isApproximate ? 'source_approximate' : 'source';
}

function divideHistogramIntoZones(histogram: HeartHistogram, limits: HeartRateRange): HeartRateZone[] {
  return toZones(limits, sumMinutes(histogram, limits));
}

function sumMinutes(histogram: HeartHistogram, limits: HeartRateRange): number[] {
  const totalMs = ZONES.map(() => 0);
  for (const [bpm, heldMs] of histogram) {
    const index = findZone(bpm, limits);
    if (index !== null) totalMs[index] = (totalMs[index] ?? 0) + heldMs;
  }
  return totalMs.map((ms) => ms / MINUTE_MS);
}

/** A limit belongs to the zone above it; below zone 1 counts in none; above the maximum is still zone 5. */
function findZone(bpm: number, { restBpm, maxBpm }: HeartRateRange): number | null {
  const tenth = Math.floor(((bpm - restBpm) * 10) / (maxBpm - restBpm));
  return tenth < FIRST_TENTH ? null : Math.min(tenth - FIRST_TENTH, ZONES.length - 1);
}

function toZones({ restBpm, maxBpm }: HeartRateRange, minutes: readonly number[]): HeartRateZone[] {
  const border = (tenth: number) => restBpm + (tenth * (maxBpm - restBpm)) / 10;
  return ZONES.map((zone, index) => ({
    zone,
    minBpm: border(FIRST_TENTH + index),
    maxBpm: border(FIRST_TENTH + index + 1),
    minutes: minutes[index] ?? 0,
  }));
}
