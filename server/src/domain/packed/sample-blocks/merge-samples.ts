// Merges new samples into existing ones by start; the new sample wins.
import { SampleBlockError } from './block-format.ts';
import {
  appendRun,
  concatColumns,
  endsOf,
  endsOrNull,
  findStart,
  isSameRun,
  type SampleColumns,
  type SampleRun,
} from './sample-columns.ts';

/** Below this length a loop is faster than a view and a copy. */
const FEW = 16;

type MergedSamples = {
  readonly columns: SampleColumns;
  readonly added: number;
  readonly replaced: number;
  /** Samples that existed without a difference. If all do, nothing has to be written. */
  readonly equal: number;
};

export function mergeSamples(existing: SampleColumns | null, incoming: SampleColumns): MergedSamples {
  const added = incoming.starts.length;
  if (existing === null || added === 0)
    return { columns: added === 0 && existing ? existing : incoming, added, replaced: 0, equal: 0 };
  // The fast path for nearly all uploads: new samples come after the existing ones.
  if ((existing.starts.at(-1) ?? 0) < (incoming.starts[0] ?? 0))
    return { columns: concatColumns(existing, incoming), added, replaced: 0, equal: 0 };
  return weave(existing, incoming);
}

function weave(existing: SampleColumns, incoming: SampleColumns): MergedSamples {
  const output = createOutput(existing.starts.length + incoming.starts.length);
  const old = createCursor(existing);
  const fresh = createCursor(incoming);
  let replaced = 0;
  let equal = 0;
  while (fresh.index < fresh.length) {
    take(output, old, findStart(old.starts, startAt(fresh), old.index));
    if (startAt(old) === startAt(fresh)) {
      if (isSameSample(old, fresh)) equal += 1;
      else replaced += 1;
      skip(old, 1);
      take(output, fresh, fresh.index + 1);
    } else take(output, fresh, findStart(fresh.starts, startAt(old), fresh.index));
  }
  take(output, old, old.length);
  return { columns: finish(output), added: incoming.starts.length - replaced - equal, replaced, equal };
}

/** An index in columns, and the run that contains it. */
type Cursor = SampleColumns & {
  readonly ends: Float64Array;
  readonly length: number;
  index: number;
  run: number;
  leftOfRun: number;
};

function createCursor(columns: SampleColumns): Cursor {
  const ends = endsOf(columns);
  return { ...columns, ends, length: ends.length, index: 0, run: 0, leftOfRun: columns.runs[0]?.count ?? 0 };
}

function startAt(cursor: Cursor): number {
  return cursor.index < cursor.length ? (cursor.starts[cursor.index] as number) : Number.POSITIVE_INFINITY;
}

function runAt(cursor: Cursor): SampleRun {
  const run = cursor.runs[cursor.run];
  if (run === undefined) throw new SampleBlockError('the runs do not cover the samples');
  return run;
}

/** Moves within a run, up to its end. */
function skip(cursor: Cursor, count: number): void {
  cursor.index += count;
  cursor.leftOfRun -= count;
  if (cursor.leftOfRun > 0) return;
  cursor.run += 1;
  cursor.leftOfRun = cursor.runs[cursor.run]?.count ?? 0;
}

/** Compares bits: -0 in place of 0 is a correction, if an unusual one. */
function isSameSample(one: Cursor, other: Cursor): boolean {
  return (
    Object.is(one.values[one.index], other.values[other.index]) &&
    one.ends[one.index] === other.ends[other.index] &&
    isSameRun(runAt(one), runAt(other))
  );
}

type Output = {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly values: Float64Array;
  readonly runs: SampleRun[];
  length: number;
};

function createOutput(capacity: number): Output {
  const array = () => new Float64Array(capacity);
  return { starts: array(), ends: array(), values: array(), runs: [], length: 0 };
}

/** Everything from the cursor up to an index, which is excluded. */
function take(output: Output, cursor: Cursor, to: number): void {
  const from = cursor.index;
  copy(cursor.starts, output.starts, from, to, output.length);
  copy(cursor.ends, output.ends, from, to, output.length);
  copy(cursor.values, output.values, from, to, output.length);
  output.length += to - from;
  while (cursor.index < to) {
    const count = Math.min(cursor.leftOfRun, to - cursor.index);
    appendRun(output.runs, runAt(cursor), count);
    skip(cursor, count);
  }
}

function copy(source: Float64Array, target: Float64Array, from: number, to: number, at: number): void {
  if (to - from > FEW) target.set(source.subarray(from, to), at);
  else for (let index = from; index < to; index += 1) target[at + index - from] = source[index] as number;
}

function finish(output: Output): SampleColumns {
  const starts = output.starts.subarray(0, output.length);
  const ends = endsOrNull(starts, output.ends.subarray(0, output.length));
  return { starts, ends, values: output.values.subarray(0, output.length), runs: output.runs };
}
