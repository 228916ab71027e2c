// The devices whose samples count for a metric, for everything that consolidates samples: days, timeseries and scores.
import type { Metric } from '../metrics/metric.ts';
import { findByTime, type SampleColumns } from '../packed/sample-blocks/index.ts';
import type { DeviceNumber } from '../tenancy.ts';
import type { LocalDate } from '../time/calendar.ts';
import type { SampleSeries } from '../time/quarter-hours.ts';
import type { ConsolidationRules } from './consolidation-rules.ts';
import { type RankedDevice, rankDevices } from './ranking.ts';
import type { SourceOfSamples } from './re-exports.ts';
import type { SeriesOfDevice } from './series-days.ts';

type Source = RankedDevice & { readonly number: DeviceNumber };

/** The enabled devices with samples, best first. */
export function rankContributors<Device extends Source, Samples>(
  metric: Metric,
  { devices, isEnabled }: { readonly devices: readonly Device[] } & Pick<ConsolidationRules, 'isEnabled'>,
  samples: ReadonlyMap<DeviceNumber, Samples> | undefined,
): { readonly device: Device; readonly samples: Samples }[] {
  const enabled = devices.filter(({ number, provider }) => samples?.has(number) && isEnabled(metric, provider));
  return rankDevices(metric.ranking, enabled).map((device) => ({
    device,
    samples: samples?.get(device.number) as Samples,
  }));
}

/** The samples of one contributor in the form that totals are merged from. `series` has their values in the catalog's unit. */
export function toMergeable(
  device: SourceOfSamples,
  columns: SampleColumns,
  series: SampleSeries,
  wornHoursOf: (date: LocalDate) => ReadonlySet<number> | undefined,
): SeriesOfDevice {
  return { device, series, indexesOf: ({ start, end }) => findByTime(columns, start, end), wornHoursOf };
}
