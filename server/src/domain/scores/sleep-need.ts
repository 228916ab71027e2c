// How much sleep a person needs: by age, or as they set it.
import type { Curve } from './curve.ts';

/** Less than `lowerMinutes` is short of the guideline; `targetMinutes` is what to aim at. */
export type SleepNeed = { readonly lowerMinutes: number; readonly targetMinutes: number };

type NeedByAge = SleepNeed & { readonly fromYears: number };
const TEEN: NeedByAge = { fromYears: 14, lowerMinutes: 480, targetMinutes: 540 };
const ADULT: NeedByAge = { fromYears: 18, lowerMinutes: 420, targetMinutes: 480 };

/** National Sleep Foundation, 2015: lower edge and middle of the recommended range. */
export const SLEEP_NEEDS: readonly NeedByAge[] = [
  TEEN,
  ADULT,
  { fromYears: 65, lowerMinutes: 420, targetMinutes: 450 },
];

/** An hour less than a need that was set is still within reach of it, as it is in the guideline for adults. */
const LOWER_BY_MINUTES = 60;

export function findSleepNeed(ageYears: number | null, setMinutes: number | null): SleepNeed {
  if (setMinutes !== null) return { lowerMinutes: setMinutes - LOWER_BY_MINUTES, targetMinutes: setMinutes };
  const age = ageYears ?? ADULT.fromYears;
  const { lowerMinutes, targetMinutes } = SLEEP_NEEDS.findLast(({ fromYears }) => age >= fromYears) ?? TEEN;
  return { lowerMinutes, targetMinutes };
}

/** Minutes asleep. Long sleep costs nothing: more sleep never lowers the score. */
export function durationCurve({ lowerMinutes, targetMinutes }: SleepNeed): Curve {
  return [
    [lowerMinutes - 180, -1],
    [lowerMinutes - 60, -0.5],
    [lowerMinutes, 0],
    [targetMinutes, 0.8],
    [targetMinutes + 30, 1],
  ];
}
