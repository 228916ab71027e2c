// docs/scores.md: what each score says and how it is worked out, with the tables that the code works with.
import * as baselines from '../src/domain/scores/baseline.ts';
import { ALGORITHM_VERSION, type Band, SCORE_BANDS, type ScoreType } from '../src/domain/scores/index.ts';
import * as nutrition from '../src/domain/scores/nutrition-score.ts';
import { RECOVERY_RULE } from '../src/domain/scores/recovery-score.ts';
import { type BudgetRule, MIN_COVERAGE } from '../src/domain/scores/signed-budget.ts';
import { durationCurve, SLEEP_NEEDS } from '../src/domain/scores/sleep-need.ts';
import { SLEEP_RULE } from '../src/domain/scores/sleep-score.ts';
import { STRESS_RULE } from '../src/domain/scores/stress-score.ts';
import { HIGH_STRESS_FROM, STILL_WINDOW } from '../src/domain/scores/stress-windows.ts';
import { NOTICE, table } from './generate-pages.ts';
import { describeCurve, factorTable, number } from './scores-page/factor-table.ts';
import { writeInputs, writeTimes } from './scores-page/inputs-and-times.ts';
import { SCORE_LIMITS, SCORE_REFERENCES } from './scores-page/references.ts';
import { writeReserve, writeStrain } from './scores-page/strain-and-reserve.ts';

const SUMMARIES: Readonly<Record<ScoreType, readonly [says: string, better: string]>> = {
  recovery_score: ['how far the body is back to its usual state after the night', 'higher'],
  strain_score: ['cardiovascular load of the day', 'neither'],
  sleep_score: ['how good the night was against need and guideline', 'higher'],
  stress_score: ['arousal while awake and still, against the usual', 'lower'],
  nutrition_score: ['how close the logged day comes to reference intakes', 'higher'],
  energy_reserve_score: ['charge of the night less the drain of the day', 'higher'],
};

export function writeScoresPage(): string {
  return [
    '# Scores',
    '',
    NOTICE,
    '',
    'Six numbers from 0 to 100 that sum up a day. They are a wellness summary for people from 14 years on and **not a',
    'medical device**: they diagnose nothing, and no treatment should depend on them.',
    '',
    ...table(
      ['Score', 'What it says', 'Better is', 'Bands'],
      Object.entries(SUMMARIES).map(([type, [says, better]]) => [
        `\`${type}\``,
        says,
        better,
        describeBands(SCORE_BANDS[type as ScoreType] ?? []),
      ]),
    ),
    '',
    `This page is about version ${ALGORITHM_VERSION} of the algorithms; each stored score carries its version.`,
    '',
    ...writeForm(),
    ...writeUsual(),
    ...writeSleep(),
    ...writeRecovery(),
    ...writeStrain(),
    ...writeStress(),
    ...writeNutrition(),
    ...writeReserve(),
    ...writeInputs(),
    ...writeTimes(),
    ...writeList('## Limits', SCORE_LIMITS),
    ...writeList('## References', SCORE_REFERENCES),
    'Numbers that no reference is named for are our own choice.',
    '',
  ].join('\n');
}

function writeForm(): string[] {
  return [
    '## How a score is made',
    '',
    'Every score has a *neutral*: what it says when nothing speaks for more or for less. Every factor moves it up or down',
    'from there, and the contributions add up: **value = neutral + sum of contributions**, exactly, in tenths.',
    '',
    'A curve turns the input of a factor into an effect between −1 and 1: straight between the points listed below, flat',
    'beyond the first and the last. With N the neutral, and `up` and `down` the weights of the factors that are there:',
    '',
    '    contribution = (100 − N) · up / sum of up · effect       effect above 0',
    '    contribution =        N · down / sum of down · effect    effect below 0',
    '',
    'So a score can reach 0 and 100 and never leaves them. Strain and energy reserve have forms of their own, see there.',
    '',
    '`direction` says what a factor does to the value: `positive` from +1.0 on, `negative` from −1.0 down, else `neutral`.',
    'It is no judgement: a calm day has `negative` factors in its stress.',
    '',
    '**What is missing** leaves its weight to the other factors; the neutral stays. Coverage is the mean of up and down',
    `weight that is there. Below ${MIN_COVERAGE} percent, or without what a score needs, there is no score: none, not 0.`,
    'A score may go either way when an input is added. With the same inputs there, a higher effect never lowers it.',
    '',
  ];
}

const BASELINES: readonly (readonly [string, baselines.BaselineRule])[] = [
  ['HRV of the night (one series per device and kind, RMSSD or SDNN)', baselines.NIGHT_HRV_RULE],
  ['resting heart rate, bpm', baselines.RESTING_HEART_RATE_RULE],
  ['breathing rate of the night, per minute', baselines.RESPIRATORY_RATE_RULE],
  ['temperature of the night, °C', baselines.NIGHT_TEMPERATURE_RULE],
  ['strain', baselines.STRAIN_RULE],
  ['heart rate while awake and still, bpm', baselines.WAKING_HEART_RATE_RULE],
  ['HRV while awake and still', baselines.WAKING_HRV_RULE],
];

function writeUsual(): string[] {
  return [
    '## What is usual for a person',
    '',
    'Where the body is compared, it is compared with itself: with the days before, never with the day that is scored. Recent',
    `days count more, outliers are pulled in, and while there are few days the spread leans on that of people in general. It`,
    `takes ${baselines.MIN_BASELINE_VALUES} values within ${baselines.RECENT_DAYS} days; before that, factors that need it are missing.`,
    'HRV is compared in proportion (natural logarithm). "In spreads" below: (value − mean) / spread.',
    '',
    ...table(
      ['Series', 'Days', 'A value counts half after', 'Spread of people in general'],
      BASELINES.map(([name, rule]) => [
        name,
        String(rule.windowDays),
        `${rule.halfLifeDays} days`,
        rule.scale === 'log' ? `${number(rule.priorSpread)} (logarithm)` : number(rule.priorSpread),
      ]),
    ),
    '',
    'Values further than three robust spreads from the median count as three. With σ₀ the spread of people in general and n',
    'the effective number of days: spread² = (7·σ₀² + n·s²) / (7 + n), and at least half of σ₀.',
    '',
  ];
}

function writeSleep(): string[] {
  return [
    ...writeBudget('## Sleep', SLEEP_RULE),
    'By age, or from a need that the person set (then one hour less is the lower edge):',
    '',
    ...table(
      ['From age', 'Lower edge', 'Target', 'Curve of duration, minutes'],
      SLEEP_NEEDS.map((need) => [
        String(need.fromYears),
        `${need.lowerMinutes / 60} h`,
        `${need.targetMinutes / 60} h`,
        describeCurve(durationCurve(need)),
      ]),
    ),
    '',
    'Long sleep costs nothing. Stages weigh little: experts do not agree on norms for them, and of all that wearables tell',
    'they are the least certain.',
    '',
  ];
}

function writeRecovery(): string[] {
  return [
    ...writeBudget('## Recovery', RECOVERY_RULE),
    'Load weighs little because what it did to the body already shows in heart rate and HRV. The ratio of acute to chronic',
    'load is left out: its statistics are disputed.',
    '',
    'A night without HRV keeps `hrv_trend`: the mean of the last nights against their baseline, of the latest device and kind of',
    'measurement with three of the last seven nights. `heart_rate_variability` is then listed as missing.',
    '',
  ];
}

function writeStress(): string[] {
  return [
    ...writeBudget('## Stress', STRESS_RULE),
    `Within the day, each ${STILL_WINDOW.minutes} minutes awake with fewer than ${STILL_WINDOW.belowSteps} steps, outside of workouts and the`,
    `${STILL_WINDOW.afterWorkoutMinutes} minutes after them, give one sample: 0.55 of the effect of heart rate less 0.45 of that of HRV (by the curve in`,
    `spreads; heart rate alone where there is no HRV), laid around ${STRESS_RULE.neutral} as above. High stress is a sample from ${HIGH_STRESS_FROM.computed} on, or`,
    `from ${HIGH_STRESS_FROM.device} on where a device gives its own samples.`,
    '',
  ];
}

function writeNutrition(): string[] {
  const { MACRO_RANGES, WATER_TARGETS_ML, PROTEIN_SHARE_CURVE, MIN_EATEN_KCAL, MIN_PART_OF_BASAL } = nutrition;
  const ranges = Object.entries(MACRO_RANGES).map(([name, { min, max }]) => `${name} ${min}–${max}`);
  return [
    ...writeBudget('## Nutrition', nutrition.NUTRITION_RULE),
    `- Without a weight, protein in percent of energy: ${describeCurve(PROTEIN_SHARE_CURVE)}.`,
    `- Ranges in percent of energy: ${ranges.join(', ')}.`,
    `- Target for drinks: women ${WATER_TARGETS_ML.female} mL, men ${WATER_TARGETS_ML.male} mL, else ${WATER_TARGETS_ML.middle} mL.`,
    `- A log of less than ${MIN_EATEN_KCAL} kcal, or of less than ${MIN_PART_OF_BASAL * 100} percent of the basal rate, is not of a whole day: no score.`,
    '- Sources carry all sugar, not added sugar, so its limits are wider than those of guidelines for added sugar.',
    '',
  ];
}

function writeBudget<Name extends string>(heading: string, rule: BudgetRule<Name>): string[] {
  const needs =
    rule.needsOneOf.length === Object.keys(rule.factors).length ? 'energy eaten' : rule.needsOneOf.join(' or ');
  return [heading, '', `Neutral ${rule.neutral}. Needs ${needs}.`, '', ...factorTable(rule), ''];
}

function writeList(heading: string, lines: readonly string[]): string[] {
  return [heading, '', ...lines.map((line) => `- ${line}`), ''];
}

function describeBands(bands: readonly Band[]): string {
  return bands.map(({ from, name }) => `${name} from ${from}`).join(', ') || '–';
}
