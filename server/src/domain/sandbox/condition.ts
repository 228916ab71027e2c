// The condition of a simulated user on a day: what the night before measures, and how tense the day is. Consecutive
// days are similar.
import { addDays, type LocalDate } from '../time/calendar.ts';
import type { DayStory } from './day-story.ts';
import { createDraw } from './draw.ts';
import { planSport, weekdayOf } from './outings.ts';
import type { Person } from './person.ts';
import { SIMULATED_SPORTS } from './sport.ts';

export type Condition = {
  readonly restingBpm: number;
  readonly hrvMs: number;
  readonly breathsPerMinute: number;
  readonly oxygenPct: number;
  /** Skin temperature relative to the usual one. */
  readonly temperatureDeviationC: number;
  /** About 0 on most days, 2 on a hard day. */
  readonly tension: number;
};

/** More than chance and vigor can offset together. */
const FEVER_C = 1.05;

export function findCondition(person: Person, date: LocalDate, { illness }: DayStory): Condition {
  const moods = [0, -1, -2].map((days) => createDraw(person.seed, 'mood', addDays(date, days)).near(0, 1));
  const [today = 0, yesterday = 0, before = 0] = moods;
  const vigor = 0.7 * today + 0.45 * yesterday + 0.25 * before - findTiredness(person, date);
  const draw = createDraw(person.seed, 'condition', date);
  const isWorkday = weekdayOf(date) % 6 !== 0;
  return {
    restingBpm: person.restingBpm - 1.4 * vigor + 6 * illness + draw.near(0, 0.4),
    hrvMs: person.hrvMs * Math.exp(0.13 * vigor - 0.45 * illness + draw.near(0, 0.03)),
    breathsPerMinute: person.breathsPerMinute - 0.15 * vigor + 2.2 * illness + draw.near(0, 0.15),
    oxygenPct: Math.min(99, 96.8 - 1.2 * illness + draw.near(0, 0.4)),
    temperatureDeviationC: -0.05 * vigor + FEVER_C * illness + draw.near(0, 0.1),
    tension: (isWorkday ? 0.25 : -0.6) - 0.35 * vigor + 1.2 * illness + draw.near(0, 0.75),
  };
}

/** A hard day affects the next one. */
function findTiredness(person: Person, date: LocalDate): number {
  const sport = planSport(person, addDays(date, -1));
  return sport === null ? 0 : 0.8 * SIMULATED_SPORTS[sport].effort;
}
