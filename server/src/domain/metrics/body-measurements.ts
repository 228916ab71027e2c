// Weight and what else a person may type in after measuring: for these a later manual entry wins over a device's (gap G-206).
import type { Metric } from './metric.ts';

export function isBodyMeasurement({ category, kind, consolidation }: Metric): boolean {
  return category === 'body_composition' && kind === 'last' && consolidation.by !== 'derived';
}
