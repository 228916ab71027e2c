// What a user has stored, for the event of a person who shares again.
import { METRICS, type MetricId, metricNumberOf } from '../../../domain/metrics/index.ts';
import { dateOf, listOpenedMetrics, MAX_DAYS, readValues } from '../../../domain/packed/month-sheets/index.ts';
import type { DateRange, LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type DailyMonths, listStoredMonths, readDailyMonths } from '../../store/daily-store/index.ts';
import { listSessionDates } from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

type StoredData = {
  /** With a daily value. */
  readonly metrics: readonly MetricId[];
  /** The first and the last one with a daily value, a sleep or a workout. */
  readonly days: DateRange;
};

/** Null: nothing. */
export async function findStoredData(tx: Transaction, user: UserHandle): Promise<StoredData | null> {
  const known = await listStoredMonths(tx, user);
  const [first, last] = [known[0], known.at(-1)];
  const months: DailyMonths =
    first === undefined || last === undefined ? new Map() : await readDailyMonths(tx, user, first, last);
  const { sleep, workouts } = await listSessionDates(tx, user);
  const dates = [...listBounds(months), ...sleep, ...workouts].sort();
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return null;
  const numbers = new Set([...months.values()].flatMap(listOpenedMetrics));
  return {
    metrics: METRICS.filter(({ id }) => numbers.has(metricNumberOf(id))).map(({ id }) => id),
    days: { from, to },
  };
}

/** The days with a value in the first and the last month. */
function listBounds(months: DailyMonths): LocalDate[] {
  const numbers = [...months.keys()].sort((one, other) => one - other);
  const values = new Float64Array(MAX_DAYS);
  return [...new Set([numbers[0], numbers.at(-1)])].flatMap((month) => {
    const sheet = month === undefined ? undefined : months.get(month);
    if (month === undefined || sheet === undefined) return [];
    return listOpenedMetrics(sheet).flatMap((metric) => {
      readValues(sheet, metric, values);
      return [...values].flatMap((value, day) => (Number.isNaN(value) ? [] : [dateOf(month, day + 1)]));
    });
  });
}
