// Canonical samples by quarter hour, consolidated like timeseries: each quarter hour comes from the highest-ranked device with a sample.

import type { ConsolidationRules } from '../../../domain/consolidate/consolidation-rules.ts';
import {
  findQuarterHourOwners,
  mergeDay,
  openSeriesDays,
  openWornHours,
  rankContributors,
  toMergeable,
} from '../../../domain/consolidate/index.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { ByQuarter, QuarterSamples } from '../../../domain/scores/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Day, Zone } from '../../../domain/time/day.ts';
import { QUARTER_HOUR_MS, quarterHourOf } from '../../../domain/time/quarter-hours.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { type NormalizedSeries, normalizedSeries } from '../../store/samples/index.ts';

export type Consolidating = { readonly devices: readonly SourceDevice[]; readonly rules: ConsolidationRules };
type OfDevices = ReadonlyMap<DeviceNumber, SampleColumns> | undefined;

/** Levels, such as heart rate. */
export function consolidateLevels(
  consolidating: Consolidating,
  metric: Metric,
  samples: OfDevices,
): ByQuarter<QuarterSamples> {
  const ranked = rankSeries(consolidating, metric, samples).map(({ device, columns, series }) => ({
    device,
    starts: columns.starts,
    values: series.values,
    ...splitByQuarter(columns.starts),
  }));
  const owners = findQuarterHourOwners(ranked);
  const canonical = new Map<number, QuarterSamples>();
  ranked.forEach(({ starts, values, indexes, froms }, position) => {
    indexes.forEach((quarter, index) => {
      if (owners.get(quarter) !== position) return;
      const [from, to] = [froms[index] ?? 0, froms[index + 1] ?? starts.length];
      canonical.set(quarter, { times: starts.subarray(from, to), values: values.subarray(from, to) });
    });
  });
  return canonical;
}

/** The quarter hours with a sample, and the index of the first sample of each. */
function splitByQuarter(starts: Float64Array): { indexes: number[]; froms: number[] } {
  const indexes: number[] = [];
  const froms: number[] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index] as number;
    if (start < endMs) continue;
    const quarter = quarterHourOf(start);
    endMs = (quarter + 1) * QUARTER_HOUR_MS;
    indexes.push(quarter);
    froms.push(index);
  }
  return { indexes, froms };
}

/** Totals, such as steps: the merged amount in each quarter hour of a day. `heartRates` covers all days. */
export function openTotals(
  consolidating: Consolidating,
  metric: Metric,
  samples: OfDevices,
  heartRates: OfDevices,
  zone: Zone,
): (day: Day) => ByQuarter<number> {
  const wornHours = openWornHours(heartRates, zone);
  const ranked = rankSeries(consolidating, metric, samples).map(({ device, columns, series }) =>
    toMergeable(device, columns, series, (date) => wornHours(device.number, date)),
  );
  const days = openSeriesDays(ranked, zone);
  return (day) => {
    const merged = mergeDay(days.read(day));
    return new Map(merged.quarters().map((quarter) => [quarter, merged.amountOf(quarter)]));
  };
}

type Series = {
  readonly device: SourceDevice;
  readonly columns: SampleColumns;
  readonly series: NormalizedSeries;
};

function rankSeries({ devices, rules }: Consolidating, metric: Metric, samples: OfDevices): Series[] {
  const ranked = rankContributors(metric, { devices, isEnabled: rules.isEnabled }, samples);
  return ranked.map(({ device, samples: columns }) => ({
    device,
    columns,
    series: normalizedSeries(metric, columns),
  }));
}
