// Each UTC quarter hour belongs to the highest-ranked device with a sample in it (gap G-36). An app on the phone yields to the connected
// account that it repeats. Timeseries, scores and the day view use this, so that they agree.
import { dropRepeatedQuarters, type SourceOfSamples } from './re-exports.ts';

type Contributor = { readonly device: SourceOfSamples; readonly indexes: readonly number[] };

/** Maps each quarter hour to the index of its device in `ranked`, which holds enabled devices only, best first. */
export function findQuarterHourOwners(ranked: readonly Contributor[]): ReadonlyMap<number, number> {
  const owners = new Map<number, number>();
  const counted = dropRepeatedQuarters(
    ranked.map(({ device }) => device),
    ranked.map(({ indexes }) => indexes),
  );
  counted.forEach((indexes, index) => {
    for (const quarter of indexes) if (!owners.has(quarter)) owners.set(quarter, index);
  });
  return owners;
}
