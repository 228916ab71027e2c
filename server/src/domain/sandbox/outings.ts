// When a simulated user moves: sports on fixed weekdays, commutes, shopping and walks. In local time.
import { dayNumberOf, type LocalDate } from '../time/calendar.ts';
import type { DayStory } from './day-story.ts';
import { createDraw, type Draw } from './draw.ts';
import type { Person, Weekday } from './person.ts';
import { SIMULATED_SPORTS, type SportName } from './sport.ts';

/** In local minutes of its day. */
export type PlannedWorkout = {
  readonly sport: SportName;
  readonly start: number;
  readonly minutes: number;
  /** Fraction of the heart-rate reserve. */
  readonly effort: number;
  /** An app on the phone records it too. */
  readonly isOnPhone: boolean;
};

export type PlannedWalk = {
  readonly start: number;
  readonly minutes: number;
  readonly stepsPerMinute: number;
  readonly isPhoneCarried: boolean;
  readonly floors: number;
};

type Outings = { readonly workouts: readonly PlannedWorkout[]; readonly walks: readonly PlannedWalk[] };

const EVENING_RUN = { sport: 'running', start: 18 * 60 + 5, minutes: 42, effort: 0.72, isOnPhone: true } as const;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

export function weekdayOf(date: LocalDate): Weekday {
  return ((dayNumberOf(date) + FIRST_WEEKDAY) % 7) as Weekday;
}

/** Skipped on about one day in eight, for a cold or lack of time. */
export function planSport(person: Person, date: LocalDate): SportName | null {
  const sport = person.sports[weekdayOf(date)];
  return sport === undefined || createDraw(person.seed, 'skips', date).isLucky(0.12) ? null : sport;
}

export function planOutings(person: Person, date: LocalDate, story: DayStory): Outings {
  if (story.isFlying) return { workouts: [], walks: [] };
  const draw = createDraw(person.seed, 'outings', date);
  const isWorkday = weekdayOf(date) % 6 !== 0;
  const walks = isWorkday ? planWorkday(draw) : planWeekend(draw);
  const pace = (person.stepsGoal / 8_500) * (1 - 0.75 * story.illness);
  const kept = walks.map((walk) => ({ ...walk, minutes: Math.max(2, Math.round(walk.minutes * pace)) }));
  return { workouts: planWorkouts(person, date, story, isWorkday), walks: kept };
}

function planWorkouts(person: Person, date: LocalDate, story: DayStory, isWorkday: boolean): PlannedWorkout[] {
  if (story.illness >= 0.3) return [];
  if (story.hasSharedRun) return [EVENING_RUN];
  const name = planSport(person, date);
  if (name === null) return [];
  const draw = createDraw(person.seed, 'sport', date);
  const sport = SIMULATED_SPORTS[name];
  const [shortest, longest] = sport.minutes;
  return [
    {
      sport: name,
      start: Math.round(isWorkday ? draw.between(17 * 60 + 50, 19 * 60) : draw.between(9 * 60 + 40, 11 * 60)),
      minutes: Math.round(draw.between(shortest, longest)),
      effort: Math.max(0.15, draw.near(sport.effort, 0.04)),
      isOnPhone: (name === 'running' || name === 'hiking') && draw.isLucky(0.6),
    },
  ];
}

function planWorkday(draw: Draw): PlannedWalk[] {
  const way = Math.round(draw.between(9, 15));
  return [
    walkAt(draw, draw.near(8 * 60 + 5, 8), way, true),
    walkAt(draw, draw.near(12 * 60 + 25, 10), draw.between(8, 18), draw.isLucky(0.7)),
    walkAt(draw, draw.near(17 * 60 + 20, 8), way, true),
    ...planWalks(draw, [9 * 60 + 20, 10 * 60 + 40, 14 * 60 + 15, 15 * 60 + 35, 20 * 60 + 20], 0.3),
  ];
}

function planWeekend(draw: Draw): PlannedWalk[] {
  return [
    walkAt(draw, draw.near(14 * 60 + 40, 25), draw.between(28, 55), true),
    ...planWalks(draw, [9 * 60, 12 * 60 + 10, 16 * 60 + 50, 19 * 60 + 30], 0.55),
  ];
}

/** At work the phone is not carried. */
function planWalks(draw: Draw, starts: readonly number[], phoneChance: number): PlannedWalk[] {
  return starts.map((start) => walkAt(draw, draw.near(start, 12), draw.between(4, 11), draw.isLucky(phoneChance)));
}

function walkAt(draw: Draw, start: number, minutes: number, isPhoneCarried: boolean): PlannedWalk {
  return {
    start: Math.round(start),
    minutes: Math.round(minutes),
    stepsPerMinute: draw.between(84, 112),
    isPhoneCarried,
    floors: Math.floor(draw.between(0, 4)),
  };
}
