// Ticks of the time axis in the person's zone: hours of a few days, days of weeks, months of a year. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from '../../shared/time/durations.ts';
import { calendarDate, clock, shortDate } from '../../shared/time/format-time.ts';
import { shortWeekday } from '../../shared/time/short-weekday.ts';
import type { SampleRange } from './queries.ts';

const STEPS = [QUARTER_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, DAY_MS, 2 * DAY_MS, 7 * DAY_MS, 14 * DAY_MS, 60 * DAY_MS];
const TEXT_WIDTH = 74;

type AxisTick = { readonly ms: number; readonly text: string };

export function axisTicks({ fromMs, toMs }: SampleRange, zone: string, width: number): AxisTick[] {
  const most = Math.max(1, Math.floor(width / TEXT_WIDTH));
  const step = STEPS.find((one) => (toMs - fromMs) / one <= most) ?? (STEPS.at(-1) as number);
  const ticks: AxisTick[] = [];
  for (let at = firstTick(fromMs, step, zone); at < toMs; at += step) {
    const ms = step >= DAY_MS ? startOfDay(at, zone) : at;
    if (ms >= toMs) break;
    const text = clock(ms, zone);
    const date = calendarDate(ms, zone);
    const isMidnight = text === '00:00';
    ticks.push({
      ms,
      text: step >= 7 * DAY_MS ? shortDate(date) : step >= DAY_MS || isMidnight ? shortWeekday(date) : text,
    });
  }
  return ticks;
}

/** The midnight next to a time that a change of clocks moved away from it; the time itself if its day has no midnight. */
function startOfDay(ms: number, zone: string): number {
  const hours = Number(clock(ms, zone).slice(0, 2));
  if (hours > 12) return ms + (24 - hours) * HOUR_MS;
  const midnight = ms - hours * HOUR_MS;
  return calendarDate(midnight, zone) === calendarDate(ms, zone) ? midnight : ms;
}

/** The first full step of the day in the zone. */
function firstTick(fromMs: number, step: number, zone: string): number {
  const [hours = 0, minutes = 0] = clock(fromMs, zone).split(':').map(Number);
  const midnight = Math.floor(fromMs / MINUTE_MS) * MINUTE_MS - (hours * 60 + minutes) * MINUTE_MS;
  const first = midnight + Math.ceil((fromMs - midnight) / Math.min(step, DAY_MS)) * Math.min(step, DAY_MS);
  return first;
}
