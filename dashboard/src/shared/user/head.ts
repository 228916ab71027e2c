// The head of a user's pages: every tab needs the devices and the zone.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import type { Environment } from '../routing/parents.ts';
import { useEnvironment } from '../routing/use-environment.ts';

export type UserHead = Replies['readUserHead'];
export type UserDevice = UserHead['devices'][number];

/** Everything about one user begins with this key, so that one call refreshes all of it. */
export function userKey(environment: Environment, userId: string) {
  return [environment, 'users', userId] as const;
}

export function userHeadQuery(environment: Environment, userId: string) {
  return queryOptions({
    queryKey: [...userKey(environment, userId), 'head'],
    queryFn: ({ signal }) => api.get<UserHead>(`/${environment}/users/${userId}/head`, { signal }),
  });
}

/** Only below the frame of a user, which waits for the head. */
export function useUserHead(): UserHead {
  return useSuspenseQuery(userHeadQuery(useEnvironment(), useUserId())).data;
}

export function useUserId(): string {
  return useParams({ strict: false, select: ({ userId }: { userId?: string }) => userId ?? '' });
}
