// A collection of Oura documents: all are requested, paged and found by id in the same way.
// https://cloud.ouraring.com/v2/docs
import { addDays } from '../../../domain/time/calendar.ts';
import type { FetchWindow, MapContext, Resource } from '../../contract.ts';
import { collectRecords, type RecordCollector } from '../../provider-records.ts';
import { asObject, readText, readValues } from '../../read-json.ts';

type Collection = {
  readonly name: string;
  readonly scope: string;
  /** If it differs from the name. */
  readonly path?: string;
  /** Documents are found by their day: a night may lie on the day before or after the requested window. */
  readonly isPadded?: boolean;
  collect(documents: readonly unknown[], into: RecordCollector, context: MapContext): void;
};

const WINDOW_DAYS = 30;
/** Scores arrive hours later, and a ring that was away from the phone for days sends everything at once. */
const SETTLED_AFTER_DAYS = 3;

export function collection({ name, scope, path = name, isPadded = false, collect }: Collection): Resource {
  const url = `/v2/usercollection/${path}`;
  return {
    name,
    scope,
    windowDays: WINDOW_DAYS,
    settledAfterDays: SETTLED_AFTER_DAYS,
    request: (window, cursor) => ({
      origin: 'api',
      method: 'GET',
      path: url,
      query: { ...dates(window, isPadded), ...nextPage(cursor) },
      as: 'person',
    }),
    requestOne: (id) => ({ origin: 'api', method: 'GET', path: `${url}/${encodeURIComponent(id)}`, as: 'person' }),
    nextCursor: readNextToken,
    isEmpty: ({ status }) => status === 404,
    map(body, context) {
      const into = collectRecords();
      collect(readDocuments(body), into, context);
      return into.records();
    },
  };
}

export function readNextToken(body: unknown): string | null {
  return readText(asObject(body), 'next_token');
}

export function nextPage(cursor: string | null): Readonly<Record<string, string>> {
  return cursor === null ? {} : { next_token: cursor };
}

/** One page, or the document requested by its id. */
function readDocuments(body: unknown): readonly unknown[] {
  const page = asObject(body);
  return 'data' in page ? readValues(page, 'data') : [page];
}

/** Some collections exclude the day of `end_date`. */
function dates({ fromDate, toDate }: FetchWindow, isPadded: boolean): Readonly<Record<string, string>> {
  return { start_date: isPadded ? addDays(fromDate, -1) : fromDate, end_date: addDays(toDate, 1) };
}
