// How much sleep a user needs: by age, or as set in the profile.
import type { Curve } from './curve.ts';

/** Less than `lowerMinutes` is below the guideline; `targetMinutes` is the goal. */
type SleepNeed = { readonly lowerMinutes: number; readonly targetMinutes: number };

type NeedByAge = SleepNeed & { readonly fromYears: number };
const TEEN: NeedByAge = { fromYears: 14, lowerMinutes: 480, targetMinutes: 540 };
const ADULT: NeedByAge = { fromYears: 18, lowerMinutes: 420, targetMinutes: 480 };

/** National Sleep Foundation, 2015: lower end and middle of the recommended range. */
export const SLEEP_NEEDS: readonly NeedByAge[] = [
  TEEN,
  ADULT,
  { fromYears: 65, lowerMinutes: 420, targetMinutes: 450 },
];

/** An hour below a need set in the profile is still acceptable, as in the guideline for adults. */
const LOWER_BY_MINUTES = 60;

export function findSleepNeed(ageYears: number | null, setMinutes: number | null): SleepNeed {
  if (setMinutes !== null) return { lowerMinutes: setMinutes - LOWER_BY_MINUTES, targetMinutes: setMinutes };
  const age = ageYears ?? ADULT.fromYears;
  const { lowerMinutes, targetMinutes } = SLEEP_NEEDS.findLast(({ fromYears }) => age >= fromYears) ?? TEEN;
  return { lowerMinutes, targetMinutes };
}

/** By minutes asleep. More sleep never lowers the score. */
export function durationCurve({ lowerMinutes, targetMinutes }: SleepNeed): Curve {
  return [
    [lowerMinutes - 180, -1],
    [lowerMinutes - 60, -0.5],
    [lowerMinutes, 0],
    [targetMinutes, 0.8],
    [targetMinutes + 30, 1],
  ];
}
