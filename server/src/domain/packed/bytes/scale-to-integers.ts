// Stores fractions as integers with one divisor, if that restores every one of them bit for bit.

/** The difference of two such integers, doubled for its sign, is still an exact integer. */
export const MAX_SCALED = 2 ** 50;

/**
 * Fills `integers` and returns whether the first `count` values fit. It stops at the first that does not, so a wrong
 * divisor fails early. A division of integers this small rounds correctly, exactly like parsing a written decimal. -0
 * does not fit, because integers have no -0.
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
