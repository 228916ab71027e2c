import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';

export type RosterInvitation = Replies['listInvitations']['data'][number];
/** A member of the roster, as the API lists them. */
export type RosterMember = {
  readonly id: string;
  readonly user_id: string;
  readonly name: string | null;
  readonly email: string;
  readonly external_ref: string;
  readonly status: 'active' | 'archived';
  readonly joined_at: string;
};
type MemberPage = { readonly data: readonly RosterMember[]; readonly next_cursor: string | null };

const ROSTER = '/live/v1/team/roster';

export const invitationsQuery = infiniteQueryOptions({
  queryKey: ['live', 'roster', 'invitations'],
  queryFn: ({ pageParam, signal }) =>
    api.get<Replies['listInvitations']>('/live/roster/invitations', { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
});

export function membersQuery(status: RosterMember['status']) {
  return infiniteQueryOptions({
    queryKey: ['live', 'roster', 'members', status],
    queryFn: ({ pageParam, signal }) => api.get<MemberPage>(ROSTER, { query: { status, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

export type NewInvitation = {
  readonly email: string;
  readonly name?: string;
  readonly external_ref?: string;
  readonly message?: string;
};

export function previewQuery(words: Pick<NewInvitation, 'name' | 'message'>) {
  return queryOptions({
    queryKey: ['live', 'roster', 'preview', words],
    queryFn: ({ signal }) =>
      api.post<Replies['previewInvitation']>('/live/roster/invitations/preview', words, { signal }),
    placeholderData: (previous) => previous,
  });
}

export function useInvite() {
  return useRosterChange((invitation: NewInvitation) =>
    api.post<RosterInvitation>(`${ROSTER}/invitations`, invitation),
  );
}

export function useRevoke() {
  return useRosterChange((id: string) => api.delete(`${ROSTER}/invitations/${id}`));
}

export function useSetStatus() {
  return useRosterChange(({ id, status }: { id: string; status: RosterMember['status'] }) =>
    api.patch(`${ROSTER}/${id}`, { status }),
  );
}

export function useRemoveMember() {
  return useRosterChange((id: string) => api.delete(`${ROSTER}/${id}`));
}

function useRosterChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['live', 'roster'] }),
  });
}
