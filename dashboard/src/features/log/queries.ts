import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { userKey } from '../../shared/user/head.ts';
import type { LogKind } from './log-kind.ts';

export type LogEntry = Replies['listUserLog']['data'][number];

type Filter = { readonly environment: Environment; readonly userId: string; readonly kind: LogKind | undefined };

const pathOf = ({ environment, userId }: Filter) => `/${environment}/users/${userId}/log`;
const CSV_ENTRIES = 200; // as many as the call returns at once

export function logQuery(filter: Filter) {
  const { environment, userId, kind } = filter;
  return infiniteQueryOptions({
    queryKey: [...userKey(environment, userId), 'log', kind ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      api.get<Replies['listUserLog']>(pathOf(filter), {
        signal,
        query: { kinds: kind, cursor: pageParam ?? undefined },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

export function readCsv(filter: Filter): Promise<string> {
  return api.csv(pathOf(filter), { query: { kinds: filter.kind, limit: CSV_ENTRIES } });
}
