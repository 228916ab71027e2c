// Links that people get by mail. They are derived, so that none is stored, and a mail can be written again.
import type { InvitationId, PersonId, PortalLink } from '../../../domain/roster.ts';
import type { Services } from '../../../platform/services.ts';

const INVITATION_PREFIX = 'inv_';
const PORTAL_PREFIX = 'my_';
const ONLY_VERSION = 1;

export const INVITATION_PATH = '/invitations';
export const PORTAL_PATH = '/my-data';

type LinkServices = Pick<Services, 'linkTokens' | 'settings'>;

export function invitationLink({ linkTokens, settings }: LinkServices, id: InvitationId): string {
  const token = linkTokens.encode(INVITATION_PREFIX, { id, version: ONLY_VERSION });
  return `${settings.publicUrl()}${INVITATION_PATH}/${token}`;
}

/** Null for anything that this deployment did not make. */
export function readInvitationToken({ linkTokens }: LinkServices, token: string): InvitationId | null {
  return (linkTokens.decode(INVITATION_PREFIX, token)?.id ?? null) as InvitationId | null;
}

/** Links of earlier versions carried no time: all of them have expired, and their page sends a new one. */
const FORMER_LINK: PortalLink = { version: 1, issuedAt: new Date(0) };

type PortalServices = Pick<Services, 'portalTokens' | 'settings'>;

/** Opens what this person shares with anybody: it goes to the address itself and is shown nowhere else. */
export function portalLink(
  { portalTokens, settings }: PortalServices,
  person: { readonly id: PersonId } & PortalLink,
): string {
  return `${settings.publicUrl()}${PORTAL_PATH}/${portalTokens.encode(PORTAL_PREFIX, person)}`;
}

/** Whether it still opens anything is `portalLinkStatusAt`'s to say. */
export function readPortalToken(
  { portalTokens, linkTokens }: PortalServices & LinkServices,
  token: string,
): ({ readonly personId: PersonId } & PortalLink) | null {
  const read = portalTokens.decode(PORTAL_PREFIX, token);
  if (read !== null) return { personId: read.id as PersonId, version: read.version, issuedAt: read.issuedAt };
  const former = linkTokens.decode(PORTAL_PREFIX, token);
  return former && { personId: former.id as PersonId, ...FORMER_LINK };
}
