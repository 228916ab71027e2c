// What is known of a metric. Everything that depends on which metric it is, is a field here and not a condition elsewhere.
import type { Branded } from '../branded.ts';
import type { Category } from './categories.ts';

export type MetricId = Branded<string, 'MetricId'>;

/** How one device's samples become its value of the day. */
export const VALUE_KINDS = ['sum', 'duration', 'mean', 'last', 'min', 'max'] as const;
/** `peak`: what the highest thousandth of the samples reaches; of no metric that is shown. */
export type ValueKind = (typeof VALUE_KINDS)[number] | 'peak';

/** Best first where nothing else is said: the order for classes that a metric's own ranking does not name. */
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

/** `own`: set by its own key. `group`: through a group's key. `derived`: from other canonical values. `computed`: a score. */
export type Consolidation =
  | { readonly by: 'own' }
  | { readonly by: 'group'; readonly group: string }
  | { readonly by: 'derived' }
  | { readonly by: 'computed' };

export type Range = { readonly min: number; readonly max: number };

export type Metric = {
  readonly id: MetricId;
  readonly displayName: string;
  readonly category: Category;
  readonly unit: string;
  readonly imperialUnit: string;
  readonly kind: ValueKind;
  /** `public`: served as timeseries by the specification; `stored`: kept as samples and served too; `no`: a daily value only. */
  readonly samples: 'public' | 'stored' | 'no';
  readonly consolidation: Consolidation;
  readonly defaultMethod: Method;
  readonly allowedMethods: readonly Method[];
  /** Outside: physically impossible, refused. */
  readonly limits: Range;
  /** Outside: unusual, kept. */
  readonly usual: Range;
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

/** Totals: parts of a day add up. */
export function isAdditive(metric: Metric): boolean {
  return metric.kind === 'sum' || metric.kind === 'duration';
}
