// Writes samples as JSON. Text that all samples of a metric or device share is encoded once.

import { hrvKindOf } from '../../../domain/metrics/hrv-kind.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import { type UnitSystem, unitOf } from '../../../domain/metrics/present-value.ts';
import { fromCatalogUnit } from '../../../domain/metrics/units.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import { JsonWriter } from '../../../platform/json-writer.ts';
import type { Bucket } from './bucket-samples.ts';
import type { CanonicalSamples, Contributor } from './canonical-samples.ts';
import { createTimeTemplate, type TimeTemplate } from './time-template.ts';

type Notation = { readonly unitSystem: UnitSystem; readonly includeSources: boolean };

/** The list of samples written so far. */
type SampleWriter = { readonly writer: JsonWriter; isEmpty: boolean };

const PIECE_BYTES = 49_152; // takes about 100 µs to write; Node scans texts of more than 65,535 characters again before it sends them
const SLACK_BYTES = 1_024; // room for the last sample of a piece, unless it has many sources
const BRACKET = 0x5b;
const COMMA = 0x2c;

export function createSampleWriter(): SampleWriter {
  return { writer: new JsonWriter(PIECE_BYTES + SLACK_BYTES), isEmpty: true };
}

/** Yields each piece once it is full; the rest stays in the writer. */
export function* writeSamples(
  list: SampleWriter,
  metric: Metric,
  canonical: CanonicalSamples,
  contributors: readonly Contributor[],
  notation: Notation,
): Generator<string> {
  if (canonical.count === 0) return;
  const notes = createNotes(metric, notation);
  const sources = notation.includeSources
    ? contributors.map((contributor) => createSourceWriter(contributor, notes.unitText))
    : null;
  separate(list);
  for (let index = 0; index < canonical.count; ) {
    index = fillPiece(list, canonical, index, notes, sources);
    if (isFull(list)) yield list.writer.takeText();
  }
  list.writer.writeBytes(notes.ending);
}

/** Writes until the piece is full or all samples are written. Returns the index of the next sample. */
function fillPiece(
  list: SampleWriter,
  { starts, values, indexes, origins, count }: CanonicalSamples,
  from: number,
  notes: Notes,
  sources: readonly SourceWriter[] | null,
): number {
  let index = from;
  for (; index < count && !isFull(list); index += 1) {
    writeValue(list, notes, index === 0, starts[index] as number, values[index] as number);
    if (sources !== null) sources[indexes[index] as number]?.(list.writer, origins[index] as number);
  }
  return index;
}

export function* writeBuckets(
  list: SampleWriter,
  metric: Metric,
  buckets: readonly Bucket[],
  contributors: readonly Contributor[],
  notation: Notation,
): Generator<string> {
  if (buckets.length === 0) return;
  const notes = createNotes(metric, notation);
  separate(list);
  for (const [index, { startMs, value, contributions }] of buckets.entries()) {
    writeValue(list, notes, index === 0, startMs, value);
    if (notation.includeSources)
      list.writer.writeText(notes.unitText + presentContributions(metric, contributions, contributors));
    if (isFull(list)) yield list.writer.takeText();
  }
  list.writer.writeBytes(notes.ending);
}

export function endList({ writer, isEmpty }: SampleWriter): void {
  writer.writeText(isEmpty ? '[]' : ']');
}

/** Begins the list, or separates the next samples from those before. */
function separate(list: SampleWriter): void {
  list.writer.writeByte(list.isEmpty ? BRACKET : COMMA);
  list.isEmpty = false;
}

/** Ends the sample before, except for the first, and writes the next up to its value. */
function writeValue(
  { writer }: SampleWriter,
  { firstAt, nextAt, toRequestedUnit }: Notes,
  isFirst: boolean,
  startMs: number,
  value: number,
): void {
  writer.writeBytes(isFirst ? firstAt(startMs) : nextAt(startMs));
  writer.writeNumber(toRequestedUnit === null ? value : toRequestedUnit(value));
}

function isFull({ writer }: SampleWriter): boolean {
  return writer.length >= PIECE_BYTES;
}

type Notes = {
  /** The text of a sample up to its value. */
  readonly firstAt: TimeTemplate;
  /** The same after the ending of the sample before: one copy instead of two. */
  readonly nextAt: TimeTemplate;
  /** Converts to the requested unit; null where that is the catalog's unit. */
  readonly toRequestedUnit: ((value: number) => number) | null;
  /** The unit after the value. Part of the ending, unless sources stand between. */
  readonly unitText: string;
  /** The end of a sample. */
  readonly ending: Buffer;
};

function createNotes(metric: Metric, { unitSystem, includeSources }: Notation): Notes {
  const unit = unitOf(metric, unitSystem);
  const hrvKind = hrvKindOf(metric);
  const kind = hrvKind === null ? '' : `,"hrv_kind":"${hrvKind}"`;
  const unitText = `,"unit":${JSON.stringify(unit)}${kind}`;
  const ending = includeSources ? '}' : `${unitText}}`;
  const before = '{"timestamp":"';
  const after = `","metric":${JSON.stringify(metric.id)},"value":`;
  return {
    firstAt: createTimeTemplate(before, after),
    nextAt: createTimeTemplate(`${ending},${before}`, after),
    toRequestedUnit:
      unit === metric.unit
        ? null
        : (value: number) => roundConverted(fromCatalogUnit(metric.id, value, metric.unit, unit)),
    unitText,
    ending: Buffer.from(ending),
  };
}

/** One digit less than a stored value: a device's number may have been converted to the catalog's unit and back. */
const CONVERTED_DIGITS = 14;

function roundConverted(value: number): number {
  return Number(value.toPrecision(CONVERTED_DIGITS));
}

type SourceWriter = (writer: JsonWriter, origin: number) => void;

/** Writes the unit and the source of one sample: the device's value and its unit. */
function createSourceWriter({ device, columns }: Contributor, unitText: string): SourceWriter {
  const beforeValue = Buffer.from(
    `${unitText},"source":{"provider":${JSON.stringify(device.provider)},"device_id":${JSON.stringify(device.id)},"original_value":`,
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
    return { end: begin, bytes: Buffer.from(`,"original_unit":${JSON.stringify(unit)}}`) };
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

function presentContributions(
  metric: Metric,
  contributions: Bucket['contributions'],
  contributors: readonly Contributor[],
): string {
  const sources = contributions.map(({ index, value }) => ({
    provider: contributors[index]?.device.provider,
    device_id: contributors[index]?.device.id,
    original_value: value,
    original_unit: metric.unit,
  }));
  const all = sources.length > 1 ? `,"sources":${JSON.stringify(sources)}` : '';
  return `,"source":${JSON.stringify(sources[0])}${all}`;
}
