import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { userKey } from '../../shared/user/head.ts';

export type FileImport = Replies['beginFileImport'];

const FAST_MS = 1_000; // while an import is under way

export function importQuery(environment: Environment, userId: string) {
  return queryOptions({
    queryKey: [...userKey(environment, userId), 'upload'],
    queryFn: ({ signal }) => api.get<Replies['readFileImport']>(pathOf(environment, userId), { signal }),
    refetchInterval: ({ state }) =>
      isUnderWay(state.data?.current ?? null) || state.data?.is_busy_elsewhere ? FAST_MS : false,
  });
}

export function isUnderWay(current: FileImport | null): boolean {
  return current?.status === 'uploading' || current?.status === 'running';
}

export function pathOf(environment: Environment, userId: string): string {
  return `/${environment}/users/${userId}/imports`;
}
