// Each UTC quarter hour belongs to the highest-ranked device with a sample in it (gap G-36). The day's total and the
// timeseries both ask here, so that they agree.

/** From quarter hour to the place of its device in `ranked`, which is best first and holds enabled devices only. */
export function chooseQuarterHours(
  ranked: readonly { readonly indexes: readonly number[] }[],
): ReadonlyMap<number, number> {
  const owners = new Map<number, number>();
  ranked.forEach(({ indexes }, index) => {
    for (const quarter of indexes) if (!owners.has(quarter)) owners.set(quarter, index);
  });
  return owners;
}
