// The part of the samples that is on screen. Pure.
import type { SampleRange } from './queries.ts';

const SHORTEST_MS = 10 * 60_000; // closer, single samples are far apart

/** Scales the range around a point, within all. Null: everything. */
export function zoomRange(view: SampleRange, all: SampleRange, factor: number, centreMs: number): SampleRange | null {
  const from = Math.max(all.fromMs, centreMs - (centreMs - view.fromMs) * factor);
  const to = Math.min(all.toMs, centreMs + (view.toMs - centreMs) * factor);
  if (from <= all.fromMs && to >= all.toMs) return null;
  return to - from < SHORTEST_MS ? view : round(from, to);
}

/** Moves the range by a part of its length, within all. */
export function moveRange(view: SampleRange, all: SampleRange, share: number): SampleRange {
  const length = view.toMs - view.fromMs;
  const from = Math.min(all.toMs - length, Math.max(all.fromMs, view.fromMs + share * length));
  return round(from, from + length);
}

/** The dragged range, in either direction. Null: too short to be intended. */
export function dragRange(oneMs: number, otherMs: number): SampleRange | null {
  const [fromMs, toMs] = [Math.min(oneMs, otherMs), Math.max(oneMs, otherMs)];
  return toMs - fromMs < SHORTEST_MS ? null : round(fromMs, toMs);
}

/** Whole milliseconds, as in the address. */
function round(fromMs: number, toMs: number): SampleRange {
  return { fromMs: Math.round(fromMs), toMs: Math.round(toMs) };
}
