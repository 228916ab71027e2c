// Score inputs from the samples of one day: how long each heart rate lasted outside sleep and workouts, and the still
// quarter hours while awake. Uses the same quarter hours as consolidation, so that no moment counts twice.
import { roundTo } from '../round-to.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { Interval } from '../time/intervals.ts';
import { QUARTER_HOUR_MS, quarterHourOf } from '../time/quarter-hours.ts';
import type { HeartHistogram } from '../workouts/heart-histogram.ts';
import type { StillQuarter } from './day-inputs.ts';
import { median } from './median.ts';
import { STILL_WINDOW } from './stress-windows.ts';

/** The canonical samples of one quarter hour, by time. */
export type QuarterSamples = { readonly times: ArrayLike<number>; readonly values: ArrayLike<number> };
export type ByQuarter<Reported> = ReadonlyMap<number, Reported>;

export type WakingDay = {
  /** From the start of the day to its end, or to now. */
  readonly interval: Interval;
  readonly sleeps: readonly Interval[];
  readonly workouts: readonly Interval[];
  readonly heartRate: ByQuarter<QuarterSamples>;
  readonly rmssd: ByQuarter<QuarterSamples>;
  readonly steps: ByQuarter<number>;
};

/** The fraction of quarter hours outside sleep and workouts that must have a heart rate for it to cover the day. */
const MIN_COVERED = 0.6;

/** Null if heart rate does not cover the day, because a partial sum would understate it. */
export function describeHeart(day: WakingDay): HeartHistogram | null {
  const others = [...day.sleeps, ...day.workouts];
  const heldByBpm = new Map<number, number>();
  let awake = 0;
  let covered = 0;
  forEachQuarter(day.interval, (quarter, start) => {
    const samples = day.heartRate.get(quarter);
    const near = others.filter((interval) => touches(interval, start, start + QUARTER_HOUR_MS));
    if (near.length === 0) {
      awake += 1;
      if (samples !== undefined) covered += 1;
    }
    if (samples === undefined) return;
    const { times, values } = samples;
    for (let index = 0; index < times.length; index += 1) {
      if (near.length > 0 && near.some((interval) => contains(interval, times[index] as number))) continue;
      const bpm = Math.round(values[index] as number);
      heldByBpm.set(bpm, (heldByBpm.get(bpm) ?? 0) + QUARTER_HOUR_MS / times.length);
    }
  });
  if (covered === 0 || covered < MIN_COVERED * awake) return null;
  return [...heldByBpm].sort(([a], [b]) => a - b).map(([bpm, heldMs]) => [bpm, Math.round(heldMs)]);
}

/** None without steps, because stillness is then unknown. */
export function listStillQuarters(day: WakingDay): StillQuarter[] {
  const still: StillQuarter[] = [];
  if (!hasSteps(day)) return still;
  const moved = day.workouts.map(({ start, end }) => ({
    start,
    end: end + STILL_WINDOW.afterWorkoutMinutes * MINUTE_MS,
  }));
  const busy = [...day.sleeps, ...moved];
  forEachQuarter(day.interval, (quarter, start) => {
    const heart = day.heartRate.get(quarter);
    if (heart === undefined || (day.steps.get(quarter) ?? 0) >= STILL_WINDOW.belowSteps) return;
    if (busy.some((interval) => touches(interval, start, start + QUARTER_HOUR_MS))) return;
    const rmssd = day.rmssd.get(quarter);
    still.push([quarter, medianInTenths(heart.values), rmssd === undefined ? null : medianInTenths(rmssd.values)]);
  });
  return still;
}

/** On this day only: steps of other days must not change it. */
function hasSteps({ interval, steps }: WakingDay): boolean {
  let isAny = false;
  forEachQuarter(interval, (quarter) => {
    isAny ||= steps.has(quarter);
  });
  return isAny;
}

/** Quarter hours that begin in the interval. */
function forEachQuarter({ start, end }: Interval, visit: (quarter: number, startMs: number) => void): void {
  for (let quarter = quarterHourOf(start + QUARTER_HOUR_MS - 1); quarter * QUARTER_HOUR_MS < end; quarter += 1)
    visit(quarter, quarter * QUARTER_HOUR_MS);
}

function touches({ start, end }: Interval, fromMs: number, toMs: number): boolean {
  return start < toMs && end > fromMs;
}

function contains({ start, end }: Interval, ms: number): boolean {
  return ms >= start && ms < end;
}

/** As stored. */
function medianInTenths(values: ArrayLike<number>): number {
  return roundTo(median(new Float64Array(values)), 1);
}
