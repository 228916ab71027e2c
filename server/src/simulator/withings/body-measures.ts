// Body composition from a scale: the whole body, and its segments.
import type { AccountView } from '../account-view.ts';
import type { Weighing } from '../home-measurements.ts';

export type Measure = {
  readonly value: number;
  readonly type: number;
  readonly unit: number;
  readonly algo: number;
  readonly fm: number;
  readonly position?: number;
};

const WHOLE_BODY = 7;
const LIMBS: readonly (readonly [position: number, share: number])[] = [
  [2, 0.06], // right arm
  [3, 0.06], // left arm
  [10, 0.17], // right leg
  [11, 0.17], // left leg
  [12, 0.54], // trunk
];

/** `unit` is the power of ten. */
export function measure(type: number, value: number, unit: number, position?: number): Measure {
  const whole = Math.round(value * 10 ** -unit);
  return { value: whole, type, unit, algo: 0, fm: 3, ...(position !== undefined && { position }) };
}

export function bodyMeasures({ account }: AccountView, { weightKg, fatPercent, pulseBpm }: Weighing): Measure[] {
  const { ageYears, basalKcal } = account.person;
  const fat = (weightKg * fatPercent) / 100;
  const lean = weightKg - fat;
  const muscle = 0.95 * lean;
  const water = 0.73 * lean;
  const ofBody = (type: number, value: number, unit: number) => measure(type, value, unit, WHOLE_BODY);
  return [
    measure(1, weightKg, -3),
    ofBody(5, lean, -2),
    measure(6, fatPercent, -3),
    ofBody(8, fat, -2),
    measure(11, pulseBpm, 0),
    ofBody(76, muscle, -2),
    ofBody(77, water, -2),
    ofBody(88, lean - muscle, -2),
    measure(91, 4.4 + 0.065 * ageYears, -3),
    ofBody(168, 0.4 * water, -2),
    ofBody(169, 0.6 * water, -2),
    ofBody(170, fatPercent / 5, -1),
    ...LIMBS.flatMap(([position, share]) => [
      measure(173, share * lean, -2, position),
      measure(174, share * fat, -2, position),
      measure(175, share * muscle, -2, position),
    ]),
    measure(226, basalKcal, 0),
    measure(227, Math.max(18, ageYears + Math.round((fatPercent - 24) / 3)), 0),
  ];
}
