// The charge of the night minus the drain of the day. 65: an ordinary wake-up.
import { buildResult, type Contribution } from './build-result.ts';
import { placeValue } from './placed-input.ts';
import type { MissingFactor, ScoreResult } from './score.ts';
import { type BudgetRule, divideBudget } from './signed-budget.ts';

export type EnergyReserveInputs = {
  readonly sleepScore: number | null;
  readonly recoveryScore: number | null;
  /** The last value of the day before. */
  readonly yesterdayReserve: number | null;
  /** So far today. */
  readonly strainScore: number | null;
  readonly stressScore: number | null;
  readonly hoursAwake: number | null;
  readonly napHours: number | null;
};

type ChargeFactor = 'sleep' | 'recovery' | 'carry_over';
type DrainFactor = 'strain' | 'stress' | 'time_awake';

/** The parts of the wake-up level. */
export const CHARGE_RULE: BudgetRule<ChargeFactor> = {
  type: 'energy_reserve_score',
  neutral: 65,
  needsOneOf: ['sleep', 'recovery'],
  factors: {
    sleep: {
      up: 45,
      down: 45,
      input: 'sleep score of the date',
      curve: [
        [40, -1],
        [70, 0],
        [95, 1],
      ],
    },
    recovery: {
      up: 40,
      down: 40,
      input: 'recovery score of the date',
      curve: [
        [0, -1],
        [50, 0],
        [100, 1],
      ],
    },
    carry_over: {
      up: 15,
      down: 15,
      input: 'last energy reserve score of the day before',
      curve: [
        [0, -1],
        [35, 0],
        [100, 1],
      ],
    },
  },
};

type DrainRule = { readonly weight: number; readonly input: string; readonly from: number; readonly to: number };

/** Linear from no drain at `from` to the full weight at `to`. Weights are relative; together they drain MAX_DRAIN. */
export const DRAIN_RULES: Readonly<Record<DrainFactor, DrainRule>> = {
  strain: { weight: 45, input: 'strain score so far', from: 0, to: 100 },
  stress: { weight: 20, input: 'stress score so far', from: 25, to: 100 },
  time_awake: { weight: 25, input: 'hours since waking, minus twice the hours of naps', from: 0, to: 18 },
};

/** A user who is awake always has some reserve left. */
export const MAX_DRAIN = 0.9;
/** An hour of nap compensates for this many hours awake. */
const AWAKE_HOURS_PER_NAP_HOUR = 2;

export function scoreEnergyReserve(inputs: EnergyReserveInputs): ScoreResult | null {
  if (inputs.sleepScore === null && inputs.recoveryScore === null) return null;
  const charge = divideBudget(CHARGE_RULE, {
    sleep: placeValue(inputs.sleepScore),
    recovery: placeValue(inputs.recoveryScore),
    carry_over: placeValue(inputs.yesterdayReserve),
  });
  const drain = drainFrom(charge.value, inputs);
  return buildResult({
    type: CHARGE_RULE.type,
    neutral: CHARGE_RULE.neutral,
    value: charge.value * (1 - drain.total),
    contributions: [...charge.contributions, ...drain.contributions],
    coverage: Math.round(5 * (charge.coverage + drain.coverage)) / 10, // their mean
    missing: [...charge.missing, ...drain.missing],
  });
}

type Drain = {
  readonly total: number;
  readonly contributions: readonly Contribution[];
  readonly coverage: number;
  readonly missing: readonly MissingFactor[];
};

function drainFrom(wakeLevel: number, inputs: EnergyReserveInputs): Drain {
  const readings: Readonly<Record<DrainFactor, number | null>> = {
    strain: inputs.strainScore,
    stress: inputs.stressScore,
    time_awake: countHoursAwake(inputs),
  };
  const names = Object.keys(DRAIN_RULES) as DrainFactor[];
  const present = names.flatMap((name) => toPresent(name, readings[name]));
  const weight = present.reduce((sum, { rule }) => sum + rule.weight, 0);
  const drains = present.map(({ name, rule, input, position }) => ({
    reading: { name, input, usual: null, position, effect: 0 - (MAX_DRAIN * rule.weight * position) / weight },
  }));
  const allWeight = names.reduce((sum, name) => sum + DRAIN_RULES[name].weight, 0);
  return {
    total: drains.reduce((sum, { reading }) => sum - reading.effect, 0),
    contributions: drains.map(({ reading }) => ({ reading, points: wakeLevel * reading.effect })),
    coverage: (100 * weight) / allWeight,
    missing: names.filter((name) => readings[name] === null).map((name) => ({ name, reason: 'no_value' })),
  };
}

/** The position is the fraction between `from` and `to`. */
function toPresent(name: DrainFactor, input: number | null) {
  if (input === null) return [];
  const rule = DRAIN_RULES[name];
  const position = Math.min(1, Math.max(0, (input - rule.from) / (rule.to - rule.from)));
  return [{ name, rule, input, position }];
}

function countHoursAwake({ hoursAwake, napHours }: EnergyReserveInputs): number | null {
  return hoursAwake === null ? null : Math.max(0, hoursAwake - AWAKE_HOURS_PER_NAP_HOUR * (napHours ?? 0));
}
