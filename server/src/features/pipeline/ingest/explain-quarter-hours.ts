// Explains a value by quarter hour: what each device measured, and which part of it is in the value.

import { mergeDay } from '../../../domain/consolidate/index.ts';
import { getMetricOrThrow, isAdditive } from '../../../domain/metrics/index.ts';
import { DERIVED_FROM_SAMPLES_OF } from '../../../domain/metrics/session-metrics.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Day } from '../../../domain/time/day.ts';
import {
  quarterHourOf,
  type SampleSeries,
  spreadOverQuarterHours,
  sumQuarterHours,
  takeShare,
} from '../../../domain/time/quarter-hours.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { normalizedSeries } from '../../store/samples/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import type { JudgedValue } from './explain-candidates.ts';

/** One entry per quarter hour of the day; null: no sample. */
type Column = (number | null)[];

export type QuarterHoursOfDevice = {
  readonly device: SourceDevice;
  /** Sums of totals, means of levels. */
  readonly measured: Column;
  /** The part of `measured` in the value; null: not counted. */
  readonly counted: Column;
};

/** Devices with samples on the day, highest rank first. */
export async function explainQuarterHours(
  context: ConsolidationContext,
  judged: JudgedValue,
  date: LocalDate,
): Promise<QuarterHoursOfDevice[]> {
  const { metric } = judged;
  const day = context.zone.dayOf(date);
  const sampled = getMetricOrThrow(DERIVED_FROM_SAMPLES_OF.get(metric.id) ?? metric.id);
  const samples = await context.samples.read([{ metric: sampled.id, fromMs: day.start, toMs: day.end }]);
  const measure = isAdditive(sampled) ? sumColumn : meanColumn;
  const devices = context.rankedFor(metric).flatMap(({ device }) => {
    const columns = samples.get(sampled.id)?.get(device.number);
    if (columns === undefined) return [];
    const measured = measure(normalizedSeries(sampled, columns), day);
    return measured.some((value) => value !== null) ? [{ device, measured }] : [];
  });
  const count = openCounting(context, judged, day);
  return devices.map(({ device, measured }) => ({ device, measured, counted: count(device, measured) }));
}

type Count = (device: SourceDevice, measured: Column) => Column;

/** A merged total counts each quarter hour once; otherwise all samples of the contributors count. */
function openCounting(
  { rules }: ConsolidationContext,
  { metric, consolidated, facts, isComputed }: JudgedValue,
  day: Day,
): Count {
  const contributors = new Set(isComputed ? [] : consolidated.contributors.map(({ id }) => id));
  const merged = rules.isMerged(metric) ? facts.samples.toMerge(metric, day.date) : null;
  if (merged === null || contributors.size < 2)
    return ({ id }, measured) => (contributors.has(id) ? measured : measured.map(() => null));
  const numbers = [...merged.keys()];
  const owners = mergeDay([...merged.values()]);
  const first = quarterHourOf(day.start);
  return ({ number }, measured) =>
    measured.map((_, index) =>
      numbers[owners.ownerOf(first + index)] === number ? owners.amountOf(first + index) : null,
    );
}

function sumColumn(series: SampleSeries, day: Day): Column {
  const { indexes, sums, long } = sumQuarterHours(series, day.start, day.end);
  const column = emptyColumn(day);
  const add = (quarter: number, amount: number) => {
    const index = quarter - quarterHourOf(day.start);
    column[index] = (column[index] ?? 0) + amount;
  };
  indexes.forEach((quarter, index) => {
    add(quarter, sums[index] as number);
  });
  for (const { start, end, value } of long)
    spreadOverQuarterHours(start, end, (quarter, from, to) => add(quarter, takeShare(value, start, end, from, to)));
  return column;
}

function meanColumn({ starts, values }: SampleSeries, day: Day): Column {
  const column = emptyColumn(day);
  const counts = column.map(() => 0);
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index] as number;
    if (start < day.start || start >= day.end) continue;
    const at = quarterHourOf(start) - quarterHourOf(day.start);
    counts[at] = (counts[at] ?? 0) + 1;
    column[at] = (column[at] ?? 0) + (values[index] as number);
  }
  return column.map((sum, index) => (sum === null ? null : sum / (counts[index] as number)));
}

function emptyColumn({ start, end }: Day): Column {
  return new Array<number | null>(Math.max(0, quarterHourOf(end - 1) - quarterHourOf(start) + 1)).fill(null);
}
