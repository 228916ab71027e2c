// The query and the result of a read of daily values. Both forms present this.
import type { Metric } from '../../../domain/metrics/index.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { Form2Range } from '../shared/index.ts';
import type { DayPlan, MetricPlan } from './daily-plan.ts';

/** The query parameters of a request, without the user: requests for many users share them. */
export type DailyParameters = {
  readonly metrics: MetricPlan;
  /** Form 2 may omit dates: then the days depend on the clock and the user's time zone. */
  readonly days: DayPlan | Form2Range;
  readonly includeSources: boolean;
};

export type DailyQuery = { readonly userId: string; readonly parameters: DailyParameters };

/** The source of a value, with the value and unit that the device sent. Without a device id: computed by the service. */
export type DaySource = {
  readonly provider: string;
  readonly deviceId: DeviceId | null;
  readonly originalValue: number;
  readonly originalUnit: string;
};

export type DailySeries = {
  readonly metric: Metric;
  /** One value per date, in the catalog's unit; NaN where the day has none. Null: no day has a value. */
  readonly values: Float64Array | null;
  /** One list per date, highest rank first; empty where the day has no value. Null: not requested. */
  readonly sources: readonly (readonly DaySource[])[] | null;
  /** One kind per date, for heart rate variability; null where the day has no value. */
  readonly hrvKinds?: readonly (HrvKind | null)[] | null;
};

export type DailyReadModel = {
  readonly days: DayPlan;
  readonly metrics: MetricPlan;
  /** One series per metric, in their order. */
  readonly series: readonly DailySeries[];
};
