/** To tenths of a pixel, which no screen shows; more digits only make paths longer. */
export function roundPixels(value: number): number {
  return Math.round(value * 10) / 10;
}
