// When a device recorded data, from the bits of the list. Pure.
import { HOUR_MS } from '../time/durations.ts';

type Coverage = { readonly from: string; readonly step_hours: number };

/** The lowest bit of the first byte is the first step. */
export function readBits(bits: string | null, steps: number): boolean[] {
  const bytes = bits === null ? '' : atob(bits);
  return Array.from({ length: steps }, (_, step) => ((bytes.charCodeAt(step >> 3) || 0) & (1 << (step & 7))) !== 0);
}

type CoverageInterval = { readonly from: number; readonly to: number };

/** Neighbouring covered steps as one interval. */
export function joinSteps(isCovered: readonly boolean[]): CoverageInterval[] {
  const intervals: { from: number; to: number }[] = [];
  for (const [step, covered] of isCovered.entries()) {
    if (!covered) continue;
    const last = intervals.at(-1);
    if (last?.to === step) last.to = step + 1;
    else intervals.push({ from: step, to: step + 1 });
  }
  return intervals;
}

/** The steps up to now. The last one is cut to what has passed of it. */
export function stepsUntil({ from, step_hours }: Coverage, nowMs: number): number {
  return (nowMs - Date.parse(from)) / (step_hours * HOUR_MS);
}
