// What a read of daily values asks for and finds. Both forms present this.

import type { Metric } from '../../../domain/metrics/index.ts';
import type { UnitSystem } from '../../../domain/metrics/present-value.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { DateRange } from '../shared/index.ts';

export type DailyQuestion = {
  readonly userId: string;
  /** In the order of the answer. */
  readonly metrics: readonly Metric[];
  readonly range: DateRange | { readonly from_date?: string | undefined; readonly to_date?: string | undefined };
  readonly unitSystem: UnitSystem;
  readonly includeSources: boolean;
};

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

export type DailyReading = {
  readonly dates: readonly LocalDate[];
  readonly unitSystem: UnitSystem;
  /** Of the series, in their order. One list for all calls that ask for the same. */
  readonly metrics: readonly Metric[];
  readonly series: readonly DailySeries[];
};
