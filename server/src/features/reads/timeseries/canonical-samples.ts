// The canonical samples of several devices, as columns of growing typed arrays.

import { type SeriesOfDevice, type SourceOfSamples, toMergeable } from '../../../domain/consolidate/index.ts';
import { growColumn } from '../../../domain/packed/bytes/index.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import type { NormalizedSeries } from '../../store/samples/index.ts';

/** A device with its samples, as sent and in the catalog's unit. Without an id: computed by the service. */
export type Contributor = {
  readonly device: Pick<SourceDevice, 'provider'> &
    ({ readonly id: null } | Pick<SourceDevice, 'id' | 'transport' | 'vendor'>);
  readonly columns: SampleColumns;
  readonly series: NormalizedSeries;
};

/** In the form that domain/consolidate merges. */
export function toRankedSeries(
  contributors: readonly Contributor[],
  wornHoursOf?: (contributor: Contributor, date: LocalDate) => ReadonlySet<number> | undefined,
): SeriesOfDevice[] {
  return contributors.map((contributor) =>
    toMergeable(sourceOf(contributor), contributor.columns, contributor.series, (date) =>
      wornHoursOf?.(contributor, date),
    ),
  );
}

export function sourceOf({ device }: Contributor): SourceOfSamples {
  return device.id === null ? null : device;
}

export type CanonicalSamples = {
  count: number;
  starts: Float64Array;
  ends: Float64Array;
  /** In the catalog's unit. */
  values: Float64Array;
  /** The index of the contributor. */
  indexes: Uint16Array;
  /** The index among the contributor's samples. */
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
  canonical: CanonicalSamples,
  start: number,
  end: number,
  value: number,
  index: number,
  origin: number,
): void {
  const at = canonical.count;
  if (at === canonical.starts.length) grow(canonical);
  canonical.starts[at] = start;
  canonical.ends[at] = end;
  canonical.values[at] = value;
  canonical.indexes[at] = index;
  canonical.origins[at] = origin;
  canonical.count = at + 1;
}

/** Sorts by start; samples with the same start keep their order. */
export function sortCanonical(canonical: CanonicalSamples): CanonicalSamples {
  const { count, starts } = canonical;
  let isAscending = true;
  for (let index = 1; index < count && isAscending; index += 1)
    isAscending = (starts[index - 1] as number) <= (starts[index] as number);
  if (isAscending) return canonical;
  const order = Array.from({ length: count }, (_, index) => index);
  order.sort((a, b) => (starts[a] as number) - (starts[b] as number));
  const sorted = createCanonical(count);
  for (const at of order)
    pushCanonical(
      sorted,
      starts[at] as number,
      canonical.ends[at] as number,
      canonical.values[at] as number,
      canonical.indexes[at] as number,
      canonical.origins[at] as number,
    );
  return sorted;
}

function grow(canonical: CanonicalSamples): void {
  canonical.starts = growColumn(canonical.starts);
  canonical.ends = growColumn(canonical.ends);
  canonical.values = growColumn(canonical.values);
  canonical.indexes = growColumn(canonical.indexes);
  canonical.origins = growColumn(canonical.origins);
}
