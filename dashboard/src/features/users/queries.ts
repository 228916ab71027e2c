import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import { keepPreviousOf } from '../../shared/query/keep-previous-of.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import type { UsersSearch } from './search.ts';

export type Directory = Replies['listDirectory'];
export type DirectoryUser = Directory['users'][number];

export function directoryQuery(environment: Environment, { q, filter }: UsersSearch) {
  return infiniteQueryOptions({
    queryKey: [environment, 'users', 'directory', { q, filter }],
    queryFn: ({ signal, pageParam }) =>
      api.get<Directory>(`/${environment}/users`, { query: { q, filter, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }: Directory) => next_cursor ?? undefined,
    placeholderData: keepPreviousOf(environment),
  });
}
