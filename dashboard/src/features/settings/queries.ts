import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import { sessionQuery } from '../../shared/session/session.ts';

export type Account = Replies['readAccount'];
export type Team = Replies['listMembers'];
export type Member = Team['members'][number];
export type Invitation = Team['invitations'][number];
export type OwnSession = Replies['listSessions']['data'][number];
export type AuditEntry = Replies['listAudit']['data'][number];

export type AccountChange = {
  readonly name?: string;
  readonly display_name?: string | null;
  readonly logo?: string | null;
  readonly accent_color?: string | null;
  readonly privacy_url?: string | null;
  readonly support_url?: string | null;
  readonly default_form?: number;
  readonly redirect_schemes?: readonly string[];
  readonly keep_routes?: boolean;
};

type AuditFilter = {
  readonly action?: string;
  readonly actor?: string;
  readonly subject?: string;
  readonly from?: string;
};

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => api.get<Account>('/account', { signal }),
});

export const teamQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => api.get<Team>('/members', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.get<Replies['listSessions']>('/sessions', { signal }),
});

/** The page filters by day, the service by instant: a day begins at midnight of the reader. */
export function auditParameters({ from, ...filter }: AuditFilter): Record<string, string | undefined> {
  return { ...filter, ...(from && { from: new Date(`${from}T00:00`).toISOString() }) };
}

export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<Replies['listAudit']>('/audit', {
        signal,
        query: { ...auditParameters(filter), cursor: pageParam ?? undefined },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** A change, after which these queries are read again. */
export function useChange<Input, Result>(
  change: (input: Input) => Promise<Result>,
  ...keys: readonly (readonly unknown[])[]
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

export function useChangeAccount() {
  return useChange(
    (change: AccountChange) => api.patch<Account>('/account', change),
    accountQuery.queryKey,
    sessionQuery.queryKey,
  );
}
