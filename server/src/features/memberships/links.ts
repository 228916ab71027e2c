// Links that people get by mail. They are derived, so that none is stored, and a mail can be written again.
import type { InvitationId, PersonId, PortalLink } from '../../domain/roster.ts';
import type { Services } from '../../platform/services.ts';

const INVITATION_PREFIX = 'inv_';
const OWN_PAGE_PREFIX = 'my_';
const ONLY_TURN = 1;

export const INVITATION_PATH = '/invitations';
export const OWN_PAGE_PATH = '/my-data';

type LinkServices = Pick<Services, 'linkTokens' | 'settings'>;

export function invitationLink({ linkTokens, settings }: LinkServices, id: InvitationId): string {
  const token = linkTokens.encode(INVITATION_PREFIX, { id, turn: ONLY_TURN });
  return `${settings.publicUrl()}${INVITATION_PATH}/${token}`;
}

/** Null for anything that this deployment did not make. */
export function readInvitationToken({ linkTokens }: LinkServices, token: string): InvitationId | null {
  return (linkTokens.decode(INVITATION_PREFIX, token)?.id ?? null) as InvitationId | null;
}

type PortalServices = Pick<Services, 'portalTokens' | 'settings'>;

/** Opens what this person shares with anybody: it goes to the address itself and is shown nowhere else. */
export function portalLink(
  { portalTokens, settings }: PortalServices,
  person: { readonly id: PersonId } & PortalLink,
): string {
  return `${settings.publicUrl()}${OWN_PAGE_PATH}/${portalTokens.encode(OWN_PAGE_PREFIX, person)}`;
}

/** Whether it still opens anything is `portalLinkStatusAt`'s to say. */
export function readPortalToken(
  { portalTokens }: PortalServices,
  token: string,
): ({ readonly personId: PersonId } & PortalLink) | null {
  const read = portalTokens.decode(OWN_PAGE_PREFIX, token);
  return read && { personId: read.id as PersonId, version: read.version, issuedAt: read.issuedAt };
}
