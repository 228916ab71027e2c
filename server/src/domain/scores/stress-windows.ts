// Stress within the day: still quarter hours while awake, each compared with the baseline of such quarter hours.
import { type Baseline, standardize, WAKING_HEART_RATE_RULE, WAKING_HRV_RULE } from './baseline.ts';
import { readCurve, USUAL_CURVE } from './curve.ts';
import { toBillionths } from './exact-tenths.ts';
import { STRESS_RULE } from './stress-score.ts';

/** Medians of a quarter hour. */
type WakingWindow = { readonly heartRateBpm: number; readonly rmssdMs: number | null };

export type UsualWaking = { readonly heartRate: Baseline; readonly hrv: Baseline | null };

type WakingMeans = { readonly heartRateBpm: number; readonly rmssdMs: number | null };

/** Conditions under which a quarter hour measures stress and not exertion. Steps are fewer than `belowSteps`. */
export const STILL_WINDOW = { minutes: 15, belowSteps: 100, afterWorkoutMinutes: 30 } as const;

const HEART_RATE_PART = 0.55;
const HRV_PART = 0.45;
const MIN_WINDOWS = 8;
/** Devices start medium stress at 51; computed samples are slightly higher. */
export const HIGH_STRESS_FROM = { computed: 60, device: 51 } as const;

/** One sample of the `stress_score` series, a whole number from 0 to 100. */
export function stressOfWindow({ heartRateBpm, rmssdMs }: WakingWindow, usual: UsualWaking): number {
  const heart = readCurve(USUAL_CURVE, standardize(WAKING_HEART_RATE_RULE, heartRateBpm, usual.heartRate));
  const effect =
    rmssdMs === null || usual.hrv === null
      ? heart
      : HEART_RATE_PART * heart - HRV_PART * readCurve(USUAL_CURVE, standardize(WAKING_HRV_RULE, rmssdMs, usual.hrv));
  const { neutral } = STRESS_RULE;
  return Math.round(toBillionths(neutral + (effect > 0 ? 100 - neutral : neutral) * effect) / 1e9);
}

/** Percent of the samples that are high. Null with too few samples. */
export function shareOfHighStress(samples: readonly number[], from: keyof typeof HIGH_STRESS_FROM): number | null {
  if (samples.length < MIN_WINDOWS) return null;
  return (100 * samples.filter((sample) => sample >= HIGH_STRESS_FROM[from]).length) / samples.length;
}

/** The daily values behind the waking baselines: mean heart rate, geometric mean of the variability. */
export function averageWindows(windows: readonly WakingWindow[]): WakingMeans | null {
  if (windows.length === 0) return null;
  const logs = windows.flatMap(({ rmssdMs }) => (rmssdMs === null ? [] : [Math.log(rmssdMs)]));
  return {
    heartRateBpm: mean(windows.map(({ heartRateBpm }) => heartRateBpm)),
    rmssdMs: logs.length === 0 ? null : Math.exp(mean(logs)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
