import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import { keepPreviousOf } from '../../shared/query/keep-previous-of.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { userKey } from '../../shared/user/head.ts';

type Day = { readonly environment: Environment; readonly userId: string; readonly date: string };

const keyOf = ({ environment, userId, date }: Day) => [...userKey(environment, userId), 'days', date] as const;
const pathOf = ({ environment, userId, date }: Day) => `/${environment}/users/${userId}/days/${date}`;

export const ALWAYS_SHOWN = ['heart_rate', 'steps'];

export function riverQuery(day: Day, charts: readonly string[]) {
  const metrics = [...ALWAYS_SHOWN, ...charts].join(',');
  return queryOptions({
    queryKey: [...keyOf(day), 'river', metrics],
    queryFn: ({ signal }) => api.get<Replies['readRiver']>(`${pathOf(day)}/river`, { signal, query: { metrics } }),
    placeholderData: keepPreviousOf(...userKey(day.environment, day.userId)),
  });
}

export function weekQuery(day: Day) {
  return queryOptions({
    queryKey: [...keyOf(day), 'week'],
    queryFn: ({ signal }) => api.get<Replies['readWeek']>(`${pathOf(day)}/week`, { signal }),
    placeholderData: keepPreviousOf(...userKey(day.environment, day.userId)),
  });
}

export function valuesQuery(day: Day) {
  return queryOptions({
    queryKey: [...keyOf(day), 'values'],
    queryFn: ({ signal }) => api.get<Replies['explainDayValues']>(`${pathOf(day)}/values`, { signal }),
    placeholderData: keepPreviousOf(...userKey(day.environment, day.userId)),
  });
}

export function valueQuery(day: Day, metric: string) {
  return queryOptions({
    queryKey: [...keyOf(day), 'values', metric],
    queryFn: ({ signal }) => api.get<Replies['explainDayValue']>(`${pathOf(day)}/values/${metric}`, { signal }),
    placeholderData: keepPreviousOf(...userKey(day.environment, day.userId)),
  });
}
