// New links to the privacy portal, requested by the person (who may only have an expired one) or by the operator.
// A new link is only sent to the person's own address, never to the requester.
import { LINK_MAILS_PER_DAY, linkMailWaitMs, normalizeAddress, type PersonId } from '../../../domain/roster.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { type Actor, auditDeployment } from '../../tenancy/accounts/index.ts';
import { findPerson, lockPerson, type RosterPerson, raiseLinkVersion, saveLinkRequests } from '../memberships/index.ts';
import { sendPortalLink } from './mail-member.ts';

type LinkRequest =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'too_many'; readonly waitMs: number }
  /** The person was erased. */
  | { readonly outcome: 'unknown' };

type NeededServices = Pick<Services, 'clock' | 'db' | 'jobs' | 'mailer' | 'portalTokens' | 'print' | 'settings'>;

export function requestPortalLink(services: NeededServices, id: PersonId): Promise<LinkRequest> {
  return services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const person = await lockPerson(tx, id);
    if (!person) return { outcome: 'unknown' };
    const waitMs = linkMailWaitMs(person.linkRequests, now);
    if (waitMs > 0) return { outcome: 'too_many', waitMs };
    await saveLinkRequests(tx, id, [now, ...person.linkRequests].slice(0, LINK_MAILS_PER_DAY));
    await sendPortalLink(services, tx, person);
    return { outcome: 'sent' };
  });
}

/** Not rate-limited: each call needs a valid link and invalidates it. */
export async function replacePortalLinks(
  services: NeededServices,
  person: RosterPerson,
  record: (tx: Transaction, act: { at: Date; action: string; subject: string }) => Promise<void>,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const changed = await raiseLinkVersion(tx, person);
    if (!changed) return; // the button was pressed twice
    await sendPortalLink(services, tx, changed);
    await record(tx, { at: services.clock.now(), action: 'portal_link.rotated', subject: '' });
  });
}

export type RotatedLink = { readonly email: string; readonly sentBy: 'mail' | 'stdout' };

export async function rotatePortalLink(services: NeededServices, email: string, by: Actor): Promise<RotatedLink> {
  const person = await findPerson(services.db, normalizeAddress(email));
  if (!person) throw new AppError('not_found', { message: 'No person with this address was invited.' });
  // Names nobody: several accounts can have invited the person, and the entry outlives the person.
  await replacePortalLinks(services, person, (tx, act) => auditDeployment(tx, { ...act, actor: by }));
  return { email: person.address, sentBy: services.mailer === null ? 'stdout' : 'mail' };
}
