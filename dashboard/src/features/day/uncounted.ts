// What devices measured and the value does not contain. Pure.
import type { RiverModel, TotalBand } from './river-model.ts';

type Uncounted = {
  /** Measured in quarter hours without a source, each by the device that ranks highest there. */
  readonly amount: number;
  readonly device: number;
  /** The largest of these quarter hours. */
  readonly quarter: number;
};

/** Null: every quarter hour with a measurement has a source. */
export function findUncounted({ devices, sources, order }: TotalBand): Uncounted | null {
  const ranked = devices.toSorted((a, b) => place(order, a.device) - place(order, b.device));
  let amount = 0;
  let largest: { device: number; quarter: number; value: number } | null = null;
  for (const [quarter, source] of sources.entries()) {
    if (source !== null) continue;
    const found = ranked.find(({ measured }) => (measured[quarter] ?? 0) > 0);
    if (found === undefined) continue;
    const value = found.measured[quarter] as number;
    amount += value;
    if (largest === null || value > largest.value) largest = { device: found.device, quarter, value };
  }
  return largest === null ? null : { amount, device: largest.device, quarter: largest.quarter };
}

/** Disabled devices come last. */
function place(order: readonly number[], device: number): number {
  const index = order.indexOf(device);
  return index === -1 ? order.length : index;
}

/** Where the river opens: the largest quarter hour that is not counted, else the largest that is, else noon. */
export function findFirstQuarter({ bands, quarters }: RiverModel): number {
  const totals = bands.filter((band) => band.kind === 'total');
  for (const band of totals) {
    const uncounted = findUncounted(band);
    if (uncounted !== null) return uncounted.quarter;
  }
  let [best, largest] = [Math.floor(quarters / 2), 0];
  for (const { devices } of totals)
    for (const { counted } of devices)
      for (const [quarter, value] of counted.entries())
        if ((value ?? 0) > largest) [best, largest] = [quarter, value as number];
  return best;
}
