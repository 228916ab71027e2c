// The single rounding rule for values in the API: half away from zero, and -0 is 0.

export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const rounded = roundScaled(value, scale) / scale;
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

/**
 * Rounds `value × scale` without its sign. The nudge rounds 1.005 as written, although the stored number is slightly
 * below it.
 */
export function roundScaled(value: number, scale: number): number {
  const scaled = Math.abs(value) * scale;
  return Math.round(scaled + scaled * Number.EPSILON);
}
