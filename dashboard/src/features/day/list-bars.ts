// The bars of a total: what counts in each quarter hour, and what else each device measured. Pure.
import type { TotalBand } from './river-model.ts';

export type QuarterBar = { readonly quarter: number; readonly amount: number };
type DeviceBars = {
  readonly device: number;
  readonly counted: readonly QuarterBar[];
  /** Drawn hollow: measured, but not in the value. */
  readonly notCounted: readonly QuarterBar[];
};

/** For each device and quarter hour, counted and not counted add up to the measured value. */
export function listBars({ devices }: Pick<TotalBand, 'devices'>): DeviceBars[] {
  return devices.map(({ device, measured, counted }) => {
    const bars = { device, counted: [] as QuarterBar[], notCounted: [] as QuarterBar[] };
    for (const [quarter, value] of measured.entries()) {
      const amount = counted[quarter] ?? 0;
      if (amount > 0) bars.counted.push({ quarter, amount });
      const rest = (value ?? 0) - amount;
      if (rest > ROUNDING) bars.notCounted.push({ quarter, amount: rest });
    }
    return bars;
  });
}

/** Amounts are rounded to three decimals on the wire. */
const ROUNDING = 0.002;
