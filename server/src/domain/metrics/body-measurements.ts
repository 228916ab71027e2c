// Weight and other measurements that a user may enter by hand: for these a later manual entry wins over a device (gap
// G-206).
import type { Metric } from './metric.ts';

export function isBodyMeasurement({ category, kind, consolidation }: Metric): boolean {
  return category === 'body_composition' && kind === 'last' && consolidation.by !== 'derived';
}
