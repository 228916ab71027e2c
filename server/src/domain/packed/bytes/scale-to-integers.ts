// Fractions as integers over one divisor, where that gives every one of them back bit for bit.

/** A difference of two, doubled for its sign, still is an exact integer. */
export const MAX_SCALED = 2 ** 50;

/**
 * Whether the first `count` of them fit; fills `integers`. The first that does not fit ends it, so a wrong divisor is found out soon. A division
 * of integers this small is rounded correctly, as the reading of a written decimal is. An integer has no -0.
 */
export function scaleToIntegers(
  values: Float64Array,
  integers: Float64Array,
  divisor: number,
  count = values.length,
): boolean {
  for (let index = 0; index < count; index += 1) {
    const value = values[index] as number;
    const integer = Math.round(value * divisor);
    if (integer / divisor !== value || Math.abs(integer) > MAX_SCALED) return false;
    if (integer === 0 && Object.is(value, -0)) return false;
    integers[index] = integer;
  }
  return true;
}
