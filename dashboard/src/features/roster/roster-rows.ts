// Invitations and members of the roster as one list. Pure.
import type { RosterInvitation, RosterMember } from './queries.ts';
import type { View } from './view.ts';

export type Row = {
  readonly key: string;
  readonly name: string | null;
  readonly email: string;
  readonly reference: string | null;
  readonly state: 'pending' | 'revoked' | 'expired' | 'active' | 'archived';
  /** When the person was invited or joined. */
  readonly at: string;
  /** Of an invitation that is pending or has expired. */
  readonly expiresAt: string | null;
  readonly userId: string | null;
  readonly source: { readonly kind: 'invitation' | 'member'; readonly id: string };
};

const STATES: Readonly<Record<Exclude<View, 'all'>, readonly Row['state'][]>> = {
  invited: ['pending'],
  sharing: ['active'],
  archived: ['archived'],
  ended: ['revoked', 'expired'],
};

/** Newest first. An accepted invitation is not listed: the member is. */
export function toRows(invitations: readonly RosterInvitation[], members: readonly RosterMember[]): Row[] {
  const invited = invitations.flatMap((invitation): Row[] =>
    invitation.status === 'accepted' ? [] : [rowOfInvitation(invitation, invitation.status)],
  );
  return [...invited, ...members.map(rowOfMember)].toSorted((one, other) => other.at.localeCompare(one.at));
}

export function filterRows(rows: readonly Row[], view: View): Row[] {
  return view === 'all' ? [...rows] : rows.filter(({ state }) => STATES[view].includes(state));
}

function rowOfInvitation(invitation: RosterInvitation, state: Exclude<RosterInvitation['status'], 'accepted'>): Row {
  const { id, name, email, external_ref, created_at, expires_at } = invitation;
  return {
    key: id,
    name,
    email,
    reference: external_ref,
    state,
    at: created_at,
    expiresAt: state === 'revoked' ? null : expires_at,
    userId: null,
    source: { kind: 'invitation', id },
  };
}

function rowOfMember({ id, name, email, external_ref, status, joined_at, user_id }: RosterMember): Row {
  return {
    key: id,
    name,
    email,
    reference: external_ref,
    state: status,
    at: joined_at,
    expiresAt: null,
    userId: user_id,
    source: { kind: 'member', id },
  };
}
