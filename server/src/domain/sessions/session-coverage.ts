// How much of a session other sessions cover together, and whether it touches any of them.
import { findFirst } from '../find-first.ts';
import type { Session } from '../records/session.ts';
import { joinIntervals } from '../time/intervals.ts';

/** The time of a session that any of these covers, in milliseconds. */
export function createCoverage(sessions: readonly Session[]): (session: Session) => number {
  const intervals = joinIntervals(sessions);
  /** Time covered before the interval at that index. */
  const before = [0];
  for (const { start, end } of intervals) before.push((before.at(-1) ?? 0) + (end - start));
  const coveredUntil = (time: number): number => {
    const index = countUntil(intervals, time);
    const last = intervals[index - 1];
    return last === undefined ? 0 : (before[index - 1] ?? 0) + Math.min(time, last.end) - last.start;
  };
  return ({ start, end }) => coveredUntil(end) - coveredUntil(start);
}

type Times = Pick<Session, 'start' | 'end'>;

/** Whether a session overlaps an interval or ends where one begins. `intervals`: by start and without overlaps. */
export function createTouchTest(intervals: readonly Times[]): (session: Times) => boolean {
  return ({ start, end }) => (intervals[countUntil(intervals, end) - 1]?.end ?? Number.NEGATIVE_INFINITY) >= start;
}

/** The number of intervals that start up to and including that time. */
function countUntil(intervals: readonly { readonly start: number }[], time: number): number {
  return findFirst(intervals.length, (at) => (intervals[at]?.start ?? 0) > time);
}
