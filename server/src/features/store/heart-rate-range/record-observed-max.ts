// Records daily maximum heart rates and finds the days whose heart-rate zones they change. Only maxima above the age formula are
// stored, because others change nothing.
import { addDays, type DateRange, type LocalDate, rangeOf } from '../../../domain/time/calendar.ts';
import { ageYearsOn, estimateMaxBpm, LOWEST_ESTIMATE_BPM, OBSERVED_MAX_DAYS } from '../../../domain/workouts/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type Profile, readProfile, type UserHandle } from '../../tenancy/user-core/index.ts';
import { readObservedMax, saveObservedMax } from './store.ts';

/** The highest heart rate of a day; null: the day has none. */
type DailyMax = {
  readonly date: LocalDate;
  readonly before: number | null;
  readonly after: number | null;
};

/**
 * Returns the days that may have a different maximum than before; null: none. Compares with the stored maxima, not with `before`, because
 * they were stored with the birth date of that time.
 */
export async function recordObservedMax(
  tx: Transaction,
  user: UserHandle,
  maxima: readonly DailyMax[],
): Promise<DateRange | null> {
  const high = maxima.filter(({ before, after }) => Math.max(before ?? 0, after ?? 0) > LOWEST_ESTIMATE_BPM);
  const range = rangeOf(high.map(({ date }) => date));
  if (range === null) return null; // most uploads; saves two statements
  const stored = new Map((await readObservedMax(tx, user, range.from, range.to)).map(({ date, bpm }) => [date, bpm]));
  const profile = await readProfile(tx, user);
  const keep = keepBy(profile);
  const saved = high.map(({ date, after }) => ({ date, before: stored.get(date) ?? null, after: keep(date, after) }));
  const changed = saved.filter(({ before, after }) => toStored(before) !== toStored(after));
  await saveObservedMax(tx, user, new Map(changed.map(({ date, after }) => [date, after])));
  const affecting = changed.filter(({ date, before, after }) => after !== null || keep(date, before) !== null);
  const moved = rangeOf(affecting.map(({ date }) => date));
  if (moved === null || profile.max_heart_rate !== undefined) return null;
  return { from: moved.from, to: addDays(moved.to, OBSERVED_MAX_DAYS - 1) };
}

/** Null: not above the formula. At the end of the reach the user is older, so the formula gives less. */
function keepBy({ birth_date: birthDate }: Profile): (date: LocalDate, bpm: number | null) => number | null {
  const ageAt = (date: LocalDate) => (birthDate === undefined ? null : ageYearsOn(date, birthDate));
  return (date, bpm) => (bpm !== null && bpm > estimateMaxBpm(ageAt(addDays(date, OBSERVED_MAX_DAYS))) ? bpm : null);
}

/** The column has single precision. */
function toStored(bpm: number | null): number | null {
  return bpm === null ? null : Math.fround(bpm);
}
