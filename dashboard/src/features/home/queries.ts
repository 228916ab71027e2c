import { queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import type { LatestEvent } from '../../shared/event/describe-event.ts';
import { keepPreviousOf } from '../../shared/query/keep-previous-of.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import type { Range } from './range.ts';

export type Overview = Replies['getOverview'];
export type AttentionItem = Overview['attention'][number];
export type Flow = Overview['flow'];
export type FirstSteps = Replies['getFirstSteps'];
export type RequestEntry = Replies['listRequests']['data'][number];
export type Directory = Replies['listDirectory'];

const REFRESH_MS = 5_000; // the service computes it as often
const LISTED_EVENTS = 7;
const LISTED_CALLS = 5;
const LISTED_PEOPLE = 6;

export function overviewQuery(environment: Environment, range: Range) {
  return queryOptions({
    queryKey: [environment, 'overview', range],
    queryFn: ({ signal }) => api.get<Overview>(`/${environment}/overview`, { query: { range }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousOf(environment),
  });
}

export function firstStepsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'first-steps'],
    queryFn: ({ signal }) => api.get<FirstSteps>(`/${environment}/first-steps`, { signal }),
  });
}

export function newsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'events', 'news'],
    queryFn: ({ signal }) =>
      api.get<{ readonly data: readonly LatestEvent[] }>(`/${environment}/events`, {
        query: { limit: LISTED_EVENTS },
        signal,
      }),
  });
}

export function callsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'requests', 'calls'],
    queryFn: ({ signal }) =>
      api.get<{ readonly data: readonly RequestEntry[] }>(`/${environment}/requests`, {
        query: { limit: LISTED_CALLS },
        signal,
      }),
  });
}

export function peopleQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'users', 'people'],
    queryFn: ({ signal }) => api.get<Directory>(`/${environment}/users`, { query: { limit: LISTED_PEOPLE }, signal }),
  });
}

/** The answer has the key itself, once. */
export function useCreateKey() {
  const environment = useEnvironment();
  return useMutation({
    mutationFn: () => api.post<{ readonly key: string }>(`/${environment}/keys`, {}),
  });
}
