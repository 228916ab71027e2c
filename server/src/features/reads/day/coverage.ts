// The half hours of a day in which a device measured something, as hexadecimal digits of four half hours each. Pure.
import type { Day } from '../../../domain/time/day.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { endAt, type SampleSeries } from '../../../domain/time/quarter-hours.ts';

const HALF_HOUR_MS = 30 * MINUTE_MS;

/** The first half hour is the highest bit of the first digit. Null: nothing was measured. */
export function markCoverage(columns: readonly SampleSeries[], { start: dayStart, end: dayEnd }: Day): string | null {
  const marks = new Uint8Array(Math.ceil((dayEnd - dayStart) / HALF_HOUR_MS));
  const halfHourOf = (epochMs: number) => Math.floor((epochMs - dayStart) / HALF_HOUR_MS);
  for (const series of columns) {
    for (let index = 0; index < series.starts.length; index += 1) {
      // A measured 0 of a total does not show that a device was worn, but a level of 0 does not exist.
      if (series.values[index] === 0) continue;
      const start = series.starts[index] as number;
      const from = Math.max(start, dayStart);
      const to = Math.min(Math.max(start + 1, endAt(series, index)), dayEnd);
      if (to > from) marks.fill(1, halfHourOf(from), halfHourOf(to - 1) + 1);
    }
  }
  return marks.includes(1) ? toDigits(marks) : null;
}

function toDigits(marks: Uint8Array): string {
  let digits = '';
  for (let index = 0; index < marks.length; index += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = marks.subarray(index, index + 4);
    digits += (a * 8 + b * 4 + c * 2 + d).toString(16);
  }
  return digits;
}
