// The chart of one metric by day: each value with the device behind it, and what other devices said. Pure.
import type { DaySource } from './queries.ts';

type TrendPoint = {
  readonly index: number;
  readonly value: number;
  /** The number of the device; null: computed, or not known yet. */
  readonly device: number | null;
  readonly others: readonly { readonly device: number; readonly value: number }[];
};
export type Trend = {
  readonly points: readonly TrendPoint[];
  readonly mean: number | null;
  /** The scale of the chart. */
  readonly low: number;
  readonly high: number;
  /** Days without a value. */
  readonly gaps: number;
};

type Options = {
  readonly sources: readonly (DaySource | null)[] | undefined;
  readonly numberOf: (deviceId: string) => number | null;
  /** Of the values. What a device said in another unit has no place on the scale. */
  readonly unit: string;
  /** Totals begin at zero; levels and durations may begin higher. */
  readonly isTotal: boolean;
};

export function buildTrend(values: readonly (number | null)[], options: Options): Trend {
  const { sources, isTotal } = options;
  const points = values.flatMap((value, index): TrendPoint[] =>
    value === null ? [] : [{ index, value, ...readSource(sources?.[index] ?? null, options) }],
  );
  const all = points.flatMap(({ value, others }) => [value, ...others.map((other) => other.value)]);
  const [lowest, highest] = [Math.min(...all), Math.max(...all)];
  const margin = (highest - lowest || Math.abs(highest) || 1) * 0.15;
  return {
    points,
    mean: points.length === 0 ? null : points.reduce((sum, { value }) => sum + value, 0) / points.length,
    low: isTotal ? Math.min(0, lowest) : lowest - margin,
    high: isTotal && highest <= 0 ? 1 : highest + margin / 3,
    gaps: values.length - points.length,
  };
}

function readSource(source: DaySource | null, { numberOf, unit }: Options) {
  const device = source?.device_id ? numberOf(source.device_id) : null;
  const others = (source?.sources ?? []).flatMap(({ device_id: id, original_value: value, original_unit }) => {
    const number = id === null || original_unit !== unit ? null : numberOf(id);
    return number === null || number === device ? [] : [{ device: number, value }];
  });
  return { device, others };
}
