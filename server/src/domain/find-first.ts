/**
 * Binary search: the first index from `from` up to `count` at which `is` holds; `count` if it holds nowhere. Once it
 * holds, it must hold for all later indexes.
 */
export function findFirst(count: number, is: (index: number) => boolean, from = 0): number {
  let low = from;
  for (let high = count; low < high; ) {
    const middle = (low + high) >>> 1;
    if (is(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
