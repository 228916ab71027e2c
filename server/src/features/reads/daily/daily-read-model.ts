// What a read of daily values asks for and finds. Both forms present this.
import type { Metric } from '../../../domain/metrics/index.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { Form2Range } from '../shared/index.ts';
import type { DayPlan, MetricPlan } from './daily-plan.ts';

/** What the query of a call says, whoever it is about. */
export type DailyQuery = {
  readonly metrics: MetricPlan;
  /** Form 2 may leave dates out: then the days depend on the clock and on where the person lives. */
  readonly days: DayPlan | Form2Range;
  readonly includeSources: boolean;
};

export type DailyQuestion = { readonly userId: string; readonly query: DailyQuery };

/** Who gave a value, and what it was in the giver's own words. Without a device it was computed here. */
export type DaySource = {
  readonly provider: string;
  readonly deviceId: DeviceId | null;
  readonly originalValue: number;
  readonly originalUnit: string;
};

export type DailySeries = {
  readonly metric: Metric;
  /** By date, in the catalog's unit; NaN where the day has no value. Null: no day has one. */
  readonly values: Float64Array | null;
  /** By date, the highest ranked first; empty where the day has no value. Null where nobody asked. */
  readonly sources: readonly (readonly DaySource[])[] | null;
  /** By date, of heart rate variability; null where the day has no value. */
  readonly hrvKinds?: readonly (HrvKind | null)[] | null;
};

export type DailyReadModel = {
  readonly days: DayPlan;
  readonly metrics: MetricPlan;
  /** Of the metrics, in their order. */
  readonly series: readonly DailySeries[];
};
