// The definition of a metric. Everything that depends on the metric is a field here, not a condition elsewhere.
import type { Branded } from '../branded.ts';
import type { Category } from './categories.ts';

export type MetricId = Branded<string, 'MetricId'>;

/** How one device's samples become its daily value. */
export const VALUE_KINDS = ['sum', 'duration', 'mean', 'last', 'min', 'max'] as const;
/** `peak`: the 99.9th percentile of the samples; used only by a metric outside the API. */
export type ValueKind = (typeof VALUE_KINDS)[number] | 'peak';

/** Best first: the default order for classes that a metric's ranking does not name. */
export const DEVICE_CLASSES = [
  'wrist',
  'ring',
  'chest_strap',
  'patch',
  'mat',
  'scale',
  'meter',
  'cgm',
  'phone',
  'app',
] as const;
export type DeviceClass = (typeof DEVICE_CLASSES)[number];

export const METHODS = ['priority', 'max', 'avg', 'sum', 'merge'] as const;
export type Method = (typeof METHODS)[number];

/**
 * `own`: has a settings key. `group`: set through a group's key. `derived`: from other canonical values. `computed`: a
 * score.
 */
export type Consolidation =
  | { readonly by: 'own' }
  | { readonly by: 'group'; readonly group: string }
  | { readonly by: 'derived' }
  | { readonly by: 'computed' };

export type ValueRange = { readonly min: number; readonly max: number };

export type Metric = {
  readonly id: MetricId;
  readonly displayName: string;
  readonly category: Category;
  readonly unit: string;
  readonly imperialUnit: string;
  readonly kind: ValueKind;
  /**
   * `public`: a timeseries of the specification; `stored`: kept as samples and also served; `no`: only a daily value.
   */
  readonly samples: 'public' | 'stored' | 'no';
  readonly consolidation: Consolidation;
  readonly defaultMethod: Method;
  readonly allowedMethods: readonly Method[];
  /** Values outside are physically impossible and rejected. */
  readonly limits: ValueRange;
  /** Values outside are unusual but kept. */
  readonly usual: ValueRange;
  readonly decimals: number;
  readonly imperialDecimals: number;
  readonly acceptedUnits: readonly string[];
  /** Device classes, best first. */
  readonly ranking: readonly DeviceClass[];
  readonly healthKit: string | null;
  readonly healthConnect: string | null;
  readonly loinc: string | null;
  readonly description: string;
};

/** Totals: the parts of a day add up. */
export function isAdditive(metric: Metric): boolean {
  return metric.kind === 'sum' || metric.kind === 'duration';
}

/** Weight and others that a user may enter by hand: a later manual entry wins over a device (gap G-206). */
export function isBodyMeasurement({ category, kind, consolidation }: Metric): boolean {
  return category === 'body_composition' && kind === 'last' && consolidation.by !== 'derived';
}
