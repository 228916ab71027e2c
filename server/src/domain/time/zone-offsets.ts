// The UTC offsets of a time zone as two arrays, so that asking for one costs a binary search and not a calendar object.
// `day.ts` is what others use.

export type ZoneOffsets = {
  /** When each offset begins, ascending; the first stands for all time before. */
  readonly fromMs: Float64Array;
  readonly offsetMs: Float64Array;
};

/** No health record is older; what is, gets the offset of then. */
const FIRST = '1900-01-01T00:00:00Z';
/** Times over a day ahead are refused on upload, so that this is reached only by a service that runs for decades. */
const LAST = '2100-01-01T00:00:00Z';
const NS_PER_MS = 1_000_000;

export function readZoneOffsets(timeZone: string): ZoneOffsets {
  const lastMs = Temporal.Instant.from(LAST).epochMilliseconds;
  const fromMs: number[] = [];
  const offsetMs: number[] = [];
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.from(FIRST).toZonedDateTimeISO(timeZone);
  while (at !== null && at.epochMilliseconds < lastMs) {
    const offset = at.offsetNanoseconds / NS_PER_MS;
    // A change of name or of summer-time rules alone moves no clock.
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
  let low = 0;
  let high = fromMs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((fromMs[middle] as number) <= epochMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
