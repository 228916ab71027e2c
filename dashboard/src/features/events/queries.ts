import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import type { LatestEvent } from '../../shared/event/describe-event.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import type { EventsSearch } from './search.ts';

type EventPage = Replies['listLatestEvents'];
export type EventFilter = Omit<EventsSearch, 'event'>;

const PAGE_SIZE = 100;
const CSV_ROWS = 500;
const RATE_MS = 30_000; // a bar is a minute

export function eventsQuery(environment: Environment, filter: EventFilter) {
  return queryOptions({
    queryKey: [environment, 'events', 'list', filter],
    queryFn: ({ signal }) => readPage(environment, filter, undefined, signal),
  });
}

export function readPage(environment: Environment, filter: EventFilter, before?: number, signal?: AbortSignal) {
  return api.get<EventPage>(`/${environment}/events`, {
    query: { ...parametersOf(filter), before, limit: PAGE_SIZE },
    ...(signal && { signal }),
  });
}

export function readCsv(environment: Environment, filter: EventFilter): Promise<string> {
  return api.csv(`/${environment}/events`, { query: { ...parametersOf(filter), limit: CSV_ROWS } });
}

function parametersOf({ type, user, q }: EventFilter) {
  return { types: type, user_id: user, q };
}

export function eventQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, 'events', id],
    queryFn: ({ signal }) => api.get<{ readonly data: LatestEvent }>(`/${environment}/events/${id}`, { signal }),
  });
}

/** Events per minute of the last hour, and how many of each type. */
export function rateQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'overview', 'hour'],
    queryFn: ({ signal }) =>
      api.get<Replies['getOverview']>(`/${environment}/overview`, { query: { range: 'hour' }, signal }),
    refetchInterval: RATE_MS,
  });
}
