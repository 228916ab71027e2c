// Formats a stored value for the API: in the requested unit, rounded last.
import { roundTo } from '../round-to.ts';
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
