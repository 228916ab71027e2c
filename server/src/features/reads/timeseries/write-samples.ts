// Samples as JSON. What is the same for every sample of a metric and device is made once.

import { hrvKindOf } from '../../../domain/metrics/hrv-kind.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import { type UnitSystem, unitOf } from '../../../domain/metrics/present-value.ts';
import { fromCatalogUnit } from '../../../domain/metrics/units.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import { snap } from '../../store/samples/index.ts';
import type { Bucket } from './bucket-samples.ts';
import type { ChosenSamples, Contributor } from './chosen-samples.ts';
import {
  beginItem,
  COMMA,
  createStencil,
  isFull,
  type Outbox,
  PIECE_BYTES,
  putWhole,
  type Stencil,
  stamp,
  stampAt,
  takePiece,
  writeNumber,
  writeText,
} from './json-bytes.ts';
import { createTimeStencil, type TimeStencil } from './time-stencil.ts';

export type Notation = { readonly unitSystem: UnitSystem; readonly includeSources: boolean };

/** Gives pieces as soon as they are full; the rest stays in the outbox. */
export function* writeSamples(
  outbox: Outbox,
  metric: Metric,
  chosen: ChosenSamples,
  contributors: readonly Contributor[],
  notation: Notation,
): Generator<Buffer> {
  const notes = createNotes(metric, notation);
  const sources = notation.includeSources ? contributors.map(createSourceWriter) : null;
  for (let index = 0; index < chosen.count; ) {
    index =
      sources === null
        ? fillPiece(outbox, chosen, index, notes)
        : fillPieceWithSources(outbox, chosen, index, notes, sources);
    if (isFull(outbox)) yield takePiece(outbox);
  }
}

/**
 * Until the piece is full or no sample is left; returns the place of the next. Not a generator, and nothing but places in
 * bytes: this is where the time goes.
 */
function fillPiece(outbox: Outbox, chosen: ChosenSamples, from: number, notes: Notes): number {
  const { starts, values, count } = chosen;
  const { timeAt, toShown, ending } = notes;
  const { bytes, view } = outbox;
  let { length: place } = outbox;
  let index = from;
  for (; index < count && place < PIECE_BYTES; index += 1) {
    const value = toShown === null ? (values[index] as number) : toShown(values[index] as number);
    bytes[place] = outbox.separator;
    outbox.separator = COMMA;
    place = stampAt(view, place + 1, timeAt(starts[index] as number));
    const whole = value | 0;
    if (whole === value && whole >= 0) place = putWhole(bytes, place, whole);
    else place += bytes.write(String(value), place, 'latin1');
    place = stampAt(view, place, ending);
  }
  outbox.length = place;
  return index;
}

function fillPieceWithSources(
  outbox: Outbox,
  chosen: ChosenSamples,
  from: number,
  { timeAt, toShown, ending }: Notes,
  sources: readonly SourceWriter[],
): number {
  const { starts, values, places, origins, count } = chosen;
  let index = from;
  for (; index < count && !isFull(outbox); index += 1) {
    beginItem(outbox);
    stamp(outbox, timeAt(starts[index] as number));
    writeNumber(outbox, show(toShown, values[index] as number));
    stamp(outbox, ending);
    sources[places[index] as number]?.(outbox, origins[index] as number);
  }
  return index;
}

export function* writeBuckets(
  outbox: Outbox,
  metric: Metric,
  buckets: readonly Bucket[],
  contributors: readonly Contributor[],
  notation: Notation,
): Generator<Buffer> {
  const { timeAt, toShown, ending } = createNotes(metric, notation);
  for (const { startMs, value, shares } of buckets) {
    beginItem(outbox);
    stamp(outbox, timeAt(startMs));
    writeNumber(outbox, show(toShown, value));
    stamp(outbox, ending);
    if (notation.includeSources) writeText(outbox, presentShares(metric, shares, contributors));
    if (isFull(outbox)) yield takePiece(outbox);
  }
}

type Notes = {
  readonly timeAt: TimeStencil;
  /** To the unit that was asked for; null where it is the catalog's. */
  readonly toShown: ((value: number) => number) | null;
  /** Follows the value; where sources do, it leaves the item open. */
  readonly ending: Stencil;
};

function createNotes(metric: Metric, { unitSystem, includeSources }: Notation): Notes {
  const unit = unitOf(metric, unitSystem);
  const hrvKind = hrvKindOf(metric);
  const kind = hrvKind === null ? '' : `,"hrv_kind":"${hrvKind}"`;
  return {
    timeAt: createTimeStencil('{"timestamp":"', `","metric":${JSON.stringify(metric.id)},"value":`),
    toShown:
      unit === metric.unit ? null : (value: number) => snap(fromCatalogUnit(metric.id, value, metric.unit, unit)),
    ending: createStencil(`,"unit":${JSON.stringify(unit)}${kind}${includeSources ? '' : '}'}`),
  };
}

function show(toShown: Notes['toShown'], value: number): number {
  return toShown === null ? value : toShown(value);
}

type SourceWriter = (outbox: Outbox, origin: number) => void;

/** The source of one sample: the device's own number, and its unit. */
function createSourceWriter({ device, columns }: Contributor): SourceWriter {
  const beforeValue = createStencil(
    `,"source":{"provider":${JSON.stringify(device.provider)},"device_id":${JSON.stringify(device.id)},"original_value":`,
  );
  const afterValueAt = createUnitLookup(columns);
  return (outbox, origin) => {
    stamp(outbox, beforeValue);
    writeNumber(outbox, columns.values[origin] as number);
    stamp(outbox, afterValueAt(origin));
  };
}

/** What follows the value of a source. Asked mostly for neighbours. */
function createUnitLookup({ runs }: SampleColumns): (index: number) => Stencil {
  let begin = 0;
  const known = runs.map(({ count, unit }) => {
    begin += count;
    return { end: begin, stencil: createStencil(`,"original_unit":${JSON.stringify(unit)}}}`) };
  });
  let place = 0;
  return (index) => {
    if (index < (known[place - 1]?.end ?? 0)) place = 0;
    while (index >= (known[place]?.end ?? Number.POSITIVE_INFINITY)) place += 1;
    const found = known[place];
    if (found === undefined) throw new Error(`no run of the samples holds number ${index}`);
    return found.stencil;
  };
}

function presentShares(metric: Metric, shares: Bucket['shares'], contributors: readonly Contributor[]): string {
  const sources = shares.map(({ place, value }) => ({
    provider: contributors[place]?.device.provider,
    device_id: contributors[place]?.device.id,
    original_value: value,
    original_unit: metric.unit,
  }));
  const all = sources.length > 1 ? `,"sources":${JSON.stringify(sources)}` : '';
  return `,"source":${JSON.stringify(sources[0])}${all}}`;
}
