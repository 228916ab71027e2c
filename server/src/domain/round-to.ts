// The one rule for rounding a value that is shown: half away from zero, and -0 is 0.

export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const rounded = roundScaled(value, scale) / scale;
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

/** `value × scale` without its sign, rounded. The nudge makes 1.005 round as it reads, though it is stored a little below. */
export function roundScaled(value: number, scale: number): number {
  const scaled = Math.abs(value) * scale;
  return Math.round(scaled + scaled * Number.EPSILON);
}
