/** Sorts the values in place. 0 if there are none. */
export function median(values: Float64Array): number {
  values.sort(); // sorts typed arrays natively, without a callback
  const middle = values.length >> 1;
  const upper = values[middle] ?? 0;
  return values.length % 2 === 1 ? upper : ((values[middle - 1] ?? upper) + upper) / 2;
}
