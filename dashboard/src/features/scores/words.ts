import { duration, shortDate } from '../../shared/time/format-time.ts';
import { listWords, number, plural, signed } from '../../shared/words/numbers.ts';
import type { ExplainedScore, Factor, ScoreType } from './queries.ts';
import { usualRange } from './usual-strip.ts';

/** In the order of the cards and of the keys 1 to 6. */
export const SCORES: readonly {
  readonly type: ScoreType;
  readonly slug: string;
  readonly name: string;
  readonly about: string;
}[] = [
  { type: 'recovery_score', slug: 'recovery', name: 'Recovery', about: 'how far the body is back to its usual state' },
  { type: 'sleep_score', slug: 'sleep', name: 'Sleep', about: 'how much and how well the person slept' },
  { type: 'strain_score', slug: 'strain', name: 'Strain', about: 'how much load the day put on the heart' },
  { type: 'stress_score', slug: 'stress', name: 'Stress', about: 'how far the body is from rest while awake' },
  {
    type: 'energy_reserve_score',
    slug: 'energy',
    name: 'Energy reserve',
    about: 'what the night charged and the day has used',
  },
  {
    type: 'nutrition_score',
    slug: 'nutrition',
    name: 'Nutrition',
    about: 'how the logged food compares with guidelines',
  },
];

const FACTORS: Readonly<Record<string, string>> = {
  heart_rate_variability: 'HRV of the night',
  hrv_trend: 'HRV of seven nights',
  resting_heart_rate: 'Resting heart rate',
  sleep: 'Sleep score',
  respiratory_rate: 'Respiratory rate',
  skin_temperature: 'Skin temperature',
  previous_day_strain: 'Strain of the day before',
  duration: 'Time asleep',
  efficiency: 'Sleep efficiency',
  continuity: 'Time awake in bed',
  deep_sleep: 'Deep sleep',
  rem_sleep: 'REM sleep',
  regularity: 'Regularity',
  high_intensity: 'High intensity',
  moderate_intensity: 'Moderate intensity',
  low_intensity: 'Low intensity',
  daily_activity: 'Daily activity',
  waking_heart_rate: 'Heart rate while awake',
  waking_hrv: 'HRV while awake',
  high_stress_time: 'Time of high stress',
  night_hrv: 'HRV of the night',
  sleep_debt: 'Sleep debt',
  energy_balance: 'Energy balance',
  protein: 'Protein',
  fiber: 'Fiber',
  sugar: 'Sugar',
  saturated_fat: 'Saturated fat',
  sodium: 'Sodium',
  macro_balance: 'Balance of macros',
  hydration: 'Drinks',
  recovery: 'Recovery score',
  carry_over: 'Left from the day before',
  strain: 'Strain so far',
  stress: 'Stress so far',
  time_awake: 'Time awake',
  workouts: 'Workouts',
  dietary_energy: 'Energy of logged food',
};

export function factorName(name: string): string {
  return FACTORS[name] ?? name.replaceAll('_', ' ');
}

/** The measured value with its unit: 41 ms, 7 h 50, +0.48 °C. */
export function inputText({ input, unit }: Pick<Factor, 'input' | 'unit'>): string {
  if (input === null) return '–';
  if (unit === 'min') return duration(input);
  if (unit === '°C') return `${signed(input, 2)} °C`;
  const text = number(input, digitsOf(input));
  if (unit === null || unit === 'score') return text;
  return `${text} ${unit === 'breaths/min' ? '/min' : unit}`;
}

function digitsOf(value: number): number {
  return Math.abs(value) < 20 && !Number.isInteger(value) ? 1 : 0;
}

/** usual 49 – 68 */
export function usualText(usual: NonNullable<Factor['usual']>, unit: string | null): string {
  const [low, high] = usualRange(usual);
  if (unit === 'min') return `usual ${duration(low)} – ${duration(high)}`;
  const digits = Math.abs(high) < 20 ? 1 : 0;
  return `usual ${number(low, digits)} – ${number(high, digits)}`;
}

const LACKS: Readonly<Record<string, string>> = {
  no_value: 'nothing was measured; its weight goes to the others',
  no_baseline: 'too few earlier values to know what is usual; its weight goes to the others',
};

export function lackText(reason: string): string {
  return LACKS[reason] ?? reason;
}

/** What a missing score needs, in one sentence. */
export function absenceText(explained: ExplainedScore): string {
  const { absence, missing } = explained;
  if (absence === null) return '';
  if (missing.length === 0) return absence.message;
  const names = missing.map(({ name, reason }) => `${factorName(name).toLowerCase()} (${shortLack(reason)})`);
  return missing.length === 1 ? `It needs ${names[0]}.` : `It needs at least one of ${listWords(names)}.`;
}

function shortLack(reason: string): string {
  return reason === 'no_baseline' ? 'too few earlier values' : 'not measured';
}

/** For how long there has been no score, from its values up to the day. */
export function absentSinceText(dates: readonly string[], values: readonly (number | null)[]): string {
  const last = values.findLastIndex((value) => value !== null);
  const days = values.length - 1 - last;
  const before = dates[last];
  return before === undefined
    ? `There is none in the last ${plural(values.length, 'day')}.`
    : `The last one is of ${shortDate(before)}, ${plural(days, 'day')} before.`;
}

export const words = {
  title: 'Scores',
  notLoaded: 'The scores could not be loaded.',
  factor: 'Factor',
  measured: 'Measured, against the usual',
  points: 'Points',
  neutral: 'Neutral',
  neutralNote: 'the score if every factor is neutral',
  addsUp: 'adds up',
  doesNotAddUp: 'does not add up: please report this',
  charge: 'Charged by the night',
  drain: 'Used by the day',
  missing: 'missing',
  adds: 'adds',
  takes: 'takes',
  usual: "the person's usual: one spread around the mean",
  when: 'When did it begin?',
  whenNote: 'Points of each factor, day by day',
  score: 'Score',
  dayBefore: 'Day before',
  dayAfter: 'Day after',
  copy: 'Copy the sum',
  none: (name: string, date: string) => `No ${name.toLowerCase()} score on ${shortDate(date)}`,
};

/** Recovery 20.9 on 14 Nov: neutral 50.0, HRV of the night −15.0 (41 ms, usual 49 – 68) … */
export function answerText(name: string, { date, value, neutral, factors, band }: ExplainedScore): string {
  const lines = factors.map((factor) => {
    const usual = factor.usual === null ? '' : `, ${usualText(factor.usual, factor.unit)}`;
    return `${factorName(factor.name)}: ${signed(factor.contribution)} (${inputText(factor)}${usual})`;
  });
  const head = `${name} ${number(value, 1)}${band === null ? '' : ` (${band})`} on ${date}`;
  return [head, `Neutral: ${number(neutral, 1)}`, ...lines, `Sum: ${number(value, 1)}`].join('\n');
}
