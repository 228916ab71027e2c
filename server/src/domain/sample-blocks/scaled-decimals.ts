// Devices send short decimals: 71, 36.6, 0.97. As integers and a power of ten they pack well, and come back bit for bit.
import { MAX_DECIMALS, MAX_SCALED } from './block-format.ts';

export type ScaledDecimals = { readonly decimals: number; readonly integers: Float64Array };

const POWERS = Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10 ** exponent);

/** Null if there is a value that no integer divided by a power of ten gives back exactly. */
export function scaleDecimals(values: Float64Array): ScaledDecimals | null {
  const integers = new Float64Array(values.length);
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals += 1)
    if (scaleAll(values, integers, decimals)) return { decimals, integers };
  return null;
}

/** In place. */
export function unscaleDecimals(integers: Float64Array, decimals: number): Float64Array {
  const power = POWERS[decimals] as number;
  if (power !== 1)
    for (let index = 0; index < integers.length; index += 1) integers[index] = (integers[index] as number) / power;
  return integers;
}

/**
 * Whether all fit: the first that does not ends it, so a wrong count is found out soon. A division of integers this small
 * is rounded correctly, as the reading of a written decimal is. An integer has no -0.
 */
function scaleAll(values: Float64Array, integers: Float64Array, decimals: number): boolean {
  const power = POWERS[decimals] as number;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    const integer = Math.round(value * power);
    if (integer / power !== value || Math.abs(integer) > MAX_SCALED) return false;
    if (integer === 0 && Object.is(value, -0)) return false;
    integers[index] = integer;
  }
  return true;
}
