// How much of a session other sessions cover together, and whether it touches any of them.
import type { Session } from '../records/session.ts';

/** The time of a session that any of these covers, in milliseconds. */
export function createCoverage(sessions: readonly Session[]): (session: Session) => number {
  const intervals = joinIntervals(sessions);
  const starts = intervals.map(({ start }) => start);
  /** Time covered before the interval at that index. */
  const before = [0];
  for (const { start, end } of intervals) before.push((before.at(-1) ?? 0) + (end - start));
  const coveredUntil = (time: number): number => {
    const index = countUntil(starts, time);
    const last = intervals[index - 1];
    return last === undefined ? 0 : (before[index - 1] ?? 0) + Math.min(time, last.end) - last.start;
  };
  return ({ start, end }) => coveredUntil(end) - coveredUntil(start);
}

type Times = Pick<Session, 'start' | 'end'>;

/** Whether a session overlaps an interval or ends where one begins. `intervals`: by start and without overlaps. */
export function createTouchTest(intervals: readonly Times[]): (session: Times) => boolean {
  const starts = intervals.map(({ start }) => start);
  return ({ start, end }) => (intervals[countUntil(starts, end) - 1]?.end ?? Number.NEGATIVE_INFINITY) >= start;
}

function joinIntervals(sessions: readonly Session[]): { start: number; end: number }[] {
  const intervals: { start: number; end: number }[] = [];
  for (const { start, end } of sessions.toSorted((a, b) => a.start - b.start)) {
    const last = intervals.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else intervals.push({ start, end });
  }
  return intervals;
}

/** The number of ascending starts up to and including that time. */
function countUntil(starts: readonly number[], time: number): number {
  let low = 0;
  for (let high = starts.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
