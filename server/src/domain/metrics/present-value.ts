// A stored value as a reader sees it: in the requested unit, rounded last.
import type { Metric } from './metric.ts';
import { fromCatalogUnit } from './units.ts';

export const UNIT_SYSTEMS = ['metric', 'imperial'] as const;
export type UnitSystem = (typeof UNIT_SYSTEMS)[number];

export function unitOf(metric: Metric, unitSystem: UnitSystem): string {
  return unitSystem === 'metric' ? metric.unit : metric.imperialUnit;
}

export function presentValue(metric: Metric, value: number, unitSystem: UnitSystem): { value: number; unit: string } {
  const unit = unitOf(metric, unitSystem);
  const decimals = unitSystem === 'metric' ? metric.decimals : metric.imperialDecimals;
  return { value: roundTo(fromCatalogUnit(metric.id, value, metric.unit, unit), decimals), unit };
}

/** Half away from zero; -0 is 0. The nudge makes 1.005 round as it reads, though it is stored a little below. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const scaled = Math.abs(value) * scale;
  const rounded = Math.round(scaled + scaled * Number.EPSILON) / scale;
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}
