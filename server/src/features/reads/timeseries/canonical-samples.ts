// The samples of several devices that were chosen, as columns: typed arrays that grow.

import type { SeriesOfDevice } from '../../../domain/consolidate/index.ts';
import { placeByTime, type SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import type { NormalizedSeries } from '../../store/samples/index.ts';

/** A device with samples, in the catalog's unit and as it sent them. Without an id: the service itself. */
export type Contributor = {
  readonly device: Pick<SourceDevice, 'provider'> & { readonly id: DeviceId | null };
  readonly columns: SampleColumns;
  readonly series: NormalizedSeries;
};

/** As domain/consolidate merges them. */
export function toRankedSeries(
  contributors: readonly Contributor[],
  wornHoursOf?: (contributor: Contributor, date: LocalDate) => ReadonlySet<number> | undefined,
): SeriesOfDevice[] {
  return contributors.map((contributor) => ({
    series: contributor.series,
    indexesOf: ({ start, end }) => placeByTime(contributor.columns, start, end),
    wornHoursOf: (date) => wornHoursOf?.(contributor, date),
  }));
}

export type CanonicalSamples = {
  count: number;
  starts: Float64Array;
  ends: Float64Array;
  /** In the catalog's unit. */
  values: Float64Array;
  /** Whose: its place among the contributors. */
  indexes: Uint16Array;
  /** Which of its samples. */
  origins: Uint32Array;
};

export function createCanonical(capacity: number): CanonicalSamples {
  const room = Math.max(capacity, 16);
  return {
    count: 0,
    starts: new Float64Array(room),
    ends: new Float64Array(room),
    values: new Float64Array(room),
    indexes: new Uint16Array(room),
    origins: new Uint32Array(room),
  };
}

export function pushCanonical(
  chosen: CanonicalSamples,
  start: number,
  end: number,
  value: number,
  index: number,
  origin: number,
): void {
  const at = chosen.count;
  if (at === chosen.starts.length) grow(chosen);
  chosen.starts[at] = start;
  chosen.ends[at] = end;
  chosen.values[at] = value;
  chosen.indexes[at] = index;
  chosen.origins[at] = origin;
  chosen.count = at + 1;
}

/** By start; those that begin together stay as they are. */
export function sortCanonical(chosen: CanonicalSamples): CanonicalSamples {
  const { count, starts } = chosen;
  let isAscending = true;
  for (let index = 1; index < count && isAscending; index += 1)
    isAscending = (starts[index - 1] as number) <= (starts[index] as number);
  if (isAscending) return chosen;
  const order = Array.from({ length: count }, (_, index) => index);
  order.sort((a, b) => (starts[a] as number) - (starts[b] as number));
  const sorted = createCanonical(count);
  for (const at of order)
    pushCanonical(
      sorted,
      starts[at] as number,
      chosen.ends[at] as number,
      chosen.values[at] as number,
      chosen.indexes[at] as number,
      chosen.origins[at] as number,
    );
  return sorted;
}

function grow(chosen: CanonicalSamples): void {
  const larger = createCanonical(chosen.starts.length * 2);
  larger.starts.set(chosen.starts);
  larger.ends.set(chosen.ends);
  larger.values.set(chosen.values);
  larger.indexes.set(chosen.indexes);
  larger.origins.set(chosen.origins);
  const { count } = chosen;
  Object.assign(chosen, larger, { count });
}
