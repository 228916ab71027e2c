// When devices are not worn. Every week has one night in which the watch runs out of battery and one in which it
// charges; every other week has one in which the ring charges. So there is always something to consolidate. Stories
// override this: an ill user keeps the ring on, and a user who runs with watch and phone wears both all day.

import { addDays, dayNumberOf, type LocalDate } from '../time/calendar.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { Interval } from '../time/intervals.ts';
import type { DayStory } from './day-story.ts';
import type { LivedDay } from './lived-day.ts';
import type { Sleep } from './night.ts';
import type { Person } from './person.ts';

const DEAD_AFTER = 0.43;

type WatchNight = 'worn' | 'died' | 'charging';

/** `story`, here and below: of the date on which the night ends. */
export function watchNightOf(person: Person, date: LocalDate, { hasSharedRun }: DayStory): WatchNight {
  if (hasSharedRun) return 'worn';
  const dayOfCycle = (dayNumberOf(date) + person.phase) % 7;
  return dayOfCycle === 2 ? 'died' : dayOfCycle === 5 ? 'charging' : 'worn';
}

export function isRingOnAtNight(person: Person, date: LocalDate, { illness }: DayStory): boolean {
  return illness > 0 || (dayNumberOf(date) + person.phase) % 14 !== 10;
}

/** In the middle of the night, noticed in the morning. */
export function diesAt({ start, end }: Sleep): number {
  return start + Math.round(((end - start) * DEAD_AFTER) / MINUTE_MS) * MINUTE_MS;
}

/** Intervals of the day without the watch. */
export function listWatchGaps(day: LivedDay): Interval[] {
  if (day.story.isWatchOff) return [{ start: day.fromMs, end: day.toMs }];
  return day.beds.flatMap((bed) => {
    if (bed.kind === 'nap') return [];
    const night = watchNightOf(day.person, nightDateOf(day, bed), storyOfNight(day, bed));
    if (night === 'died') return [{ start: diesAt(bed), end: bed.end + 25 * MINUTE_MS }];
    return night === 'charging' ? [{ start: bed.start - 12 * MINUTE_MS, end: bed.end + 6 * MINUTE_MS }] : [];
  });
}

export function listRingGaps(day: LivedDay): Interval[] {
  if (day.story.isRingOff) return [{ start: day.fromMs, end: day.toMs }];
  return day.beds
    .filter(
      (bed) => bed.kind === 'night' && !isRingOnAtNight(day.person, nightDateOf(day, bed), storyOfNight(day, bed)),
    )
    .map(({ start, end }) => ({ start, end }));
}

export function isDuring(intervals: readonly Interval[], atMs: number): boolean {
  return intervals.some(({ start, end }) => atMs >= start && atMs < end);
}

function nightDateOf(day: LivedDay, bed: Sleep): LocalDate {
  return isOfTomorrow(day, bed) ? addDays(day.date, 1) : day.date;
}

function storyOfNight(day: LivedDay, bed: Sleep): DayStory {
  return isOfTomorrow(day, bed) ? day.storyOfTomorrow : day.story;
}

function isOfTomorrow({ toMs }: LivedDay, { end }: Sleep): boolean {
  return end > toMs;
}
