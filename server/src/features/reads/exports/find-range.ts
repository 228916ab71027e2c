// The dates with data of a user, within the requested range.
import { dateOf, type MonthNumber } from '../../../domain/packed/month-sheets/index.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { listStoredMonths } from '../../store/daily-store/index.ts';
import { listSampleIntervals } from '../../store/samples/index.ts';
import { listSessionDates } from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { DateRange } from '../shared/index.ts';

type RequestedRange = { readonly from: LocalDate | null; readonly to: LocalDate | null };

/** Null: nothing is stored for the requested dates. */
export async function findRange(db: Queryable, user: UserHandle, requested: RequestedRange): Promise<DateRange | null> {
  const dates = await listBounds(db, user);
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return null;
  const from = requested.from !== null && requested.from > first ? requested.from : first;
  const to = requested.to !== null && requested.to < last ? requested.to : last;
  return from > to ? null : { from, to };
}

/** Dates, ascending; all data is between the first and the last. */
async function listBounds(db: Queryable, user: UserHandle): Promise<LocalDate[]> {
  const [months, sessions, intervals] = await Promise.all([
    listStoredMonths(db, user),
    listSessionDates(db, user),
    listSampleIntervals(db, user),
  ]);
  const zone = createZone(user.timezone);
  return [
    ...months.flatMap((month) => [dateOf(month, 1), addDays(dateOf((month + 1) as MonthNumber, 1), -1)]),
    ...sessions.sleep,
    ...sessions.workouts,
    ...intervals.flatMap(({ fromMs, toMs }) => [zone.dayAt(fromMs).date, zone.dayAt(toMs).date]),
  ].sort();
}
