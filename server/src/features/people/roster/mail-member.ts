// Mails a member or an invited person. Without a mail server the links are printed for the operator, who passes them on.
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import {
  invitationLink,
  portalLink,
  type RosterInvitation,
  type RosterMember,
  type RosterPerson,
  readPerson,
  readWrittenAddress,
} from '../memberships/index.ts';
import { sendRosterMailJob } from './jobs.ts';

type News =
  | { readonly news: 'invited'; readonly invitation: RosterInvitation }
  | { readonly news: 'joined' | 'left'; readonly member: RosterMember };

/** What mailing a link needs, or printing it where no mail server is configured. */
export type MailServices = Pick<
  Services,
  'clock' | 'jobs' | 'linkTokens' | 'mailer' | 'portalTokens' | 'print' | 'settings'
>;

/** Must be the last step of its transaction, because printed links cannot be rolled back. */
export async function mailMember(services: MailServices, tx: Transaction, reported: News): Promise<void> {
  const { news } = reported;
  if (services.mailer !== null) {
    const { id } = reported.news === 'invited' ? reported.invitation : reported.member;
    await services.jobs.enqueue(tx, sendRosterMailJob, { news, id });
    return;
  }
  const { email, personId } = reported.news === 'invited' ? reported.invitation : reported.member;
  if (reported.news === 'invited')
    services.print(
      `Invitation for ${email} (no mail server is configured): ${invitationLink(services, reported.invitation.id)}`,
    );
  const person = await readPerson(tx, personId);
  if (person) printPortalLink(services, person, email);
}

/** Sends a new portal link on request. */
export async function sendPortalLink(
  services: Pick<Services, 'clock' | 'jobs' | 'mailer' | 'portalTokens' | 'print' | 'settings'>,
  tx: Transaction,
  person: RosterPerson,
): Promise<void> {
  if (services.mailer === null) printPortalLink(services, person, await readWrittenAddress(tx, person));
  else await services.jobs.enqueue(tx, sendRosterMailJob, { news: 'portal_link', id: person.id });
}

function printPortalLink(
  services: Pick<Services, 'clock' | 'portalTokens' | 'print' | 'settings'>,
  { id, linkVersion }: RosterPerson,
  email: string,
): void {
  const link = portalLink(services, { id, version: linkVersion, issuedAt: services.clock.now() });
  services.print(`Privacy-portal link for ${email} (for this person only): ${link}`);
}
