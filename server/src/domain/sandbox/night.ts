// A night as it really was: start, end and stages. Each device records it differently.

import type { EpochMs, StagePeriod } from '../records/records.ts';
import { dayNumberOf, type LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { DayStory } from './day-story.ts';
import { createDraw, type Draw } from './draw.ts';
import { weekdayOf } from './outings.ts';
import type { Person } from './person.ts';
import { momentAt } from './wall-time.ts';

export type Sleep = {
  readonly kind: 'night' | 'nap';
  readonly start: EpochMs;
  readonly end: EpochMs;
  /** Covers start to end without gaps. */
  readonly stages: readonly StagePeriod[];
};

type StageLength = { stage: StagePeriod['stage']; minutes: number };

const CYCLE_MINUTES = 92;

/** The night that ends on the date. */
export function planNight(person: Person, date: LocalDate, zone: Zone, story: DayStory): Sleep {
  const draw = createDraw(person.seed, 'night', date);
  const weekday = weekdayOf(date);
  const shift = weekday % 6 === 0 ? person.weekendShift : 0;
  const bedtime = person.bedtime + shift + draw.near(0, person.bedtimeSpread) - 35 * story.illness;
  const inBed = person.inBedMinutes + draw.near(0, 26) + shift / 3 + 55 * story.illness;
  const start = momentAt(zone, date, Math.round(bedtime));
  // By local time, like an alarm: the night of a clock change is an hour longer or shorter.
  const end = momentAt(zone, date, Math.round(bedtime + inBed));
  const restlessness = draw.between(0.5, 1.25) + 0.9 * story.illness;
  return {
    kind: 'night',
    start,
    end,
    stages: placeStages(drawNight(draw, (end - start) / MINUTE_MS, restlessness), start, end),
  };
}

/** After lunch, always on one day of the week, otherwise mostly at weekends. */
export function planNap(person: Person, date: LocalDate, zone: Zone, story: DayStory): Sleep | null {
  const draw = createDraw(person.seed, 'nap', date);
  const isWeekend = weekdayOf(date) % 6 === 0;
  const isWeekly = (dayNumberOf(date) + person.phase) % 7 === 0;
  const isNapping = draw.isLucky(isWeekend ? 0.55 : 0.12) || isWeekly || story.illness >= 0.5;
  const begin = Math.round(draw.between(13 * 60 + 15, 14 * 60));
  const minutes = Math.round(draw.between(22, 38));
  if (!isNapping || story.isFlying) return null;
  return sleepBriefly(draw, momentAt(zone, date, begin), minutes);
}

export function sleepBriefly(draw: Draw, start: EpochMs, minutes: number): Sleep {
  const end = (start + minutes * MINUTE_MS) as EpochMs;
  const drowsy = Math.round(draw.between(2, 5));
  const intervals: StageLength[] = [
    { stage: 'awake', minutes: drowsy },
    { stage: 'light', minutes: minutes - drowsy },
  ];
  return { kind: 'nap', start, end, stages: placeStages(intervals, start, end) };
}

/** Deep sleep early, REM late, short awakenings between. */
function drawNight(draw: Draw, minutes: number, restlessness: number): StageLength[] {
  const intervals: StageLength[] = [{ stage: 'awake', minutes: draw.between(5, 16) * restlessness }];
  const cycles = Math.max(2, Math.round(minutes / CYCLE_MINUTES));
  for (let cycle = 0; cycle < cycles; cycle++) {
    const part = cycle / (cycles - 1);
    intervals.push({ stage: 'light', minutes: draw.between(20, 30) });
    intervals.push({ stage: 'deep', minutes: Math.max(4, draw.near(26 - 22 * part, 3)) });
    intervals.push({ stage: 'light', minutes: draw.between(12, 22) });
    intervals.push({ stage: 'rem', minutes: Math.max(5, draw.near(9 + 18 * part, 3)) });
    if (cycle < cycles - 1) intervals.push({ stage: 'awake', minutes: draw.between(2.5, 8) * restlessness });
  }
  intervals.push({ stage: 'awake', minutes: draw.between(2, 6) });
  return intervals;
}

/** Scaled to fill the night, in whole minutes. */
function placeStages(intervals: readonly StageLength[], start: EpochMs, end: EpochMs): StagePeriod[] {
  const total = intervals.reduce((sum, { minutes }) => sum + minutes, 0);
  const stages: StagePeriod[] = [];
  let passed = 0;
  let from = start;
  for (const { stage, minutes } of intervals) {
    passed += minutes;
    const whole = Math.round(((end - start) / MINUTE_MS) * (passed / total));
    const to = Math.min(end, start + whole * MINUTE_MS) as EpochMs;
    if (to > from) stages.push({ stage, start: from, end: to });
    from = to;
  }
  return stages;
}
