// Shared by both forms: values in the requested unit, and their sources. Pure.
import { type UnitSystem, unitOf } from '../../../domain/metrics/present-value.ts';
import { fromCatalogUnit } from '../../../domain/metrics/units.ts';
import type { DailySeries, DaySource } from './daily-read-model.ts';

type PresentedSeries = {
  readonly unit: string;
  readonly decimals: number;
  /** Not rounded yet. */
  readonly values: Float64Array | null;
};

export function presentSeries({ metric, values }: DailySeries, unitSystem: UnitSystem): PresentedSeries {
  const unit = unitOf(metric, unitSystem);
  const decimals = unitSystem === 'metric' ? metric.decimals : metric.imperialDecimals;
  if (unit === metric.unit || values === null) return { unit, decimals, values };
  return { unit, decimals, values: values.map((value) => fromCatalogUnit(metric.id, value, metric.unit, unit)) };
}

/** The highest-ranked source, and all sources where there are several. */
export function presentSources(sources: readonly DaySource[]) {
  const [first] = sources;
  if (first === undefined) return null;
  return sources.length === 1
    ? { source: presentSource(first) }
    : { source: presentSource(first), sources: sources.map(presentSource) };
}

function presentSource(source: DaySource) {
  return {
    provider: source.provider,
    device_id: source.deviceId,
    original_value: source.originalValue,
    original_unit: source.originalUnit,
  };
}
