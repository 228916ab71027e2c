// Each UTC quarter hour belongs to the highest-ranked device with a sample in it (gap G-36). The day's total and the
// timeseries both use this, so that they agree.

/** Maps each quarter hour to the index of its device in `ranked`, which holds enabled devices only, best first. */
export function findQuarterHourOwners(
  ranked: readonly { readonly indexes: readonly number[] }[],
): ReadonlyMap<number, number> {
  const owners = new Map<number, number>();
  ranked.forEach(({ indexes }, index) => {
    for (const quarter of indexes) if (!owners.has(quarter)) owners.set(quarter, index);
  });
  return owners;
}
