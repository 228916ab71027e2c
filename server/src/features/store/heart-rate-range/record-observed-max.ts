// Records changed daily maximum heart rates and finds the days whose heart-rate zones they change.
import { addDays, type DateRange, type LocalDate } from '../../../domain/time/calendar.ts';
import { ageYearsOn, estimateMaxBpm, MIN_OBSERVED_MAX_BPM, OBSERVED_MAX_DAYS } from '../../../domain/workouts/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { readProfile, type UserHandle } from '../../tenancy/user-core/index.ts';
import { saveObservedMax } from './store.ts';

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
  const high = changes.filter((change) => highest(change) > MIN_OBSERVED_MAX_BPM);
  if (high.length === 0) return null;
  await saveObservedMax(tx, user, new Map(high.map(({ date, after }) => [date, after])));
  const { birth_date: birthDate, max_heart_rate: entered } = await readProfile(tx, user);
  if (entered !== undefined) return null;
  // At the end of the reach the user is older, so the formula gives a lower maximum.
  const age = (date: LocalDate) =>
    birthDate === undefined ? null : ageYearsOn(addDays(date, OBSERVED_MAX_DAYS), birthDate);
  const dates = high.filter((change) => highest(change) > estimateMaxBpm(age(change.date))).map(({ date }) => date);
  const [first, last] = [dates.toSorted()[0], dates.toSorted().at(-1)];
  return first === undefined || last === undefined ? null : { from: first, to: addDays(last, OBSERVED_MAX_DAYS - 1) };
}

function highest({ before, after }: DailyMaxChange): number {
  return Math.max(before ?? 0, after ?? 0);
}
