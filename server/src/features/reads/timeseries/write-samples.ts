// Writes samples as JSON. Text that all samples of a metric or device share is encoded once.

import { hrvKindOf } from '../../../domain/metrics/hrv-kind.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import { type UnitSystem, unitOf } from '../../../domain/metrics/present-value.ts';
import { fromCatalogUnit } from '../../../domain/metrics/units.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import { JsonWriter } from '../../../platform/json-writer.ts';
import { snap } from '../../store/samples/index.ts';
import type { Bucket } from './bucket-samples.ts';
import type { CanonicalSamples, Contributor } from './canonical-samples.ts';
import { createTimeTemplate, type TimeTemplate } from './time-template.ts';

type Notation = { readonly unitSystem: UnitSystem; readonly includeSources: boolean };

/** The list of samples written so far. */
export type SampleList = { readonly writer: JsonWriter; isEmpty: boolean };

const PIECE_BYTES = 131_072; // takes a few hundred microseconds to write; longer pieces cost memory
const SLACK_BYTES = 1_024; // room for the last sample of a piece, unless it has many sources
const BRACKET = 0x5b;
const COMMA = 0x2c;

export function createSampleList(): SampleList {
  return { writer: new JsonWriter(PIECE_BYTES + SLACK_BYTES), isEmpty: true };
}

/** Yields each piece once it is full; the rest stays in the writer. */
export function* writeSamples(
  list: SampleList,
  metric: Metric,
  canonical: CanonicalSamples,
  contributors: readonly Contributor[],
  notation: Notation,
): Generator<Buffer> {
  const notes = createNotes(metric, notation);
  const sources = notation.includeSources ? contributors.map(createSourceWriter) : null;
  for (let index = 0; index < canonical.count; ) {
    index = fillPiece(list, canonical, index, notes, sources);
    if (isFull(list)) yield list.writer.takeBytes();
  }
}

/** Writes until the piece is full or all samples are written. Returns the index of the next sample. */
function fillPiece(
  list: SampleList,
  { starts, values, indexes, origins, count }: CanonicalSamples,
  from: number,
  notes: Notes,
  sources: readonly SourceWriter[] | null,
): number {
  let index = from;
  for (; index < count && !isFull(list); index += 1) {
    writeItem(list, notes, starts[index] as number, values[index] as number);
    if (sources !== null) sources[indexes[index] as number]?.(list.writer, origins[index] as number);
  }
  return index;
}

export function* writeBuckets(
  list: SampleList,
  metric: Metric,
  buckets: readonly Bucket[],
  contributors: readonly Contributor[],
  notation: Notation,
): Generator<Buffer> {
  const notes = createNotes(metric, notation);
  for (const { startMs, value, shares } of buckets) {
    writeItem(list, notes, startMs, value);
    if (notation.includeSources) list.writer.writeText(presentShares(metric, shares, contributors));
    if (isFull(list)) yield list.writer.takeBytes();
  }
}

export function endList({ writer, isEmpty }: SampleList): void {
  writer.writeText(isEmpty ? '[]' : ']');
}

function writeItem(list: SampleList, { timeAt, toRequestedUnit, ending }: Notes, startMs: number, value: number): void {
  const { writer } = list;
  writer.writeByte(list.isEmpty ? BRACKET : COMMA);
  list.isEmpty = false;
  writer.writeBytes(timeAt(startMs));
  writer.writeNumber(toRequestedUnit === null ? value : toRequestedUnit(value));
  writer.writeBytes(ending);
}

function isFull({ writer }: SampleList): boolean {
  return writer.length >= PIECE_BYTES;
}

type Notes = {
  readonly timeAt: TimeTemplate;
  /** Converts to the requested unit; null where that is the catalog's unit. */
  readonly toRequestedUnit: ((value: number) => number) | null;
  /** The text after the value; leaves the object open if sources follow. */
  readonly ending: Buffer;
};

function createNotes(metric: Metric, { unitSystem, includeSources }: Notation): Notes {
  const unit = unitOf(metric, unitSystem);
  const hrvKind = hrvKindOf(metric);
  const kind = hrvKind === null ? '' : `,"hrv_kind":"${hrvKind}"`;
  return {
    timeAt: createTimeTemplate('{"timestamp":"', `","metric":${JSON.stringify(metric.id)},"value":`),
    toRequestedUnit:
      unit === metric.unit ? null : (value: number) => snap(fromCatalogUnit(metric.id, value, metric.unit, unit)),
    ending: Buffer.from(`,"unit":${JSON.stringify(unit)}${kind}${includeSources ? '' : '}'}`),
  };
}

type SourceWriter = (writer: JsonWriter, origin: number) => void;

/** Writes the source of one sample: the device's value and its unit. */
function createSourceWriter({ device, columns }: Contributor): SourceWriter {
  const beforeValue = Buffer.from(
    `,"source":{"provider":${JSON.stringify(device.provider)},"device_id":${JSON.stringify(device.id)},"original_value":`,
  );
  const afterValueAt = createUnitLookup(columns);
  return (writer, origin) => {
    writer.writeBytes(beforeValue);
    writer.writeNumber(columns.values[origin] as number);
    writer.writeBytes(afterValueAt(origin));
  };
}

/** The text after the value of a source. Remembers the last position, as lookups mostly come in order. */
function createUnitLookup({ runs }: SampleColumns): (index: number) => Buffer {
  let begin = 0;
  const known = runs.map(({ count, unit }) => {
    begin += count;
    return { end: begin, bytes: Buffer.from(`,"original_unit":${JSON.stringify(unit)}}}`) };
  });
  let position = 0;
  return (index) => {
    if (index < (known[position - 1]?.end ?? 0)) position = 0;
    while (index >= (known[position]?.end ?? Number.POSITIVE_INFINITY)) position += 1;
    const found = known[position];
    if (found === undefined) throw new Error(`sample ${index} is not in any run`);
    return found.bytes;
  };
}

function presentShares(metric: Metric, shares: Bucket['shares'], contributors: readonly Contributor[]): string {
  const sources = shares.map(({ index, value }) => ({
    provider: contributors[index]?.device.provider,
    device_id: contributors[index]?.device.id,
    original_value: value,
    original_unit: metric.unit,
  }));
  const all = sources.length > 1 ? `,"sources":${JSON.stringify(sources)}` : '';
  return `,"source":${JSON.stringify(sources[0])}${all}}`;
}
