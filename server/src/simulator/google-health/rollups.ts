// Daily rollups.
import type { AccountDay, AccountView } from '../account-view.ts';
import { countEffort } from '../effort-minutes.ts';

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

/** Total energy, resting and active. */
export function rollUpEnergy(day: AccountDay): Sums | null {
  const points = [...day.series('active_calories'), ...day.series('resting_energy')];
  if (points.length === 0) return null;
  return { kcalSum: Math.round(points.reduce((sum, { value }) => sum + value, 0) * 10) / 10 };
}

/** The lower limit of each zone, as a fraction of the heart-rate reserve. */
const ZONES = [
  ['PEAK', 0.85],
  ['VIGOROUS', 0.6],
  ['MODERATE', 0.4],
  ['LIGHT', 0],
] as const;

export function rollUpZones(day: AccountDay, { account }: AccountView): Sums | null {
  const { restingBpm } = day.lived.condition;
  const highestBpm = 208 - 0.7 * account.person.ageYears;
  const minutes = new Map<string, number>(ZONES.map(([zone]) => [zone, 0]));
  const beats = day.series('heart_rate');
  for (const { value } of beats) {
    const share = (value - restingBpm) / (highestBpm - restingBpm);
    const zone = ZONES.find(([, from]) => share >= from)?.[0];
    if (zone !== undefined) minutes.set(zone, (minutes.get(zone) ?? 0) + 1);
  }
  if (beats.length === 0) return null;
  return {
    timeInHeartRateZones: [...minutes].map(([heartRateZone, count]) => ({ heartRateZone, duration: `${count * 60}s` })),
  };
}

export function rollUpStillness(day: AccountDay): Sums | null {
  const { still } = countEffort(day);
  return still === 0 ? null : { durationSum: `${still * 60}s` };
}
