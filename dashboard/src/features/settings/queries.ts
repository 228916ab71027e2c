import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { type Role, sessionQuery } from '../../shared/session/session.ts';

export type Account = {
  readonly id: string;
  readonly name: string;
  readonly display_name: string | null;
  readonly logo_url: string | null;
  readonly accent_color: string | null;
  readonly privacy_url: string | null;
  readonly support_url: string | null;
  readonly default_form: number;
  readonly redirect_schemes: readonly string[];
  readonly keep_routes: boolean;
  readonly billing_status: string;
  readonly created_at: string;
  readonly closed_at: string | null;
  readonly usage: readonly {
    readonly environment: 'live' | 'sandbox';
    readonly user_count: number;
    readonly user_limit: number | null;
  }[];
};

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

export type Member = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly has_totp: boolean;
  readonly joined_at: string;
  readonly last_seen_at: string | null;
};

export type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** The link, if no mail could be sent; only in the answer to inviting. */
  readonly url?: string | null;
};

export type Team = { readonly members: readonly Member[]; readonly invitations: readonly Invitation[] };

export type OwnSession = {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly user_agent: string | null;
  readonly address: string | null;
  readonly is_current: boolean;
};

export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly environment: 'live' | 'sandbox' | null;
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly via: string;
  readonly request_id: string | null;
};

type AuditFilter = {
  readonly action?: string;
  readonly actor?: string;
  readonly subject?: string;
  readonly from?: string;
};

type AuditPage = { readonly data: readonly AuditEntry[]; readonly next_cursor: string | null };

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
  queryFn: ({ signal }) => api.get<{ readonly data: readonly OwnSession[] }>('/sessions', { signal }),
});

/** The page filters by day, the service by instant: a day begins at midnight of the reader. */
export function auditParameters({ from, ...filter }: AuditFilter): Record<string, string | undefined> {
  return { ...filter, ...(from && { from: new Date(`${from}T00:00`).toISOString() }) };
}

export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditPage>('/audit', { signal, query: { ...auditParameters(filter), cursor: pageParam ?? undefined } }),
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
