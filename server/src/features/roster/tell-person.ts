// Tells a person by mail. Without a mail server the operator is told, who has to pass it on.
import type { Transaction } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { type Invitation, invitationLink, type Member, ownPageLink } from '../memberships/index.ts';
import { sendRosterMailJob } from './jobs.ts';

export type News =
  | { readonly news: 'invited'; readonly invitation: Invitation }
  | { readonly news: 'joined' | 'left'; readonly member: Member };

/** The last step of its transaction: what is said cannot be taken back. */
export async function tellPerson(services: Services, tx: Transaction, told: News): Promise<void> {
  const { news } = told;
  if (services.mailer !== null) {
    const { id } = told.news === 'invited' ? told.invitation : told.member;
    await services.jobs.enqueue(tx, sendRosterMailJob, { news, id });
    return;
  }
  const { email, personId } = told.news === 'invited' ? told.invitation : told.member;
  if (told.news === 'invited')
    services.say(`Invitation for ${email} (no mail server is set): ${invitationLink(services, told.invitation.id)}`);
  services.say(`The own page of ${email} (for this person only): ${ownPageLink(services, personId)}`);
}
