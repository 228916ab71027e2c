// One day of a simulated user as it really was, minute by minute. Each device derives its own records from it.

import type { EpochMs } from '../records/records.ts';
import { addDays, type LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import type { Interval } from '../time/intervals.ts';
import { type Condition, findCondition } from './condition.ts';
import type { DayStory } from './day-story.ts';
import { createDraw } from './draw.ts';
import { type Food, planFood } from './food.ts';
import { beatAllDay, forMinutes } from './heart.ts';
import { planNap, planNight, type Sleep } from './night.ts';
import { type PlannedWalk, planOutings } from './outings.ts';
import type { Person } from './person.ts';
import { momentAt, readOffsets } from './wall-time.ts';
import { type LivedWorkout, liveWorkout } from './workout.ts';

export type LivedDay = {
  readonly person: Person;
  readonly date: LocalDate;
  readonly zone: Zone;
  /** The destination, if not at home. */
  readonly position: string | null;
  readonly story: DayStory;
  /** The story of the night that has begun. */
  readonly storyOfTomorrow: DayStory;
  readonly condition: Condition;
  /** Usually a local day, 23 to 25 hours long. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The UTC offset in minutes at a moment of the day. */
  readonly offsetAt: (epochMs: number) => number;
  /** Sleeps that ended on the day. */
  readonly sleeps: readonly Sleep[];
  /** Includes the night that has begun. */
  readonly beds: readonly Sleep[];
  readonly workouts: readonly LivedWorkout[];
  readonly climbs: readonly { readonly at: number; readonly floors: number; readonly isPhoneCarried: boolean }[];
  readonly episodes: readonly Interval[];
  readonly food: Food;
  /** By minute from `fromMs` on. */
  readonly bpm: Float64Array;
  readonly steps: Uint16Array;
  readonly phoneSteps: Uint16Array;
  readonly activeKcal: Float64Array;
};

type DayRequest = {
  readonly person: Person;
  readonly date: LocalDate;
  readonly zone: Zone;
  readonly storyOf: (date: LocalDate) => DayStory;
  /** The destination, if not at home. */
  readonly position?: string;
  /** Only this part of the day, because a traveller has a shorter or longer day. */
  readonly window?: { readonly fromMs: number; readonly toMs: number };
  /** Replaces the nights of the date and of the next one. */
  readonly sleeps?: readonly Sleep[];
};

const KCAL_PER_STEP_KG = 0.00057;
const KCAL_OF_STIRRING = 0.16;

export function liveDay(request: DayRequest): LivedDay {
  const { person, date, zone } = request;
  const story = request.storyOf(date);
  const day = zone.dayOf(date);
  const { fromMs, toMs } = request.window ?? { fromMs: day.start, toMs: day.end };
  const isInside = ({ start, end }: Interval) => start >= fromMs && end <= toMs;
  const condition = findCondition(person, date, story);
  const beds = request.sleeps ?? listBeds(request, story);
  const outings = planOutings(person, date, story);
  const workouts = outings.workouts
    .map((planned) => liveWorkout(person, planned, momentAt(zone, date, planned.start)))
    .filter(isInside);
  const walks = outings.walks.map((walk) => placeWalk(walk, momentAt(zone, date, walk.start))).filter(isInside);
  const minutes = Math.round((toMs - fromMs) / MINUTE_MS);
  const steps = new Uint16Array(minutes);
  const phoneSteps = new Uint16Array(minutes);
  stir(request, { fromMs, steps, phoneSteps }, beds, story);
  for (const walk of walks) walkAlong(walk, fromMs, steps, phoneSteps);
  for (const workout of workouts) {
    const perMinute = Math.round(workout.steps / workout.minutes);
    forMinutes(steps, fromMs, workout.start, workout.end, (minute) => {
      steps[minute] = perMinute;
      phoneSteps[minute] = workout.isOnPhone ? Math.round(perMinute * 0.97) : 0;
    });
  }
  const episodes = drawEpisodes(request, condition);
  const tomorrow = addDays(date, 1);
  const storyOfTomorrow = request.storyOf(tomorrow);
  const ofTomorrow = findCondition(person, tomorrow, storyOfTomorrow);
  const bpm = beatAllDay(
    {
      person,
      condition,
      fromMs,
      steps,
      wallMinutesAtFrom: zone.wallMinutes(fromMs, date),
      sleeps: beds.map((sleep) => ({ sleep, condition: sleep.end > toMs ? ofTomorrow : condition })),
      workouts,
      episodes,
    },
    date,
  );
  const activeKcal = burn(person, fromMs, steps, workouts);
  const spentKcal = person.basalKcal + activeKcal.reduce((sum, kcal) => sum + kcal, 0);
  return {
    person,
    date,
    zone,
    position: request.position ?? null,
    story,
    storyOfTomorrow,
    condition,
    fromMs,
    toMs,
    offsetAt: readOffsets(zone, date, fromMs, toMs),
    sleeps: beds.filter(({ end }) => end > fromMs && end <= toMs),
    beds,
    workouts,
    climbs: listClimbs(walks),
    episodes,
    food: planFood(person, date, spentKcal, story.illness),
    bpm,
    steps,
    phoneSteps,
    activeKcal,
  };
}

function listBeds(request: DayRequest, story: DayStory): Sleep[] {
  const nap = planNap(request.person, request.date, request.zone, story);
  return nap === null ? planNights(request) : [...planNights(request), nap];
}

/** The night that ends on the date, and the next one. */
export function planNights({ person, date, zone, storyOf }: DayRequest): Sleep[] {
  return [date, addDays(date, 1)].map((end) => planNight(person, end, zone, storyOf(end)));
}

/** The bedtime after that day, or the end of the day if that is later; later records belong to the night. */
export function bedtimeAfter({ person, date, zone, storyOf }: DayRequest): number {
  const [, next] = planNights({ person, date, zone, storyOf });
  const { end } = zone.dayOf(date);
  return Math.min(end, next?.start ?? end);
}

type PlacedWalk = PlannedWalk & { readonly end: number };

function placeWalk(walk: PlannedWalk, start: EpochMs): PlacedWalk {
  return { ...walk, start, end: start + walk.minutes * MINUTE_MS };
}

/** Stairs at the end of walks, by time; walks that end together count once. */
function listClimbs(walks: readonly PlacedWalk[]): LivedDay['climbs'] {
  const climbs = walks.map(({ end, floors, isPhoneCarried }) => ({ at: end - MINUTE_MS, floors, isPhoneCarried }));
  const sorted = climbs.filter(({ floors }) => floors > 0).sort((a, b) => a.at - b.at);
  return sorted.filter(({ at }, index) => sorted[index - 1]?.at !== at);
}

type Feet = { readonly fromMs: number; readonly steps: Uint16Array; readonly phoneSteps: Uint16Array };

/** A few steps in every hour outside walks. */
function stir(
  { person, date }: DayRequest,
  { fromMs, steps, phoneSteps }: Feet,
  beds: readonly Sleep[],
  { isFlying }: DayStory,
): void {
  const draw = createDraw(person.seed, 'stirring', date);
  const chance = isFlying ? 0.03 : 0.13;
  for (let minute = 0; minute < steps.length; minute++) {
    const isStirring = draw.isLucky(chance);
    const count = Math.round(draw.between(6, 30));
    const isPhoneCarried = draw.isLucky(0.22);
    if (!isStirring) continue;
    steps[minute] = count;
    if (isPhoneCarried) phoneSteps[minute] = Math.max(1, count - 2);
  }
  for (const { start, end } of beds)
    forMinutes(steps, fromMs, start, end, (minute) => {
      steps[minute] = 0;
      phoneSteps[minute] = 0;
    });
}

function walkAlong(walk: PlacedWalk, fromMs: number, steps: Uint16Array, phoneSteps: Uint16Array): void {
  forMinutes(steps, fromMs, walk.start, walk.end, (minute) => {
    const count = Math.round(walk.stepsPerMinute + 6 * Math.sin(minute * 1.7));
    steps[minute] = count;
    phoneSteps[minute] = walk.isPhoneCarried ? Math.round(count * 0.98) : 0;
  });
}

/** About two on a working day, more on a tense one. */
function drawEpisodes({ person, date, zone }: DayRequest, { tension }: Condition): Interval[] {
  const draw = createDraw(person.seed, 'episodes', date);
  const count = Math.max(0, Math.min(5, Math.round(1.8 + 1.3 * tension + draw.near(0, 0.6))));
  return Array.from({ length: count }, () => {
    const start = momentAt(zone, date, draw.between(9 * 60, 19 * 60));
    return { start, end: start + draw.between(0.4, 1) * HOUR_MS };
  });
}

function burn(person: Person, fromMs: number, steps: Uint16Array, workouts: readonly LivedWorkout[]): Float64Array {
  const kcal = new Float64Array(steps.length);
  for (let minute = 0; minute < kcal.length; minute++) {
    const count = steps[minute] as number;
    if (count > 0) kcal[minute] = KCAL_OF_STIRRING + count * KCAL_PER_STEP_KG * person.weightKg;
  }
  for (const workout of workouts) {
    const perMinute = workout.activeKcal / workout.minutes;
    forMinutes(kcal, fromMs, workout.start, workout.end, (minute) => {
      kcal[minute] = perMinute;
    });
  }
  return kcal;
}
