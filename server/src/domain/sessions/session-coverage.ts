// How much of a session other sessions cover together.
import type { Session } from '../records/session.ts';

/** The time of a session that any of these covers, in milliseconds. */
export function createCoverage(sessions: readonly Session[]): (session: Session) => number {
  const spans = joinSpans(sessions);
  const starts = spans.map(({ start }) => start);
  /** Covered before the span of that place. */
  const before = [0];
  for (const { start, end } of spans) before.push((before.at(-1) ?? 0) + (end - start));
  const coveredUntil = (time: number): number => {
    const place = countUntil(starts, time);
    const last = spans[place - 1];
    return last === undefined ? 0 : (before[place - 1] ?? 0) + Math.min(time, last.end) - last.start;
  };
  return ({ start, end }) => coveredUntil(end) - coveredUntil(start);
}

function joinSpans(sessions: readonly Session[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of sessions.toSorted((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

/** How many of the ascending starts are not after that time. */
function countUntil(starts: readonly number[], time: number): number {
  let low = 0;
  for (let high = starts.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
