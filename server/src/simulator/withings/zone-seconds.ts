// Seconds in each of Withings' four heart-rate zones: light, moderate, intense, peak.
import type { AccountView } from '../account-view.ts';

const BORDERS = [0.5, 0.7, 0.9]; // fractions of the maximum heart rate

export function zoneSeconds({ account }: AccountView, bpm: readonly number[], secondsEach: number) {
  const seconds = [0, 0, 0, 0];
  for (const value of bpm) {
    const zone = BORDERS.filter((part) => value >= part * account.person.maxBpm).length;
    seconds[zone] = (seconds[zone] ?? 0) + secondsEach;
  }
  const [hr_zone_0, hr_zone_1, hr_zone_2, hr_zone_3] = seconds;
  return { hr_zone_0, hr_zone_1, hr_zone_2, hr_zone_3 };
}
