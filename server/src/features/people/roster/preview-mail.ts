// The mail of an invitation before it is sent, with links that lead nowhere.
import { INVITATION_MS, PORTAL_LINK_MS } from '../../../domain/roster.ts';
import { notFound } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { readBranding } from '../../tenancy/accounts/index.ts';
import { INVITATION_PATH, PORTAL_PATH } from '../memberships/index.ts';
import { writeInvitationMail } from './mails.ts';
import { rosterOf } from './roster-caller.ts';

export type MailPreview = {
  readonly fromName: string;
  readonly accentColor: string | null;
  readonly subject: string;
  readonly text: string;
  readonly isMailOn: boolean;
};

export async function previewInvitation(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'mailer' | 'settings'>; caller: AccountCaller },
  { name, message }: { readonly name: string | null; readonly message: string | null },
): Promise<MailPreview> {
  const brand = await readBranding(services, rosterOf(caller));
  if (brand === null) throw notFound('Account', {});
  const nowMs = services.clock.now().getTime();
  const publicUrl = services.settings.publicUrl();
  const portal = { link: `${publicUrl}${PORTAL_PATH}/…`, expiresAt: new Date(nowMs + PORTAL_LINK_MS) };
  const addressed = { language: 'en', brand, logo: null, name, portal, host: new URL(publicUrl).host } as const;
  const link = `${publicUrl}${INVITATION_PATH}/…`;
  const facts = { message, expiresAt: new Date(nowMs + INVITATION_MS), link };
  const { subject, text } = writeInvitationMail(addressed, facts);
  const { displayName: fromName, accentColor } = brand;
  return { fromName, accentColor, subject, text, isMailOn: services.mailer !== null };
}
