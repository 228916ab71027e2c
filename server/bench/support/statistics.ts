// Order statistics of rounds and latencies.

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** `sorted` must be ascending; interpolates linearly between two values. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) throw new Error('nothing was measured');
  const position = (sorted.length - 1) * share;
  const below = Number(sorted[Math.floor(position)]);
  const above = Number(sorted[Math.ceil(position)]);
  return below + (above - below) * (position - Math.floor(position));
}
