// Order statistics of a handful of rounds or of many latencies.

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** `sorted` ascends; between two values the line between them. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) throw new Error('nothing was measured');
  const place = (sorted.length - 1) * share;
  const below = Number(sorted[Math.floor(place)]);
  const above = Number(sorted[Math.ceil(place)]);
  return below + (above - below) * (place - Math.floor(place));
}
