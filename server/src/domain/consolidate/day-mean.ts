// The mean of a level in a day or a bucket of the timeseries, weighted by time: the mean of the quarter-hour means (gap
// G-35). A mean by sample count would favour the hours in which a device measures most often, which is during exercise.
import {
  endAt,
  LONG_SAMPLE_MS,
  QUARTER_HOUR_MS,
  quarterHourOf,
  type SampleSeries,
  spreadOverQuarterHours,
} from '../time/quarter-hours.ts';

/** Whether the sample at this index counts in a quarter hour that it touches. */
type CountsIn = (index: number, quarter: number) => boolean;

/**
 * Of the samples that begin on the day; the part of the last one after its midnight is ignored. Every sample counts in
 * the quarter hour in which it begins.
 */
export function averageDay(
  samples: SampleSeries,
  from: number,
  to: number,
  day: { readonly end: number },
  countsIn: CountsIn = () => true,
): number {
  return samples.ends === null ? averageMoments(samples, from, to) : averageIntervals(samples, from, to, day, countsIn);
}

/** Sorted by start, so one pass over the samples is enough. */
function averageMoments({ starts, values }: SampleSeries, from: number, to: number): number {
  let quarterEnd = Number.NEGATIVE_INFINITY;
  let [sum, count, means, quarters] = [0, 0, 0, 0];
  for (let index = from; index < to; index += 1) {
    const start = starts[index] as number;
    if (start >= quarterEnd) {
      if (count > 0) means += sum / count;
      quarters += 1;
      quarterEnd = (quarterHourOf(start) + 1) * QUARTER_HOUR_MS;
      sum = 0;
      count = 0;
    }
    sum += values[index] as number;
    count += 1;
  }
  return (means + sum / count) / quarters;
}

/** The samples of one quarter hour. */
class Tally {
  count = 0;
  sum = 0;
  moments = 0;
  durationMs = 0;
  weightedSum = 0;

  add(value: number, durationMs: number): void {
    this.count += 1;
    this.sum += value;
    this.durationMs += durationMs;
    this.weightedSum += value * durationMs;
    if (durationMs === 0) this.moments += 1;
  }

  /** Weighted by duration if every sample has one; an instant among intervals would weigh nothing. */
  mean(): number {
    return this.moments === 0 ? this.weightedSum / this.durationMs : this.sum / this.count;
  }
}

/**
 * A sample with a duration counts in every quarter hour it touches; one longer than an hour only where there is no
 * finer one.
 */
function averageIntervals(
  samples: SampleSeries,
  from: number,
  to: number,
  day: { readonly end: number },
  countsIn: CountsIn,
): number {
  const [fine, long] = [new Map<number, Tally>(), new Map<number, Tally>()];
  for (let index = from; index < to; index += 1) {
    const start = samples.starts[index] as number;
    const end = endAt(samples, index);
    const value = samples.values[index] as number;
    const tallies = end - start > LONG_SAMPLE_MS ? long : fine;
    spreadOverQuarterHours(start, Math.min(end, day.end), (quarter, partStart, partEnd) => {
      if (!countsIn(index, quarter)) return;
      tallies.getOrInsertComputed(quarter, () => new Tally()).add(value, partEnd - partStart);
    });
  }
  const all = new Map([...long, ...fine]);
  return all.values().reduce((sum, tally) => sum + tally.mean(), 0) / all.size;
}
