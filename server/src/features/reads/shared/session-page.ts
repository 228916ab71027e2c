// Pages of session lists, newest first: by page number in Form 1, by cursor in Form 2, in the same order.

import type { EpochMs } from '../../../domain/records/records.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { AppError } from '../../../platform/errors.ts';
import { withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import type { SessionPage } from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type DateRange, type Form2Range, form2RangeQuery, resolveForm2Range } from './date-range.ts';
import { includeSourcesQuery, unitSystemQuery } from './query-parameters.ts';

/** Query parameters of session lists in Form 2. */
export const form2ListQuery = {
  ...form2RangeQuery,
  limit: withDefault(Type.Integer({ minimum: 1, maximum: 100 }), 50),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_000, description: 'next_cursor of the previous page, unchanged' }),
  ),
  ...includeSourcesQuery,
  ...unitSystemQuery, // accepted but ignored: in Form 2 only daily values use it (gap G-30)
};

/** `perPage` null: the whole range in one page. */
export type PageQuery =
  | { readonly by: 'page'; readonly range: DateRange; readonly page: number; readonly perPage: number | null }
  | {
      readonly by: 'cursor';
      readonly dates: Form2Range;
      readonly cursor: string | null;
      readonly limit: number;
    };

/** The page that a query in Form 2 requests. */
export function parseForm2Page(
  query: Form2Range & { readonly cursor?: string | undefined; readonly limit: number },
): PageQuery {
  const { from_date, to_date, cursor = null, limit } = query;
  return { by: 'cursor', dates: { from_date, to_date }, cursor, limit };
}

type PlannedPage = {
  readonly range: DateRange;
  /** A page by cursor reads one row more than it returns, to know whether there is a next page. */
  readonly rows: SessionPage;
  /** The rows of this page, and the cursor of the next one. */
  cut<Row extends { readonly id: string; readonly session: { readonly start: EpochMs } }>(
    rows: readonly Row[],
  ): { readonly pageRows: readonly Row[]; readonly nextCursor: string | null };
};

export function planPage(
  services: Pick<Services, 'cursors' | 'clock'>,
  user: UserHandle,
  list: 'sleep' | 'workouts',
  query: PageQuery,
): PlannedPage {
  if (query.by === 'page') {
    const { range, page, perPage } = query;
    const rows = { after: null, limit: perPage, offset: (page - 1) * (perPage ?? 0) };
    return { range, rows, cut: (read) => ({ pageRows: read, nextCursor: null }) };
  }
  const { limit, cursor, dates } = query;
  const scope = `${list}/${user.userId}`;
  const position = cursor === null ? null : openCursor(services.cursors.decode(scope, cursor), dates);
  const range = position?.range ?? resolveForm2Range(dates, user.timezone, services.clock.now());
  return {
    range,
    rows: { after: position, limit: limit + 1, offset: 0 },
    cut(read) {
      const pageRows = read.slice(0, limit);
      const last = pageRows.at(-1);
      const hasMore = read.length > limit && last !== undefined;
      const next = hasMore ? [range.from, range.to, last.session.start, last.id] : null;
      return { pageRows, nextCursor: next === null ? null : services.cursors.encode(scope, next) };
    },
  };
}

/** A cursor carries its range, so that paging up to "today" continues after midnight. Dates in the query must match the cursor's. */
function openCursor([from, to, start, id]: unknown[], dates: Form2Range) {
  if ((dates.from_date ?? from) !== from || (dates.to_date ?? to) !== to) throw new AppError('invalid_cursor');
  return { range: { from: from as LocalDate, to: to as LocalDate }, start: start as EpochMs, id: id as string };
}
