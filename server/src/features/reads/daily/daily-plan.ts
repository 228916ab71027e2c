// The days and metrics of a query for daily values. They do not depend on the user, so they are cached with the query, together with
// the JSON that Form 2 writes for them (encoded on first use).

import type { Metric } from '../../../domain/metrics/index.ts';
import { type UnitSystem, unitOf } from '../../../domain/metrics/present-value.ts';
import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { DateRange } from '../shared/index.ts';
import { type MonthPart, splitByMonth } from './collect-series.ts';

/** `head`: everything before the units. `nulls`: a series without values. */
type EncodedDays = { readonly head: Buffer; readonly nulls: Buffer };

export class DayPlan {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly dates: readonly LocalDate[];
  readonly parts: readonly MonthPart[];
  #encoded: EncodedDays | null = null;

  constructor({ from, to }: DateRange) {
    this.from = from;
    this.to = to;
    this.dates = listDays(from, to);
    this.parts = splitByMonth(this.dates);
  }

  get encoded(): EncodedDays {
    this.#encoded ??= encodeDays(this);
    return this.#encoded;
  }
}

/** `names`: the text before the values of each series. */
type EncodedMetrics = { readonly units: Buffer; readonly names: readonly Buffer[] };

export class MetricPlan {
  /** In the order of the response. */
  readonly metrics: readonly Metric[];
  readonly unitSystem: UnitSystem;
  #encoded: EncodedMetrics | null = null;

  constructor(metrics: readonly Metric[], unitSystem: UnitSystem) {
    this.metrics = metrics;
    this.unitSystem = unitSystem;
  }

  get encoded(): EncodedMetrics {
    this.#encoded ??= encodeMetrics(this);
    return this.#encoded;
  }
}

function encodeDays({ from, to, dates }: DayPlan): EncodedDays {
  const days = JSON.stringify({ from_date: from, to_date: to, dates });
  return {
    head: Buffer.from(`${days.slice(0, -1)},"units":{`),
    nulls: Buffer.from(dates.map(() => 'null').join()),
  };
}

function encodeMetrics({ metrics, unitSystem }: MetricPlan): EncodedMetrics {
  const units = Object.fromEntries(metrics.map((metric) => [metric.id, unitOf(metric, unitSystem)]));
  return {
    units: Buffer.from(`${JSON.stringify(units).slice(1)},"series":{`),
    names: metrics.map(({ id }, index) => Buffer.from(`${index > 0 ? '],' : ''}${JSON.stringify(id)}:[`)),
  };
}
