// The properties of a simulated user: body, habits, sports and diet. Drawn from the user id; values in the profile win.
import type { Sex } from '../scores/index.ts';
import { createDraw, type Draw } from './draw.ts';
import { SPORT_NAMES, type SportName } from './sport.ts';

/** Sunday is 0. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export type Person = {
  /** All random numbers of this user derive from it. */
  readonly seed: string;
  readonly sex: Sex | null;
  readonly ageYears: number;
  readonly heightCm: number;
  readonly weightKg: number;
  readonly basalKcal: number;
  readonly restingBpm: number;
  readonly maxBpm: number;
  /** RMSSD of an ordinary night. */
  readonly hrvMs: number;
  readonly breathsPerMinute: number;
  /** Minutes after midnight, negative before it. */
  readonly bedtime: number;
  readonly inBedMinutes: number;
  /** How much later the nights before Saturday and Sunday are. */
  readonly weekendShift: number;
  /** Minutes by which bedtimes differ from night to night. */
  readonly bedtimeSpread: number;
  readonly sports: Readonly<Partial<Record<Weekday, SportName>>>;
  readonly stepsGoal: number;
  /** From 0 (fast food) to 1 (home-cooked vegetables). */
  readonly diet: number;
  /** Shifts the days of the week on which a device is forgotten. */
  readonly phase: number;
};

type KnownOfPerson = {
  readonly sex?: Sex | null;
  readonly ageYears?: number | null;
  readonly heightCm?: number | null;
  readonly weightKg?: number | null;
  readonly maxBpm?: number | null;
};

/** The sex that the body of a person without a stated sex is drawn for. */
export function drawSex(seed: string): 'female' | 'male' {
  const draw = createDraw(seed, 'person');
  draw.unit(); // the fitness, which `drawPerson` draws first
  return draw.pick(['female', 'male'] as const);
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;

export function drawPerson(seed: string, known: KnownOfPerson = {}): Person {
  const draw = createDraw(seed, 'person');
  const fitness = draw.between(0.25, 0.9);
  const drawnSex = draw.pick(['female', 'male'] as const);
  const shape = known.sex ?? drawnSex;
  const drawnAge = Math.round(draw.between(24, 58));
  const ageYears = known.ageYears ?? drawnAge;
  const drawnHeight = Math.round(draw.near(shape === 'female' ? 167 : 180, 5));
  const heightCm = known.heightCm ?? drawnHeight;
  const massIndex = draw.near(26.5 - 4 * fitness, 1.2);
  const weightKg = known.weightKg ?? round(massIndex * (heightCm / 100) ** 2, 1);
  const drawnMax = Math.round(208 - 0.7 * ageYears + draw.near(0, 3));
  return {
    seed,
    sex: known.sex ?? null,
    ageYears,
    heightCm,
    weightKg,
    basalKcal: Math.round(10 * weightKg + 6.25 * heightCm - 5 * ageYears + (shape === 'female' ? -161 : 5)), // Mifflin
    restingBpm: round(70 - 20 * fitness + draw.near(0, 1.5), 1),
    maxBpm: known.maxBpm ?? drawnMax,
    hrvMs: Math.max(18, round((34 + 42 * fitness) * (1 - (ageYears - 40) / 120) + draw.near(0, 4), 1)),
    breathsPerMinute: round(draw.near(15, 0.7), 1),
    bedtime: Math.round(draw.between(-85, 20)),
    inBedMinutes: Math.round(draw.between(455, 515)),
    weekendShift: Math.round(draw.between(20, 75)),
    bedtimeSpread: draw.between(12, 26),
    sports: drawSports(draw, fitness),
    stepsGoal: Math.round(draw.between(6_000, 11_000)),
    diet: draw.between(0.2, 0.9),
    phase: Math.floor(draw.between(0, 7)),
  };
}

/** Two favourite sports, three to five times per week, at least one of them running. */
function drawSports(draw: Draw, fitness: number): Person['sports'] {
  const favourites = [draw.pick(SPORT_NAMES), draw.pick(SPORT_NAMES)] as const;
  const count = 3 + Math.round(2 * fitness * draw.unit());
  const free = [...WEEKDAYS];
  const sports: Partial<Record<Weekday, SportName>> = {};
  for (let index = 0; index < count; index++) {
    const [weekday = 0] = free.splice(Math.floor(draw.unit() * free.length), 1);
    sports[weekday] = index === 0 ? 'running' : draw.pick(favourites);
  }
  return sports;
}

function round(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
