// Devices send short decimals such as 71, 36.6 or 0.97. As integers and a power of ten they pack well and are restored
// bit for bit.
import { scaleToIntegers } from '../bytes/index.ts';
import { MAX_DECIMALS } from './block-format.ts';

export type ScaledDecimals = { readonly decimals: number; readonly integers: Float64Array };

const POWERS = Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10 ** exponent);

/** Null if an integer divided by a power of ten cannot restore every value exactly. */
export function scaleDecimals(values: Float64Array): ScaledDecimals | null {
  const integers = new Float64Array(values.length);
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals += 1)
    if (scaleToIntegers(values, integers, POWERS[decimals] as number)) return { decimals, integers };
  return null;
}

/** In place. */
export function unscaleDecimals(integers: Float64Array, decimals: number): Float64Array {
  const power = POWERS[decimals] as number;
  if (power !== 1)
    for (let index = 0; index < integers.length; index += 1) integers[index] = (integers[index] as number) / power;
  return integers;
}
