// Who is signed in, and what the person may do.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, showAccount } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';

export type Session = Replies['readSession'];
export type Role = Session['role'];

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, developer: 1, owner: 2 };

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await api.get<Session>('/session', { signal });
    showAccount(session.account.id);
    return session;
  },
  staleTime: 60_000,
});

/** Undefined until the session has been read. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** Whether the person has at least this role; false until the session has been read. */
export function useHasRole(role: Role): boolean {
  const session = useSession();
  return session !== undefined && hasRole(session.role, role);
}

function hasRole(actual: Role, wanted: Role): boolean {
  return RANKS[actual] >= RANKS[wanted];
}
