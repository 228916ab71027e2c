// Every request is a POST with an action. https://developer.withings.com/api-reference
import type { FetchInterval, FetchWindow, ProviderRequest } from '../../contract.ts';
import { readFailure, readNextOffset } from '../answer.ts';

type Form = Readonly<Record<string, string>>;

export function requestAction(path: string, action: string, form: Form): ProviderRequest {
  return { origin: 'api', method: 'POST', path, form: { action, ...form }, as: 'person' };
}

export const byDates = ({ fromDate, toDate }: FetchWindow): Form => ({
  startdateymd: fromDate,
  enddateymd: toDate,
});

export const bySeconds = ({ from, to }: FetchInterval): Form => ({
  startdate: String(Math.floor(from / 1_000)),
  enddate: String(Math.ceil(to / 1_000)),
});

export const atOffset = (cursor: string | null): Form => (cursor === null ? {} : { offset: cursor });

/** No data is an empty list, never a status. */
export const answered = { nextCursor: readNextOffset, isEmpty: () => false, readFailure };
