// Records daily maximum heart rates and finds the days whose heart-rate zones they change. Only maxima above the age formula are
// stored, because others change nothing.
import { addDays, type DateRange, type LocalDate } from '../../../domain/time/calendar.ts';
import { ageYearsOn, estimateMaxBpm, LOWEST_ESTIMATE_BPM, OBSERVED_MAX_DAYS } from '../../../domain/workouts/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type Profile, readProfile, type UserHandle } from '../../tenancy/user-core/index.ts';
import { readObservedMax, saveObservedMax } from './store.ts';

/** The highest heart rate of a day; null: the day has none. */
type DailyMaxChange = {
  readonly date: LocalDate;
  readonly before: number | null;
  readonly after: number | null;
};

/** Returns the days that may have a different maximum than before; null: none. */
export async function recordObservedMax(
  tx: Transaction,
  user: UserHandle,
  changes: readonly DailyMaxChange[],
): Promise<DateRange | null> {
  const isHigh = ({ before, after }: DailyMaxChange) => Math.max(before ?? 0, after ?? 0) > LOWEST_ESTIMATE_BPM;
  if (!changes.some(isHigh)) return null; // most uploads; saves reading the profile
  const profile = await readProfile(tx, user);
  const kept = keptBy(profile);
  const moved = changes.map(({ date, before, after }) => ({
    date,
    before: kept(date, before),
    after: kept(date, after),
  }));
  return saveMoved(tx, user, profile, moved);
}

/** The same for all maxima of these days after a change of the birth date, with which others are above the formula. */
export async function recordObservedMaxAgain(
  tx: Transaction,
  user: UserHandle,
  maxima: ReadonlyMap<LocalDate, number | null>,
): Promise<DateRange | null> {
  const dates = [...maxima.keys()].sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return null;
  const stored = new Map((await readObservedMax(tx, user, first, last)).map(({ date, bpm }) => [date, bpm]));
  const profile = await readProfile(tx, user);
  const kept = keptBy(profile);
  const moved = [...maxima].map(([date, bpm]) => ({ date, before: stored.get(date) ?? null, after: kept(date, bpm) }));
  return saveMoved(tx, user, profile, moved);
}

/** Null: not above the formula. At the end of the reach the user is older, so the formula gives less. */
function keptBy({ birth_date: birthDate }: Profile): (date: LocalDate, bpm: number | null) => number | null {
  const ageAt = (date: LocalDate) => (birthDate === undefined ? null : ageYearsOn(date, birthDate));
  return (date, bpm) => (bpm !== null && bpm > estimateMaxBpm(ageAt(addDays(date, OBSERVED_MAX_DAYS))) ? bpm : null);
}

async function saveMoved(
  tx: Transaction,
  user: UserHandle,
  { max_heart_rate: entered }: Profile,
  changes: readonly DailyMaxChange[],
): Promise<DateRange | null> {
  const moved = changes.filter(({ before, after }) => toStored(before) !== toStored(after));
  const dates = moved.map(({ date }) => date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return null;
  await saveObservedMax(tx, user, new Map(moved.map(({ date, after }) => [date, after])));
  return entered === undefined ? { from: first, to: addDays(last, OBSERVED_MAX_DAYS - 1) } : null;
}

/** The column has single precision. */
function toStored(bpm: number | null): number | null {
  return bpm === null ? null : Math.fround(bpm);
}
