// The links in mails. They are derived from ids, so that no link is stored and a mail can be sent again.
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

/** Null if this deployment did not create the token. */
export function readInvitationToken({ linkTokens }: LinkServices, token: string): InvitationId | null {
  return (linkTokens.decode(INVITATION_PREFIX, token)?.id ?? null) as InvitationId | null;
}

/** Links of earlier versions carry no time and count as expired; their page offers a new link. */
const FORMER_LINK: PortalLink = { version: 1, issuedAt: new Date(0) };

type PortalServices = Pick<Services, 'portalTokens' | 'settings'>;

/** Gives access to everything the person shares, so it is only ever sent to the person's own address. */
export function portalLink(
  { portalTokens, settings }: PortalServices,
  person: { readonly id: PersonId } & PortalLink,
): string {
  return `${settings.publicUrl()}${PORTAL_PATH}/${portalTokens.encode(PORTAL_PREFIX, person)}`;
}

/** Does not check whether the link is still valid: see `portalLinkStatusAt`. */
export function readPortalToken(
  { portalTokens, linkTokens }: PortalServices & LinkServices,
  token: string,
): ({ readonly personId: PersonId } & PortalLink) | null {
  const read = portalTokens.decode(PORTAL_PREFIX, token);
  if (read !== null) return { personId: read.id as PersonId, version: read.version, issuedAt: read.issuedAt };
  const former = linkTokens.decode(PORTAL_PREFIX, token);
  return former && { personId: former.id as PersonId, ...FORMER_LINK };
}
