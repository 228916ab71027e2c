// Sends a mail to a member. The payload is sealed, because job rows are visible to anybody who can read the database and the mail
// contains a link that opens an account.

import type { Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import { writeJoinMail, writeKeyExpiryMail, writeResetMail } from './mails.ts';

type MemberMail =
  | ({ readonly kind: 'join' } & MailContent<typeof writeJoinMail>)
  | ({ readonly kind: 'reset' } & MailContent<typeof writeResetMail>)
  | ({ readonly kind: 'key_expiry' } & MailContent<typeof writeKeyExpiryMail>);
type MailContent<Write extends (facts: never) => unknown> = Parameters<Write>[0];
type Addressed = { readonly to: { readonly name: string | null; readonly address: string }; readonly mail: MemberMail };

export const sendMemberMailJob = defineJob({
  name: 'send_member_mail',
  payload: Type.Object({
    id: Type.String({ description: 'unique per mail; `sealed` opens only with it' }),
    sealed: Type.String({ description: 'base64' }),
  }),
  isRemovedWhenGivenUp: true,
  async run({ mailer, secrets, log }, { id, sealed }) {
    const { to, mail } = JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), contextOf(id))) as Addressed;
    if (mailer === null) return log.warn({ kind: mail.kind }, 'a mail was not sent: no mail server is configured');
    const outcome = await mailer.send({ to, ...writeMail(mail) });
    if (outcome === 'refused') log.warn({ kind: mail.kind }, 'the mail server refused a mail to a member');
  },
});

export async function queueMail(
  { jobs, secrets }: Pick<Services, 'jobs' | 'secrets'>,
  tx: Transaction,
  addressed: Addressed,
): Promise<void> {
  const id = newId<string>();
  const sealed = secrets.seal(JSON.stringify(addressed), contextOf(id)).toString('base64');
  await jobs.enqueue(tx, sendMemberMailJob, { id, sealed });
}

function writeMail(mail: MemberMail) {
  switch (mail.kind) {
    case 'join':
      return writeJoinMail({ ...mail, expiresAt: new Date(mail.expiresAt) });
    case 'reset':
      return writeResetMail({ ...mail, expiresAt: new Date(mail.expiresAt) });
    case 'key_expiry':
      return writeKeyExpiryMail({ ...mail, expiresAt: new Date(mail.expiresAt) });
  }
}

function contextOf(id: string): string {
  return `mail ${id}`;
}
