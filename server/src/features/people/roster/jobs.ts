// Jobs of the roster: send mails, and remove old invitations and long-unshared users.

import {
  type InvitationId,
  invitationStatusAt,
  type MemberId,
  type PersonId,
  PORTAL_LINK_MS,
} from '../../../domain/roster.ts';
import { findLanguage } from '../../../domain/texts/index.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { oneOfWords } from '../../../platform/http/schema.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import type { Services } from '../../../platform/services.ts';
import { readBranding, readLogoImage } from '../../tenancy/accounts/index.ts';
import { listUnsharedBefore, lockOwnUser } from '../../tenancy/user-core/index.ts';
import {
  invitationLink,
  portalLink,
  type RosterInvitation,
  type RosterPerson,
  readInvitation,
  readMemberRecord,
  readPerson,
  readWrittenAddress,
  removeOldInvitations,
} from '../memberships/index.ts';
import { startErasure } from '../users/index.ts';
import {
  type Addressed,
  type PortalLinkFacts,
  writeInvitationMail,
  writeJoinedMail,
  writeLeftMail,
  writeLinkMail,
} from './mails.ts';

const KEPT_UNSHARED_MS = 365 * DAY_MS; // gap G-191
const KEPT_INVITATIONS_MS = 90 * DAY_MS; // the same as events
const BATCH_USERS = 100;

const NEWS = ['invited', 'joined', 'left', 'portal_link'] as const;
type News = (typeof NEWS)[number];

export const sendRosterMailJob = defineJob({
  name: 'send_roster_mail',
  payload: Type.Object({ news: oneOfWords(NEWS), id: Type.String() }),
  async run(services, { news, id }) {
    const mail = await writeNews(services, news, id);
    if (mail === null) return; // decided or erased in the meantime
    if (services.mailer === null)
      throw new Error('No mail server is configured in this process. Set TRIBUTARY_SMTP_URL here too.');
    if ((await services.mailer.send(mail)) === 'refused')
      services.log.warn({ news, id }, 'mail server permanently rejected a roster mail');
  },
});

function writeNews(
  services: Pick<Services, 'clock' | 'db' | 'linkTokens' | 'portalTokens' | 'settings'>,
  news: News,
  id: string,
): Promise<Mail | null> {
  switch (news) {
    case 'invited':
      return writeInvitation(services, id as InvitationId);
    case 'portal_link':
      return writePortalLink(services, id as PersonId);
    default:
      return writeMembership(services, news, id as MemberId);
  }
}

async function writeInvitation(
  services: Pick<Services, 'clock' | 'db' | 'linkTokens' | 'portalTokens' | 'settings'>,
  id: InvitationId,
): Promise<Mail | null> {
  const invitation = await readInvitation(services.db, id);
  if (!invitation || invitationStatusAt(invitation, services.clock.now()) !== 'pending') return null;
  const { name, email, message, expiresAt } = invitation;
  const addressed = await address(services, invitation);
  const facts = { message, expiresAt, link: invitationLink(services, id) };
  return { to: { name, address: email }, ...writeInvitationMail(addressed, facts) };
}

type NeededServices = Pick<Services, 'clock' | 'db' | 'portalTokens' | 'settings'>;

async function writeMembership(services: NeededServices, news: 'joined' | 'left', id: MemberId): Promise<Mail | null> {
  const member = await readMemberRecord(services.db, id);
  if (!member || (news === 'joined' && member.status === 'removed')) return null;
  const { name, email } = member;
  const write = news === 'joined' ? writeJoinedMail : writeLeftMail;
  return { to: { name, address: email }, ...write(await address(services, member)) };
}

async function writePortalLink(services: NeededServices, id: PersonId): Promise<Mail | null> {
  const person = await readPerson(services.db, id);
  if (!person) return null;
  const to = await readWrittenAddress(services.db, person);
  const mail = writeLinkMail({ ...ofPerson(services, person), brand: null, logo: null, name: null });
  return { to: { name: null, address: to }, ...mail };
}

async function address(
  services: NeededServices,
  { accountId, personId, name }: Pick<RosterInvitation, 'accountId' | 'personId' | 'name'>,
): Promise<Addressed> {
  const person = await readPerson(services.db, personId);
  const brand = await readBranding(services, accountId);
  if (!person || !brand) throw new Error('person or account of a roster entry not found');
  return { ...ofPerson(services, person), brand, logo: await readLogoImage(services, accountId), name };
}

/** Every mail carries a new link, so that its 30 days start with the mail. */
function ofPerson(services: NeededServices, person: RosterPerson): Pick<Addressed, 'language' | 'portal' | 'host'> {
  return {
    language: findLanguage(person.language) ?? 'en',
    portal: portalFacts(services, person),
    host: new URL(services.settings.publicUrl()).host,
  };
}

function portalFacts(
  services: Pick<Services, 'clock' | 'portalTokens' | 'settings'>,
  { id, linkVersion }: RosterPerson,
): PortalLinkFacts {
  const issuedAt = services.clock.now();
  return {
    link: portalLink(services, { id, version: linkVersion, issuedAt }),
    expiresAt: new Date(issuedAt.getTime() + PORTAL_LINK_MS),
  };
}

/** Written to the file of tombstones, so that a restore knows the last change. */
const SHARING_CHANGES = ['user_left', 'user_removed', 'user_returned'] as const;

export const recordSharingJob = defineJob({
  name: 'record_sharing',
  payload: Type.Object({ change: oneOfWords(SHARING_CHANGES), user_id: Type.String(), at: Type.String() }),
  run: ({ tombstones }, { change, user_id: userId, at }) => tombstones.add(change, userId, new Date(at)),
});

export const tidyRosterJob = defineJob({
  name: 'tidy_roster',
  payload: Type.Object({}),
  cron: '27 4 * * *',
  async run(services) {
    const nowMs = services.clock.now().getTime();
    await services.db.transaction((tx) => removeOldInvitations(tx, new Date(nowMs - KEPT_INVITATIONS_MS)));
    await eraseForgottenUsers(services, new Date(nowMs - KEPT_UNSHARED_MS));
  },
});

async function eraseForgottenUsers(
  services: Pick<Services, 'clock' | 'db' | 'jobs' | 'tombstones'>,
  before: Date,
): Promise<void> {
  let page: Awaited<ReturnType<typeof listUnsharedBefore>>;
  do {
    page = await listUnsharedBefore(services.db, before, BATCH_USERS);
    for (const { userId, tenant } of page)
      await services.db.transaction(async (tx) => {
        const own = await lockOwnUser(tx, tenant, userId);
        if (own?.status === 'unshared') await startErasure(services, tx, own); // otherwise shared again in the meantime
      });
  } while (page.length === BATCH_USERS);
}
