// Samples in page order, as columns: for a page with thousands, an object each would cost more than parsing it.

import { growColumn } from '../domain/packed/bytes/index.ts';
import type { SampleColumns } from '../domain/packed/sample-blocks/index.ts';
import type { RecordingMethod } from '../domain/records/records.ts';

/** In any order and with duplicate starts: the caller checks and sorts them. */
export type ReportedSamples = SampleColumns;

type Run = { count: number; readonly unit: string; readonly offsetMinutes: number; readonly method: RecordingMethod };

export type SampleList = {
  starts: Float64Array;
  /** Null as long as every sample is an instant. */
  ends: Float64Array | null;
  values: Float64Array;
  count: number;
  readonly runs: Run[];
};

/** Most lists are short, and V8 keeps at most 64 bytes of a typed array in its own heap, where it is fast to create. */
const FIRST_CAPACITY = 8;

export function createSampleList(): SampleList {
  const array = () => new Float64Array(FIRST_CAPACITY);
  return { starts: array(), ends: null, values: array(), count: 0, runs: [] };
}

export function addSample(
  list: SampleList,
  start: number,
  end: number,
  value: number,
  unit: string,
  offsetMinutes: number,
  method: RecordingMethod,
): void {
  const at = list.count;
  if (at === list.starts.length) grow(list);
  if (end !== start) list.ends ??= list.starts.slice(); // all samples before it are instants
  list.starts[at] = start;
  if (list.ends !== null) list.ends[at] = end;
  list.values[at] = value;
  list.count = at + 1;
  const run = list.runs.at(-1);
  if (run !== undefined && run.offsetMinutes === offsetMinutes && run.unit === unit && run.method === method)
    run.count += 1;
  else list.runs.push({ count: 1, unit, offsetMinutes, method });
}

export function finishSamples({ starts, ends, values, count, runs }: SampleList): ReportedSamples {
  return {
    starts: starts.subarray(0, count),
    ends: ends?.subarray(0, count) ?? null,
    values: values.subarray(0, count),
    runs,
  };
}

function grow(list: SampleList): void {
  list.starts = growColumn(list.starts);
  if (list.ends !== null) list.ends = growColumn(list.ends);
  list.values = growColumn(list.values);
}
