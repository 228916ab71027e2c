// Samples as JSON text. What is the same for every sample of a metric and device is made once.
import type { Metric } from '../../domain/metrics/index.ts';
import type { SampleColumns } from '../../domain/sample-blocks/index.ts';
import { fromCatalogUnit } from '../../domain/units.ts';
import { type UnitSystem, unitOf } from '../reading/index.ts';
import { snap } from '../samples/index.ts';
import type { Bucket } from './bucket-samples.ts';
import type { ChosenSamples, Contributor } from './chosen-samples.ts';
import { createTimeFormat, type TimeFormat } from './time-format.ts';

/** Large enough that the overhead of a piece does not matter, small enough to keep nobody waiting. */
const PIECE_LENGTH = 65_536;
const KNOWN_VALUES = 256;

export type Notation = { readonly unitSystem: UnitSystem; readonly includeSources: boolean };

/** Text that waits to be sent: items, each with a comma before it. */
export type Outbox = { text: string; isBegun: boolean };

/** Gives pieces as soon as there is enough; the rest stays in the outbox. */
export function* writeSamples(
  outbox: Outbox,
  metric: Metric,
  chosen: ChosenSamples,
  contributors: readonly Contributor[],
  notation: Notation,
): Generator<string> {
  const formatTime = createItemBegin(metric);
  const sources = notation.includeSources ? contributors.map(createSourceFormat) : null;
  const formatValue = createValueFormat(metric, notation.unitSystem, sources === null ? '}' : '');
  for (let index = 0; index < chosen.count; index += 1) {
    outbox.text += formatTime(chosen.starts[index] as number) + formatValue(chosen.values[index] as number);
    if (sources !== null)
      outbox.text += sources[chosen.places[index] as number]?.(chosen.origins[index] as number) ?? '}';
    if (outbox.text.length >= PIECE_LENGTH) yield takeText(outbox);
  }
}

export function* writeBuckets(
  outbox: Outbox,
  metric: Metric,
  buckets: readonly Bucket[],
  contributors: readonly Contributor[],
  notation: Notation,
): Generator<string> {
  const formatTime = createItemBegin(metric);
  const formatValue = createValueFormat(metric, notation.unitSystem, notation.includeSources ? '' : '}');
  for (const { startMs, value, shares } of buckets) {
    outbox.text += formatTime(startMs) + formatValue(value);
    if (notation.includeSources) outbox.text += presentShares(metric, shares, contributors);
    if (outbox.text.length >= PIECE_LENGTH) yield takeText(outbox);
  }
}

/** The first text begins the list. */
export function takeText(outbox: Outbox): string {
  const text = outbox.isBegun ? outbox.text : `{"data":[${outbox.text.slice(1)}`;
  outbox.isBegun = true;
  outbox.text = '';
  return text;
}

function createItemBegin(metric: Metric): TimeFormat {
  return createTimeFormat(',{"timestamp":"', `","metric":${JSON.stringify(metric.id)},"value":`);
}

/** Value and unit. Most values are small whole numbers: their text is made once. */
function createValueFormat(metric: Metric, unitSystem: UnitSystem, ending: string): (value: number) => string {
  const unit = unitOf(metric, unitSystem);
  const after = `,"unit":${JSON.stringify(unit)}${ending}`;
  if (unit !== metric.unit) return (value) => snap(fromCatalogUnit(metric.id, value, metric.unit, unit)) + after;
  const known = new Array<string | undefined>(KNOWN_VALUES).fill(undefined);
  return (value) => {
    const whole = value | 0;
    if (whole !== value || whole < 0 || whole >= KNOWN_VALUES) return value + after;
    let text = known[whole];
    if (text === undefined) {
      text = whole + after;
      known[whole] = text;
    }
    return text;
  };
}

/** The source of one sample: the device's own number, and its unit. */
function createSourceFormat({ device, columns }: Contributor): (origin: number) => string {
  const beforeValue = `,"source":{"provider":${JSON.stringify(device.provider)},"device_id":"${device.id}","original_value":`;
  const unitAt = createUnitLookup(columns);
  return (origin) => `${beforeValue}${columns.values[origin]},"original_unit":${unitAt(origin)}}}`;
}

/** As JSON. Asked mostly for neighbours. */
function createUnitLookup({ runs }: SampleColumns): (index: number) => string {
  let begin = 0;
  const known = runs.map(({ count, unit }) => {
    begin += count;
    return { end: begin, text: JSON.stringify(unit) };
  });
  let place = 0;
  return (index) => {
    if (index < (known[place - 1]?.end ?? 0)) place = 0;
    while (index >= (known[place]?.end ?? Number.POSITIVE_INFINITY)) place += 1;
    return known[place]?.text ?? '""';
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
