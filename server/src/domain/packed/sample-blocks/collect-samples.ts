// Collects the samples of one metric into columns in any order, then sorts them.

import type { RecordingMethod } from '../../records/records.ts';
import { RECORDING_METHODS } from '../../records/records.ts';
import { OFFSET_LIMIT_MINUTES } from '../../time/parse-instant.ts';
import { growColumn } from '../bytes/index.ts';
import type { SampleColumns, SampleRun } from './sample-columns.ts';

/** Offset, unit and recording method as one number, because they rarely change from sample to sample. */
type Traits = number;

export type SampleCollector = {
  /** The units of the metric, which `unitIndex` refers to. */
  readonly units: readonly string[];
  starts: Float64Array;
  ends: Float64Array;
  values: Float64Array;
  traits: Int32Array;
  count: number;
  hasEnds: boolean;
  isAscending: boolean;
  lastStart: number;
};

type CollectedSamples = {
  readonly columns: SampleColumns;
  /** Sent again without a change. */
  readonly duplicates: number;
  /** Sent again with a change. */
  readonly replaced: number;
};

/**
 * An upload usually has one metric, so its arrays are allocated at their final length up to this limit; others start
 * small.
 */
const MAX_FIRST_CAPACITY = 65_536;
const LATER_CAPACITY = 512;
const METHOD_BITS = 2;
const UNIT_BITS = 4;

export function createCollector(units: readonly string[], expected = LATER_CAPACITY): SampleCollector {
  if (units.length > 1 << UNIT_BITS || RECORDING_METHODS.length > 1 << METHOD_BITS)
    throw new Error('too many combinations of unit and method');
  const capacity = Math.max(1, Math.min(expected, MAX_FIRST_CAPACITY));
  return {
    units,
    starts: new Float64Array(capacity),
    ends: new Float64Array(capacity),
    values: new Float64Array(capacity),
    traits: new Int32Array(capacity),
    count: 0,
    hasEnds: false,
    isAscending: true,
    lastStart: Number.NEGATIVE_INFINITY,
  };
}

export function packTraits(offsetMinutes: number, unitIndex: number, methodIndex: number): Traits {
  // The limit makes every offset positive.
  return ((((offsetMinutes + OFFSET_LIMIT_MINUTES) << UNIT_BITS) | unitIndex) << METHOD_BITS) | methodIndex;
}

export function collectSample(into: SampleCollector, start: number, end: number, value: number, traits: Traits): void {
  const at = into.count;
  if (at === into.starts.length) grow(into);
  into.starts[at] = start;
  into.ends[at] = end;
  into.values[at] = value;
  into.traits[at] = traits;
  into.count = at + 1;
  if (end !== start) into.hasEnds = true;
  if (start <= into.lastStart) into.isAscending = false;
  into.lastStart = start;
}

/** Ascending by start; of several samples with the same start the last one sent wins. */
export function finishCollector(collector: SampleCollector): CollectedSamples {
  const { units, hasEnds } = collector;
  const { duplicates, replaced, ...arrays } = collector.isAscending ? trim(collector) : putInOrder(collector);
  const { starts, ends, values, traits } = arrays;
  const columns = { starts, ends: hasEnds ? ends : null, values, runs: findRuns(traits, units) };
  return { columns, duplicates, replaced };
}

type Arrays = Pick<SampleCollector, 'starts' | 'ends' | 'values' | 'traits'> & Omit<CollectedSamples, 'columns'>;

function trim({ starts, ends, values, traits, count }: SampleCollector): Arrays {
  return {
    starts: starts.subarray(0, count),
    ends: ends.subarray(0, count),
    values: values.subarray(0, count),
    traits: traits.subarray(0, count),
    duplicates: 0,
    replaced: 0,
  };
}

function putInOrder(collector: SampleCollector): Arrays {
  const { starts, count } = collector;
  const order = new Uint32Array(count).map((_, index) => index);
  order.sort((one, other) => (starts[one] as number) - (starts[other] as number) || one - other);
  let duplicates = 0;
  const kept = order.filter((index, position) => {
    const next = order[position + 1];
    if (next === undefined || starts[index] !== starts[next]) return true;
    if (isSame(collector, index, next)) duplicates += 1;
    return false;
  });
  const pick = (column: Float64Array) => Float64Array.from(kept, (index) => column[index] as number);
  return {
    starts: pick(starts),
    ends: pick(collector.ends),
    values: pick(collector.values),
    traits: Int32Array.from(kept, (index) => collector.traits[index] as number),
    duplicates,
    replaced: count - kept.length - duplicates,
  };
}

function isSame({ ends, values, traits }: SampleCollector, one: number, other: number): boolean {
  return ends[one] === ends[other] && values[one] === values[other] && traits[one] === traits[other];
}

function findRuns(traits: Int32Array, units: readonly string[]): SampleRun[] {
  const runs: SampleRun[] = [];
  for (let from = 0; from < traits.length; ) {
    const current = traits[from] as number;
    let to = from + 1;
    while (traits[to] === current) to += 1;
    runs.push({ count: to - from, ...unpackTraits(current, units) });
    from = to;
  }
  return runs;
}

function unpackTraits(traits: Traits, units: readonly string[]): Omit<SampleRun, 'count'> {
  const unitIndex = (traits >> METHOD_BITS) & ((1 << UNIT_BITS) - 1);
  return {
    unit: units[unitIndex] as string,
    offsetMinutes: (traits >> (METHOD_BITS + UNIT_BITS)) - OFFSET_LIMIT_MINUTES,
    method: RECORDING_METHODS[traits & ((1 << METHOD_BITS) - 1)] as RecordingMethod,
  };
}

function grow(collector: SampleCollector): void {
  collector.starts = growColumn(collector.starts);
  collector.ends = growColumn(collector.ends);
  collector.values = growColumn(collector.values);
  collector.traits = growColumn(collector.traits);
}
