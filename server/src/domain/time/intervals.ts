// Intervals of time, or of anything else that is counted.

export type Interval<Point extends number = number> = { readonly start: Point; readonly end: Point };

/**
 * Disjoint intervals in ascending order that cover the same. Joins those that overlap or are at most `gap` apart: 0 for
 * intervals without their end, 1 for whole numbers with both ends included. No interval may end before it starts.
 */
export function joinIntervals<Point extends number>(intervals: Iterable<Interval<Point>>, gap = 0): Interval<Point>[] {
  const joined: Interval<Point>[] = [];
  for (const { start, end } of [...intervals].sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last === undefined || start > last.end + gap) joined.push({ start, end });
    else if (end > last.end) joined[joined.length - 1] = { start: last.start, end };
  }
  return joined;
}
