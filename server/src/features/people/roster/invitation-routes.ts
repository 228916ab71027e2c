// The routes of the invitation pages. GET changes nothing, because mail scanners open links too. Forms need no CSRF token:
// the secret token is in the path and no cookie is used.

import { type InvitationId, invitationStatusAt } from '../../../domain/roster.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import type { RawReply, RawRequest, RawRoute } from '../../../platform/http/raw-route.ts';
import { createPageContext, type PageContext, readLanguage } from '../../../platform/pages/page-context.ts';
import { readForm } from '../../../platform/pages/read-form.ts';
import type { Services } from '../../../platform/services.ts';
import type { ProviderAppServices } from '../../clouds/provider-apps/index.ts';
import { readBranding } from '../../tenancy/accounts/index.ts';
import { openUser, type UserHandle } from '../../tenancy/user-core/index.ts';
import {
  INVITATION_PATH,
  type RosterInvitation,
  readInvitation,
  readInvitationToken,
  readMember,
  rosterTenant,
  saveLanguage,
} from '../memberships/index.ts';
import { answerInvitation } from './accept-invitation.ts';
import { listConnectable, startConnection } from './connect-device.ts';
import {
  closedPage,
  connectPage,
  declinedPage,
  impossiblePage,
  invitationPage,
  providerUnavailablePage,
  undecidedPage,
  unknownPage,
} from './invitation-pages.ts';
import type { MailServices } from './mail-member.ts';

const FORM_BYTES = 4_096;
/** How long the invitation link can connect devices after it was accepted. */
const CONNECT_MS = 30 * MINUTE_MS;

const page = {
  params: { token: 'secret' },
  maxBodyBytes: FORM_BYTES,
  isRateLimited: true,
  showsHealthData: false,
  servesPages: true,
} as const;

export const invitationRoutes: readonly RawRoute[] = [
  { ...page, methods: ['GET'], path: `${INVITATION_PATH}/:token`, handle: withInvitation(showInvitation) },
  { ...page, methods: ['POST'], path: `${INVITATION_PATH}/:token`, handle: withInvitation(decide) },
  { ...page, methods: ['GET'], path: `${INVITATION_PATH}/:token/connect`, handle: withInvitation(showProviders) },
  { ...page, methods: ['POST'], path: `${INVITATION_PATH}/:token/connect`, handle: withInvitation(connect) },
];

type Opened = { readonly invitation: RosterInvitation; readonly context: PageContext };
/** Of every page behind an invitation. */
type InvitationServices = MailServices & ProviderAppServices & Pick<Services, 'userMutex'>;
type PageHandler = (services: InvitationServices, request: RawRequest, opened: Opened) => RawReply | Promise<RawReply>;

function withInvitation(handle: PageHandler): RawRoute['handle'] {
  return async (services, request) => {
    const id = readInvitationToken(services, request.params.token ?? '');
    const opened = id && (await openInvitation(services, request, id));
    return opened ? handle(services, request, opened) : unknownPage(createPageContext(readLanguage(request)));
  };
}

async function openInvitation(
  services: Pick<Services, 'db' | 'settings'>,
  request: RawRequest,
  id: InvitationId,
): Promise<Opened | null> {
  const invitation = await readInvitation(services.db, id);
  const brand = invitation && (await readBranding(services, invitation.accountId));
  return brand && { invitation, context: createPageContext(readLanguage(request), brand) };
}

async function showInvitation(
  services: Pick<Services, 'clock' | 'db'>,
  request: RawRequest,
  opened: Opened,
): Promise<RawReply> {
  const { invitation, context } = opened;
  const status = invitationStatusAt(invitation, services.clock.now());
  if (status === 'pending') return invitationPage(context, invitation);
  return closedPage(context, status, (await openNewMember(services, invitation)) && `${tokenOf(request)}/connect`);
}

async function decide(
  services: MailServices & Pick<Services, 'db'>,
  request: RawRequest,
  opened: Opened,
): Promise<RawReply> {
  const decision = readForm(request).get('decision');
  const { context } = opened;
  if (decision !== 'allow' && decision !== 'deny') return undecidedPage(context);
  const answered = await answerInvitation(services, opened.invitation.id, decision, request.requestId ?? null);
  if (answered?.outcome === 'accepted') await saveLanguage(services.db, opened.invitation.personId, context.language);
  switch (answered?.outcome) {
    case 'accepted':
      return redirect(`${tokenOf(request)}/connect`);
    case 'declined':
      return declinedPage(context);
    case 'impossible':
      return impossiblePage(context);
    case 'closed':
      return closedPage(context, answered.status, null);
    default:
      return unknownPage(context); // the invitation was erased in the meantime
  }
}

async function showProviders(
  services: Pick<Services, 'clock' | 'db' | 'secrets' | 'settings' | 'simulator'>,
  request: RawRequest,
  opened: Opened,
): Promise<RawReply> {
  const user = await openNewMember(services, opened.invitation);
  if (user === null) return refuseConnecting(services, request, opened);
  return connectPage(opened.context, await listConnectable(services, user));
}

async function connect(
  services: ProviderAppServices & Pick<Services, 'clock' | 'userMutex'>,
  request: RawRequest,
  opened: Opened,
): Promise<RawReply> {
  const user = await openNewMember(services, opened.invitation);
  if (user === null) return refuseConnecting(services, request, opened);
  const provider = readForm(request).get('provider');
  if (provider === null) return undecidedPage(opened.context);
  const location = await startConnection(services, user, provider);
  return location === null ? providerUnavailablePage(opened.context) : redirect(location);
}

/** A person who has not answered yet is sent to the invitation first. */
function refuseConnecting(
  { clock }: Pick<Services, 'clock'>,
  request: RawRequest,
  { invitation, context }: Opened,
): RawReply {
  const status = invitationStatusAt(invitation, clock.now());
  return status === 'pending' ? redirect(`../${tokenOf(request)}`) : closedPage(context, status, null);
}

/** Null: the invitation was accepted too long ago, or the person has left since. */
async function openNewMember(
  { db, clock }: Pick<Services, 'clock' | 'db'>,
  invitation: RosterInvitation,
): Promise<UserHandle | null> {
  const { accountId, memberId, decidedAt } = invitation;
  if (memberId === null || decidedAt === null) return null;
  if (clock.now().getTime() >= decidedAt.getTime() + CONNECT_MS) return null;
  const member = await readMember(db, accountId, memberId);
  return member && openUser(db, rosterTenant(accountId), member.userId);
}

function tokenOf({ params }: RawRequest): string {
  return params.token ?? '';
}

/** Locations within these pages are relative, because the service may be reached under several host names. */
function redirect(location: string): RawReply {
  return { status: 303, headers: { location, 'cache-control': 'no-store' } };
}
