// The chosen samples of some metrics by quarter hour, as timeseries shows them: each from the highest-ranked device with one.
import { chooseQuarterHours, listTouchedQuarterHours } from '../../domain/consolidate/index.ts';
import type { ConsolidationRules } from '../../domain/consolidation-rules.ts';
import type { Metric } from '../../domain/metrics/index.ts';
import { quarterHourOf, sumQuarterHours } from '../../domain/quarter-hours.ts';
import { rankDevices } from '../../domain/ranking.ts';
import type { SampleColumns } from '../../domain/sample-blocks/index.ts';
import type { ByQuarter, QuarterSamples } from '../../domain/scores/index.ts';
import type { DeviceNumber } from '../../domain/tenancy.ts';
import type { SourceDevice } from '../devices/index.ts';
import { type NormalizedSeries, normalizedSeries } from '../samples/index.ts';

export type Choosing = { readonly devices: readonly SourceDevice[]; readonly rules: ConsolidationRules };
export type OfDevices = ReadonlyMap<DeviceNumber, SampleColumns> | undefined;

/** Levels, such as heart rate. */
export function chooseLevels(choosing: Choosing, metric: Metric, samples: OfDevices): ByQuarter<QuarterSamples> {
  const ranked = rankSeries(choosing, metric, samples);
  const owners = chooseQuarterHours(ranked.map((series) => ({ indexes: listTouchedQuarterHours(series, false) })));
  const chosen = new Map<number, QuarterSamples>();
  ranked.forEach(({ starts, values }, place) => {
    let from = 0;
    while (from < starts.length) {
      const quarter = quarterHourOf(starts[from] as number);
      let to = from + 1;
      while (to < starts.length && quarterHourOf(starts[to] as number) === quarter) to += 1;
      if (owners.get(quarter) === place)
        chosen.set(quarter, { times: starts.subarray(from, to), values: values.subarray(from, to) });
      from = to;
    }
  });
  return chosen;
}

/** Totals, such as steps, of [fromMs, toMs). */
export function chooseTotals(
  choosing: Choosing,
  metric: Metric,
  samples: OfDevices,
  fromMs: number,
  toMs: number,
): ByQuarter<number> {
  const ranked = rankSeries(choosing, metric, samples).map((series) => sumQuarterHours(series, fromMs, toMs));
  const owners = chooseQuarterHours(ranked);
  const chosen = new Map<number, number>();
  ranked.forEach(({ indexes, sums }, place) => {
    indexes.forEach((quarter, index) => {
      if (owners.get(quarter) === place) chosen.set(quarter, sums[index] ?? 0);
    });
  });
  return chosen;
}

type Series = NormalizedSeries & { readonly starts: Float64Array };

function rankSeries({ devices, rules }: Choosing, metric: Metric, samples: OfDevices): Series[] {
  const known = devices.filter(({ number, provider }) => samples?.has(number) && rules.isEnabled(metric, provider));
  return rankDevices(metric.ranking, known).flatMap(({ number }) => {
    const columns = samples?.get(number);
    return columns === undefined ? [] : [{ ...normalizedSeries(metric, columns), starts: columns.starts }];
  });
}
