// Samples as columns: typed arrays and runs instead of an object per sample. Sorted by start, with unique starts.
import type { EpochMs, RecordingMethod, Sample } from '../../records/records.ts';

/** Consecutive samples with the same unit, offset and recording method. */
export type SampleRun = {
  readonly count: number;
  readonly unit: string;
  readonly offsetMinutes: number;
  readonly method: RecordingMethod;
};

export type SampleColumns = {
  readonly starts: Float64Array;
  /** Null if every sample is an instant, so that its end is its start. */
  readonly ends: Float64Array | null;
  /** The device's numbers, in the unit of their run. */
  readonly values: Float64Array;
  readonly runs: readonly SampleRun[];
};

/** Accepts any order; of two samples with the same start the later in the list wins. */
export function columnsOfSamples(samples: readonly Sample[]): SampleColumns {
  const sorted = sortByStart(samples);
  const starts = new Float64Array(sorted.length);
  const ends = new Float64Array(sorted.length);
  const values = new Float64Array(sorted.length);
  const runs: SampleRun[] = [];
  let hasEnds = false;
  for (const [index, sample] of sorted.entries()) {
    starts[index] = sample.start;
    ends[index] = sample.end;
    values[index] = sample.value;
    hasEnds ||= sample.end !== sample.start;
    appendRun(runs, sample, 1);
  }
  return { starts, ends: hasEnds ? ends : null, values, runs };
}

export function samplesOfColumns({ starts, ends, values, runs }: SampleColumns): Sample[] {
  const samples: Sample[] = [];
  for (const { count, unit, offsetMinutes, method } of runs) {
    for (const limit = samples.length + count; samples.length < limit; ) {
      const index = samples.length;
      const start = starts[index] as EpochMs;
      const end = (ends === null ? start : ends[index]) as EpochMs;
      samples.push({ start, end, value: values[index] as number, unit, offsetMinutes, method });
    }
  }
  return samples;
}

/** From the first index up to the second, which is excluded. Shares memory with its argument. */
export function sliceColumns({ starts, ends, values, runs }: SampleColumns, from: number, to: number): SampleColumns {
  return {
    starts: starts.subarray(from, to),
    ends: ends === null ? null : ends.subarray(from, to),
    values: values.subarray(from, to),
    runs: sliceRuns(runs, from, to),
  };
}

/** The second columns must begin after the first have ended. */
export function concatColumns(first: SampleColumns, second: SampleColumns): SampleColumns {
  const runs = [...first.runs];
  for (const run of second.runs) appendRun(runs, run, run.count);
  return {
    starts: concatArrays(first.starts, second.starts),
    ends: first.ends || second.ends ? concatArrays(endsOf(first), endsOf(second)) : null,
    values: concatArrays(first.values, second.values),
    runs,
  };
}

export function endsOf({ ends, starts }: SampleColumns): Float64Array {
  return ends ?? starts;
}

/** Null if all are instants. */
export function endsOrNull(starts: Float64Array, ends: Float64Array): Float64Array | null {
  for (let index = 0; index < starts.length; index += 1) if (starts[index] !== ends[index]) return ends;
  return null;
}

export function appendRun(runs: SampleRun[], like: Omit<SampleRun, 'count'>, count: number): void {
  const last = runs.at(-1);
  if (last !== undefined && isSameRun(last, like)) runs[runs.length - 1] = { ...last, count: last.count + count };
  else runs.push({ count, unit: like.unit, offsetMinutes: like.offsetMinutes, method: like.method });
}

export function isSameRun(one: Omit<SampleRun, 'count'>, other: Omit<SampleRun, 'count'>): boolean {
  return one.unit === other.unit && one.offsetMinutes === other.offsetMinutes && one.method === other.method;
}

/**
 * The first index, from `from` on, whose start is not before `time`. Not by `findFirst`, because it runs for every sample:
 * a call for each comparison makes it 13 % slower.
 */
export function findStart(starts: Float64Array, time: number, from = 0): number {
  let low = from;
  for (let high = starts.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sortByStart(samples: readonly Sample[]): readonly Sample[] {
  if (samples.every((sample, index) => index === 0 || (samples[index - 1] as Sample).start < sample.start))
    return samples;
  // The sort is stable, so of equal starts the last one in the list wins.
  const sorted = samples.toSorted((a, b) => a.start - b.start);
  return sorted.filter((sample, index) => sorted[index + 1]?.start !== sample.start);
}

function sliceRuns(runs: readonly SampleRun[], from: number, to: number): SampleRun[] {
  const kept: SampleRun[] = [];
  let begin = 0;
  for (const run of runs) {
    const count = Math.min(begin + run.count, to) - Math.max(begin, from);
    if (count > 0) kept.push({ ...run, count });
    begin += run.count;
  }
  return kept;
}

function concatArrays(first: Float64Array, second: Float64Array): Float64Array {
  const both = new Float64Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
