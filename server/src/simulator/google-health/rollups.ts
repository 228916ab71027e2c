// Daily rollups.
import type { AccountDay, AccountView } from '../account-view.ts';
import { countMinutes } from '../lived-minutes.ts';
import { type GoogleZone, googleZoneOf } from './heart-rate-zones.ts';

type Sums = Readonly<Record<string, unknown>>;

/** A day without data is omitted. */
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
  const minutes = countMinutes(day);
  const levels = (['light', 'moderate', 'vigorous'] as const).filter((level) => minutes[level] > 0);
  if (levels.length === 0) return null;
  return {
    activeMinutesRollupByActivityLevel: levels.map((level) => ({
      activityLevel: level.toUpperCase(),
      activeMinutesSum: String(minutes[level]),
    })),
  };
}

/** Total energy, resting and active. */
export function rollUpEnergy(day: AccountDay): Sums | null {
  const points = [...day.series('active_calories'), ...day.series('resting_energy')];
  if (points.length === 0) return null;
  return { kcalSum: Math.round(points.reduce((sum, { value }) => sum + value, 0) * 10) / 10 };
}

const ZONES: readonly GoogleZone[] = ['peak', 'vigorous', 'moderate', 'light'];

export function rollUpZones(day: AccountDay, { account }: AccountView): Sums | null {
  const beats = day.series('heart_rate');
  if (beats.length === 0) return null;
  const minutes = Map.groupBy(beats, ({ value }) => googleZoneOf(value, account.person));
  return {
    timeInHeartRateZones: ZONES.map((zone) => ({
      heartRateZone: zone.toUpperCase(),
      duration: `${(minutes.get(zone)?.length ?? 0) * 60}s`,
    })),
  };
}

export function rollUpStillness(day: AccountDay): Sums | null {
  const { sedentary } = countMinutes(day);
  return sedentary === 0 ? null : { durationSum: `${sedentary * 60}s` };
}
