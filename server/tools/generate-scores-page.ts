// Generates docs/scores.md: what each score means and how it is computed, with the tables that the code uses.
import * as baselines from '../src/domain/scores/baseline.ts';
import { ALGORITHM_VERSION, SCORE_BANDS, type ScoreBand, type ScoreType } from '../src/domain/scores/index.ts';
import * as nutrition from '../src/domain/scores/nutrition-score.ts';
import { RECOVERY_RULE } from '../src/domain/scores/recovery-score.ts';
import { type BudgetRule, MIN_COVERAGE_PERCENT } from '../src/domain/scores/signed-budget.ts';
import { durationCurve, SLEEP_NEEDS } from '../src/domain/scores/sleep-need.ts';
import { SLEEP_RULE } from '../src/domain/scores/sleep-score.ts';
import { STRESS_RULE } from '../src/domain/scores/stress-score.ts';
import { HIGH_STRESS_FROM, STILL_WINDOW } from '../src/domain/scores/stress-windows.ts';
import { GENERATED_HEADER, table } from './generate-pages.ts';
import { describeCurve, factorTable, number } from './scores-page/factor-table.ts';
import { writeInputs, writeTimes } from './scores-page/inputs-and-times.ts';
import { SCORE_LIMITS, SCORE_REFERENCES } from './scores-page/references.ts';
import { writeReserve, writeStrain } from './scores-page/strain-and-reserve.ts';

const SUMMARIES: Readonly<Record<ScoreType, readonly [meaning: string, better: string]>> = {
  recovery_score: ['how close the body is to its usual state after the night', 'higher'],
  strain_score: ['cardiovascular load of the day', 'neither'],
  sleep_score: ['quality of the night compared with need and guideline', 'higher'],
  stress_score: ['arousal while awake and still, compared with the usual level', 'lower'],
  nutrition_score: ['how close the logged day is to reference intakes', 'higher'],
  energy_reserve_score: ['charge of the night minus the drain of the day', 'higher'],
};

const READS = [
  '## Read scores',
  '',
  ...table(
    ['Call', 'Returns'],
    [
      [
        '`GET /v1/users/{id}/scores`',
        'Form 1: the newest score of each type with its factors. Form 2: a range of days',
      ],
      ['`GET /v1/users/{id}/scores/history`', 'one row per day and score, up to 90 days'],
      [
        '`GET /v1/users/{id}/scores/explain?type=&date=`',
        'the input of each factor, its baseline and effect, what was missing, or why there is no score (API keys only)',
      ],
    ],
  ),
  '',
  'Form 2 returns all scores but `nutrition_score` unless you name them in `types`. A day without a score is null or omitted, never 0.',
  '',
];

export function writeScoresPage(): string {
  return [
    '# Scores',
    '',
    GENERATED_HEADER,
    '',
    'Scores are six numbers from 0 to 100 that summarize a day. They are a wellness summary for people of 14 years and older, and **not',
    'a medical device**: they do not diagnose, and no treatment should depend on them. This page explains how to read a score, and how to',
    'compute it by hand.',
    '',
    ...table(
      ['Score', 'Meaning', 'Better is', 'Bands'],
      Object.entries(SUMMARIES).map(([type, [meaning, better]]) => [
        `\`${type}\``,
        meaning,
        better,
        describeBands(SCORE_BANDS[type as ScoreType] ?? []),
      ]),
    ),
    '',
    `This page describes version ${ALGORITHM_VERSION} of the algorithms; each stored score has the version that computed it.`,
    '',
    ...READS,
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
    'Numbers without a reference are our choice.',
    '',
  ].join('\n');
}

function writeForm(): string[] {
  return [
    '## Calculation',
    '',
    'Every score has a *neutral* value, which it has when no factor raises or lowers it. Every factor moves the score up or down from',
    'there, and the contributions add up exactly, in tenths: **value = neutral + sum of contributions**.',
    '',
    'A curve maps the input of a factor to an effect between −1 and 1. It is linear between the points listed below, and constant before',
    'the first and after the last. With N the neutral value, and `up` and `down` the weights of the available factors:',
    '',
    '    contribution = (100 − N) · up / sum of up · effect       effect above 0',
    '    contribution =        N · down / sum of down · effect    effect below 0',
    '',
    'So a score can reach 0 and 100 and never goes beyond. Strain and energy reserve have different formulas, see their sections.',
    '',
    '`direction` is the effect of a factor on the value: `positive` from +1.0 on, `negative` from −1.0 down, otherwise `neutral`.',
    'It is not a judgement: a calm day has `negative` factors in its stress score.',
    '',
    '**Missing factors** leave their weight to the other factors; the neutral value stays. *Coverage* is the mean of the available up weight',
    `and the available down weight. Below ${MIN_COVERAGE_PERCENT} percent, or without a required input, there is no score (not a score of 0).`,
    'An added input may raise or lower a score. With the same set of inputs, a higher effect never lowers it.',
    '',
  ];
}

const BASELINES: readonly (readonly [string, baselines.BaselineRule])[] = [
  ['HRV of the night (one series per device and kind: RMSSD or SDNN)', baselines.NIGHT_HRV_RULE],
  ['resting heart rate, bpm', baselines.RESTING_HEART_RATE_RULE],
  ['breathing rate of the night, per minute', baselines.RESPIRATORY_RATE_RULE],
  ['temperature of the night, °C', baselines.NIGHT_TEMPERATURE_RULE],
  ['strain', baselines.STRAIN_RULE],
  ['heart rate while awake and still, bpm', baselines.WAKING_HEART_RATE_RULE],
  ['HRV while awake and still', baselines.WAKING_HRV_RULE],
];

function writeUsual(): string[] {
  return [
    '## Personal baselines',
    '',
    'A person is compared with their own earlier days, never with the day that is scored. Recent days count more, and outliers are limited.',
    'While there are few days, the spread is close to that of the general population. A baseline needs',
    `${baselines.MIN_BASELINE_VALUES} values within ${baselines.RECENT_DAYS} days; before that, factors that need it are missing.`,
    'HRV is compared in proportion (natural logarithm). "In spreads" below means (value − mean) / spread.',
    '',
    ...table(
      ['Series', 'Days', 'Half-life of a value', 'Spread in the population'],
      BASELINES.map(([name, rule]) => [
        name,
        String(rule.windowDays),
        `${rule.halfLifeDays} days`,
        rule.scale === 'log' ? `${number(rule.priorSpread)} (logarithm)` : number(rule.priorSpread),
      ]),
    ),
    '',
    'Values that are more than three robust spreads from the median count as three. With σ₀ the spread in the population, s the spread of the',
    'person and n the effective number of days: spread² = (7·σ₀² + n·s²) / (7 + n), and at least half of σ₀.',
    '',
  ];
}

function writeSleep(): string[] {
  return [
    ...writeBudget('## Sleep', SLEEP_RULE),
    'The target depends on age, or on a sleep need that the person set (the lower limit then is one hour less):',
    '',
    ...table(
      ['From age', 'Lower limit', 'Target', 'Curve of duration, minutes'],
      SLEEP_NEEDS.map((need) => [
        String(need.fromYears),
        `${need.lowerMinutes / 60} h`,
        `${need.targetMinutes / 60} h`,
        describeCurve(durationCurve(need)),
      ]),
    ),
    '',
    'Long sleep does not lower the score. Stages have little weight: experts do not agree on norms for them, and they are the least certain',
    'of all values that wearables report.',
    '',
  ];
}

function writeRecovery(): string[] {
  return [
    ...writeBudget('## Recovery', RECOVERY_RULE),
    'Load has little weight because its effect on the body already appears in heart rate and HRV. The ratio of acute to chronic load is not',
    'used: its statistics are disputed.',
    '',
    'A night without HRV still has `hrv_trend`: the mean of the last nights compared with their baseline, from the latest device and kind of',
    'measurement that has three of the last seven nights. `heart_rate_variability` is then listed as missing.',
    '',
  ];
}

function writeStress(): string[] {
  return [
    ...writeBudget('## Stress', STRESS_RULE),
    `Within the day, every ${STILL_WINDOW.minutes} minutes awake with fewer than ${STILL_WINDOW.belowSteps} steps, outside of workouts and the`,
    `${STILL_WINDOW.afterWorkoutMinutes} minutes after them, give one sample: 0.55 times the effect of heart rate minus 0.45 times that of HRV (by the`,
    `curve in spreads; heart rate alone without HRV), applied around ${STRESS_RULE.neutral} as above. A sample is high stress from ${HIGH_STRESS_FROM.computed} on, or from`,
    `${HIGH_STRESS_FROM.device} on where a device reports its own samples.`,
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
    `- Target for drinks: women ${WATER_TARGETS_ML.female} mL, men ${WATER_TARGETS_ML.male} mL, others ${WATER_TARGETS_ML.middle} mL.`,
    `- A log of less than ${MIN_EATEN_KCAL} kcal, or of less than ${MIN_PART_OF_BASAL * 100} percent of the basal rate, is not a complete day and has no score.`,
    '- Sources report total sugar, not added sugar, so the limits are wider than those of guidelines for added sugar.',
    '',
  ];
}

function writeBudget<Name extends string>(heading: string, rule: BudgetRule<Name>): string[] {
  const needs =
    rule.needsOneOf.length === Object.keys(rule.factors).length
      ? 'energy eaten'
      : rule.needsOneOf.map((name) => `\`${name}\``).join(' or ');
  return [heading, '', `Neutral value ${rule.neutral}. Requires ${needs}.`, '', ...factorTable(rule), ''];
}

function writeList(heading: string, lines: readonly string[]): string[] {
  return [heading, '', ...lines.map((line) => `- ${line}`), ''];
}

function describeBands(bands: readonly ScoreBand[]): string {
  return bands.map(({ from, name }) => `${name} from ${from}`).join(', ') || '–';
}
