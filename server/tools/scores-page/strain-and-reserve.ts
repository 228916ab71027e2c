// The sections on the two scores whose formulas differ from the others.
import { CHARGE_RULE, DRAIN_RULES, MAX_DRAIN } from '../../src/domain/scores/energy-reserve-score.ts';
import * as load from '../../src/domain/scores/strain-load.ts';
import { KNEE_LOAD, MAX_LOAD, strainOfLoad } from '../../src/domain/scores/strain-score.ts';
import { table } from '../generate-pages.ts';
import { factorTable } from './factor-table.ts';

const SAMPLE_LOADS = [10, 20, 50, 100, 150, 200, 300, 400, MAX_LOAD];

export function writeStrain(): string[] {
  const { male, female, middle } = load.MINUTE_WEIGHTS;
  const weights = load.ZONE_WEIGHTS.map(({ weight, intensity }) => `${weight} (${intensity})`);
  return [
    '## Strain',
    '',
    'Neutral value 0. Requires a workout, steps, or heart rate of the day. A single workout has a strain on the same scale.',
    '',
    'Load is the sum of minutes, each weighted by x · a · e^(b · x), where x is the fraction of the heart-rate reserve (from resting to maximum',
    'heart rate). Men: a ' +
      `${male.scale}, b ${male.growth}; women: ${female.scale}, ${female.growth}; others: ${middle.scale}, ${middle.growth}. For a workout, the first available of these is used:`,
    '',
    '1. its heart-rate samples, if they cover half of it;',
    `2. minutes in the source’s five zones, weighted ${weights.join(', ')};`,
    '3. average heart rate and duration;',
    `4. active energy: ${load.LOAD_PER_KCAL_PER_KG} · kcal / kg of body weight (counts as moderate);`,
    `5. duration: ${load.LOAD_PER_MINUTE} per minute (counts as moderate).`,
    '',
    `Intensity is high from x = ${load.HIGH_FROM}, moderate from ${load.MODERATE_FROM}, otherwise low. Outside of workouts and sleep, minutes from x = ${load.DAILY_FROM} on`,
    `count as \`daily_activity\`; without heart rate all day, ${1_000 * load.LOAD_PER_STEP} per 1,000 steps outside of workouts.`,
    '',
    `    strain = 100 · ln(1 + min(load, ${MAX_LOAD}) / ${KNEE_LOAD}) / ln(1 + ${MAX_LOAD} / ${KNEE_LOAD})`,
    '',
    ...table(
      ['Load', ...SAMPLE_LOADS.map(String)],
      [['Strain', ...SAMPLE_LOADS.map((sample) => strainOfLoad(sample).toFixed(1))]],
    ),
    '',
    'Each factor (`high_intensity`, `moderate_intensity`, `low_intensity`, `daily_activity`) has the same share of the strain as of the load.',
    'All four are always listed: a factor without load contributes 0.0. If neither steps nor heart rate of the day are known,',
    '`daily_activity` contributes 0.0 and the explanation also lists it as missing.',
    '',
  ];
}

export function writeReserve(): string[] {
  return [
    '## Energy reserve',
    '',
    `Neutral value ${CHARGE_RULE.neutral}. Requires ${CHARGE_RULE.needsOneOf.map((name) => `\`${name}\``).join(' or ')}. The night charges to a wake-up level, by the common [calculation](#calculation):`,
    '',
    ...factorTable(CHARGE_RULE),
    '',
    'The day drains a part of that level. Each drain grows linearly from nothing to its weight. Together they take at most',
    `${MAX_DRAIN * 100} percent, divided among the available drains by weight:`,
    '',
    ...table(
      ['Factor', 'Weight', 'Input', 'No drain at', 'Full drain at'],
      Object.entries(DRAIN_RULES).map(([name, { weight, input, from, to }]) => [
        `\`${name}\``,
        String(weight),
        input,
        String(from),
        String(to),
      ]),
    ),
    '',
    '    value = wake-up level · (1 − sum of drains)',
    '',
    'The value of a past day is the last value of that day.',
    '',
  ];
}
