import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import { keepPreviousOf } from '../../shared/query/keep-previous-of.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { filterParameters, type RequestFilter } from './request-filter.ts';

type Page = Replies['listRequests'];
export type Request = Page['data'][number];
export type RequestDetail = Replies['getRequest'];
export type Overview = Replies['getOverview'];

const OVERVIEW_MS = 30_000;

/** Pages that stay as they are until the reader asks for newer ones. */
export function requestsQuery(environment: Environment, filter: RequestFilter) {
  return infiniteQueryOptions({
    queryKey: [environment, 'requests', 'pages', filter],
    queryFn: ({ signal, pageParam }) =>
      api.get<Page>(`/${environment}/requests`, {
        query: { ...filterParameters(filter), cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }: Page) => next_cursor ?? undefined,
    placeholderData: keepPreviousOf(environment),
  });
}

/** For `useFollowedPages`. */
export function latestRequests(environment: Environment, filter: RequestFilter) {
  return {
    queryKey: [environment, 'requests', 'latest', filter],
    read: (signal: AbortSignal) =>
      api.get<Page>(`/${environment}/requests`, { query: filterParameters(filter), signal }),
  };
}

export function requestQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, 'requests', 'one', id],
    queryFn: ({ signal }) => api.get<RequestDetail>(`/${environment}/requests/${id}`, { signal }),
  });
}

/** Calls per period of the last day, and how long they take. */
export function overviewQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'overview', 'day'],
    queryFn: ({ signal }) => api.get<Overview>(`/${environment}/overview`, { query: { range: 'day' }, signal }),
    refetchInterval: OVERVIEW_MS,
  });
}
