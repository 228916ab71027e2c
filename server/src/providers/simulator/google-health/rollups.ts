// Days added up.
import type { AccountDay } from '../account-view.ts';
import { countEffort } from '../effort-minutes.ts';

type Sums = Readonly<Record<string, unknown>>;

/** A day without any of it is not there. */
export function sumSeries(
  day: AccountDay,
  metric: string,
  field: string,
  write: (value: number) => unknown,
): Sums | null {
  const points = day.series(metric);
  if (points.length === 0) return null;
  return { [field]: write(points.reduce((sum, { value }) => sum + value, 0)) };
}

export function rollUpEffort(day: AccountDay): Sums | null {
  const minutes = countEffort(day);
  const levels = (['light', 'moderate', 'vigorous'] as const).filter((level) => minutes[level] > 0);
  if (levels.length === 0) return null;
  return {
    activeMinutesRollupByActivityLevel: levels.map((level) => ({
      activityLevel: level.toUpperCase(),
      activeMinutesSum: String(minutes[level]),
    })),
  };
}

export function rollUpStillness(day: AccountDay): Sums | null {
  const { still } = countEffort(day);
  return still === 0 ? null : { durationSum: `${still * 60}s` };
}
