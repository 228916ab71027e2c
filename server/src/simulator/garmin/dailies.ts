// Daily summaries from midnight to midnight; today's grows.
import { roundTo } from '../../domain/round-to.ts';
import { momentAt } from '../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { listStressLevels, MOVING, STRESS_SECONDS } from './stress.ts';
import { byOffset, makeSummary, type Summary, sumOf, timesOf, versionOfDay } from './summary.ts';
import { countMoves } from './wheelchair.ts';
import { isModerate, isVigorous, listWornMinutes, type WornMinute } from './worn-minutes.ts';

const BEAT_MS = 15_000;
const BEATS_A_MINUTE = 4;

export function listDailies(view: AccountView, day: AccountDay): Summary[] {
  const { fromMs } = day.lived;
  if (day.untilMs <= fromMs) return [];
  return [makeSummary(view, 'daily', fromMs, () => describeDay(view, day), versionOfDay(day))];
}

function describeDay(view: AccountView, day: AccountDay) {
  const { fromMs } = day.lived;
  const minutes = listWornMinutes(day);
  const total = (metric: string) => sumOf(day.series(metric), ({ value }) => value);
  const seconds = (isCounted: (minute: WornMinute) => boolean) => minutes.filter(isCounted).length * 60;
  return {
    calendarDate: day.date,
    activityType: 'GENERIC',
    ...timesOf(view, fromMs, day.untilMs),
    ...countMoves(view, total('steps'), roundTo(total('distance') * 1_000, 2)),
    activeTimeInSeconds: seconds(({ kcal }) => kcal > 0),
    activeKilocalories: Math.round(total('active_calories')),
    bmrKilocalories: Math.round(total('resting_energy')),
    consumedCalories: Math.round(sumEaten(view, day)),
    moderateIntensityDurationInSeconds: seconds(isModerate),
    vigorousIntensityDurationInSeconds: seconds(isVigorous),
    floorsClimbed: total('floors_climbed'),
    ...describeHeart(day, minutes),
    ...describeStress(view, day),
    stepsGoal: view.account.person.stepsGoal,
    intensityDurationGoalInSeconds: 9_000,
    floorsClimbedGoal: 10,
  };
}

function sumEaten({ account }: AccountView, { lived, date, untilMs }: AccountDay): number {
  const eaten = lived.food.meals.filter(({ at }) => momentAt(account.zone, date, at) < untilMs);
  return sumOf(eaten, ({ nutrients }) => nutrients.dietary_energy);
}

function describeHeart(day: AccountDay, minutes: readonly WornMinute[]) {
  if (minutes.length === 0) return {};
  const beats = minutes.map(({ bpm }) => bpm);
  const samples = minutes.flatMap(({ ms, bpm }) =>
    Array.from({ length: BEATS_A_MINUTE }, (_, index) => ({ ms: ms + index * BEAT_MS, value: bpm })),
  );
  const [resting] = day.series('resting_heart_rate');
  return {
    minHeartRateInBeatsPerMinute: Math.min(...beats),
    averageHeartRateInBeatsPerMinute: Math.round(sumOf(beats, (bpm) => bpm) / beats.length),
    maxHeartRateInBeatsPerMinute: Math.max(...beats),
    ...(resting !== undefined && { restingHeartRateInBeatsPerMinute: resting.value }),
    timeOffsetHeartRateSamples: byOffset(day.lived.fromMs, samples),
  };
}

function describeStress(view: AccountView, day: AccountDay) {
  const levels = listStressLevels(view, day).map(({ value }) => value);
  const measured = levels.filter((level) => level > 0);
  const between = (from: number, to: number) =>
    levels.filter((level) => level >= from && level <= to).length * STRESS_SECONDS;
  const rest = between(1, 25);
  return {
    averageStressLevel: measured.length === 0 ? -1 : Math.round(sumOf(measured, (level) => level) / measured.length),
    maxStressLevel: Math.max(-1, ...measured),
    stressDurationInSeconds: between(26, 100),
    restStressDurationInSeconds: rest,
    activityStressDurationInSeconds: between(MOVING, MOVING),
    lowStressDurationInSeconds: between(26, 50),
    mediumStressDurationInSeconds: between(51, 75),
    highStressDurationInSeconds: between(76, 100),
    stressQualifier: between(51, 100) > rest ? 'stressful' : 'balanced',
    bodyBatteryChargedValue: Math.round(rest / 450),
    bodyBatteryDrainedValue: Math.round(between(26, 100) / 900),
  };
}
