// Links to set a new password: requested by anybody with an email address, sent to a member by an owner, printed by the operator.

import type { AccountId } from '../../../domain/tenancy.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { openPayload, sealedFields, sealPayload } from '../../../platform/jobs/sealed-payload.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import { type Actor, insertAudit, lockAccount, nameOfActor } from '../accounts/index.ts';
import { countForgotten } from './attempt-limits.ts';
import { auditMember } from './audit-member.ts';
import { countResetLinks } from './link-store.ts';
import { enforceResetLimit } from './mail-limits.ts';
import { createLink, type NewLink } from './member-links.ts';
import { listAccountsOf, type Member, readCredentials, readMembership, removeTotp } from './member-store.ts';
import { queueMail } from './send-mail-job.ts';
import { normalizeEmail } from './verify-credentials.ts';

type LinkServices = Pick<Services, 'clock' | 'db' | 'jobs' | 'mailer' | 'secrets' | 'settings'>;

const PURPOSE = 'password reset';
const MAX_RESETS_PER_HOUR = 3; // enough for a mail that was lost; nobody's mailbox can be flooded

/** A job does the rest, so that the reply takes the same time for an unknown address. */
export async function requestReset(
  services: Pick<Services, 'clock' | 'db' | 'jobs' | 'secrets'>,
  given: { readonly email: string; readonly address: string | undefined },
): Promise<void> {
  await countForgotten(services, given.address);
  const payload = sealPayload(services, PURPOSE, normalizeEmail(given.email));
  await services.db.transaction((tx) => services.jobs.enqueue(tx, resetPasswordJob, payload));
}

export const resetPasswordJob = defineJob({
  name: 'reset_member_password',
  payload: Type.Object(sealedFields),
  isRemovedWhenGivenUp: true,
  async run(services, payload) {
    const email = openPayload(services, PURPOSE, payload);
    const member = await readCredentials(services.db, { email });
    if (member === null) return;
    const since = new Date(services.clock.now().getTime() - HOUR_MS);
    if ((await countResetLinks(services.db, member.id, since)) >= MAX_RESETS_PER_HOUR) return;
    const link = await services.db.transaction((tx) => sendReset(services, tx, member, member.name));
    if (link !== null) services.print(`Password reset for ${email} (no mail server is configured): ${link.url}`);
  },
});

/** By an owner. Without a mail server the link is returned, unless it would open accounts of others. */
export async function resetMember(
  services: LinkServices,
  accountId: AccountId,
  memberId: string,
  by: Actor,
): Promise<NewLink | null> {
  const membership = await readMembership(services.db, accountId, memberId);
  const member = membership && (await readCredentials(services.db, { id: membership.memberId }));
  if (!member) throw notFound('Member', { member_id: memberId });
  const accounts = await listAccountsOf(services.db, member.id);
  if (services.mailer === null && (accounts.length > 1 || member.isOperator)) throw new AppError('reset_by_operator');
  return services.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await enforceResetLimit(services, tx, member.id);
    const entry = { at: services.clock.now(), actor: by, action: 'member.reset_sent', subject: member.id };
    await insertAudit(tx, { accountId, environment: null, ...entry, details: { email: member.email } });
    return sendReset(services, tx, member, nameOfActor(by));
  });
}

/** By the operator, who passes the link on. `withoutTotp` also removes a lost authenticator app. */
export async function createResetLink(
  services: LinkServices,
  email: string,
  { withoutTotp }: { readonly withoutTotp: boolean },
  by: Actor,
): Promise<NewLink> {
  const member = await readCredentials(services.db, { email: normalizeEmail(email) });
  if (member === null) throw notFound('Member', { email });
  return services.db.transaction(async (tx) => {
    if (withoutTotp) await removeTotp(tx, member.id);
    const details = { email: member.email, removed_totp: withoutTotp };
    const entry = { at: services.clock.now(), actor: by, action: 'member.reset_sent', details };
    await auditMember(tx, member.id, entry);
    return createLink(services, tx, { kind: 'reset', memberId: member.id }, nameOfActor(by));
  });
}

/** Mails the link, or returns it if there is no mail server. */
async function sendReset(
  services: LinkServices,
  tx: Transaction,
  { id, name, email }: Member,
  createdBy: string,
): Promise<NewLink | null> {
  const link = await createLink(services, tx, { kind: 'reset', memberId: id }, createdBy);
  if (services.mailer === null) return link;
  const mail = { kind: 'reset', link: link.url, expiresAt: link.expiresAt } as const;
  await queueMail(services, tx, { to: { name, address: email }, mail });
  return null;
}
