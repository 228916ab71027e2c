// The UTC offsets of a time zone as two arrays, so that a lookup is a binary search without a calendar object. Other
// files use `day.ts`.
import { findFirst } from '../find-first.ts';

type ZoneOffsets = {
  /** When each offset begins, ascending; the first applies to all time before. */
  readonly fromMs: Float64Array;
  readonly offsetMs: Float64Array;
};

/** No health record is older; earlier times get the offset of this date. */
const FIRST = '1900-01-01T00:00:00Z';
/** Uploads reject times more than a day ahead, so this matters only after decades. */
const LAST = '2100-01-01T00:00:00Z';
const NS_PER_MS = 1_000_000;

export function readZoneOffsets(timeZone: string): ZoneOffsets {
  const lastMs = Temporal.Instant.from(LAST).epochMilliseconds;
  const fromMs: number[] = [];
  const offsetMs: number[] = [];
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.from(FIRST).toZonedDateTimeISO(timeZone);
  while (at !== null && at.epochMilliseconds < lastMs) {
    const offset = at.offsetNanoseconds / NS_PER_MS;
    // A change of the name or of summer-time rules alone does not change the offset.
    if (offset !== offsetMs.at(-1)) {
      fromMs.push(fromMs.length === 0 ? Number.NEGATIVE_INFINITY : at.epochMilliseconds);
      offsetMs.push(offset);
    }
    at = at.getTimeZoneTransition('next');
  }
  return { fromMs: Float64Array.from(fromMs), offsetMs: Float64Array.from(offsetMs) };
}

/** Index of the offset in force at that moment. */
export function findOffsetIndex({ fromMs }: ZoneOffsets, epochMs: number): number {
  return findFirst(fromMs.length, (at) => (fromMs[at] as number) > epochMs, 1) - 1;
}
