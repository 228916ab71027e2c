// Sends a mail to a member. The payload is sealed, because the mail contains a link that opens an account.

import type { Transaction } from '../../../platform/db/database.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { openPayload, sealedFields, sealPayload } from '../../../platform/jobs/sealed-payload.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import { writeJoinMail, writeKeyExpiryMail, writeResetMail } from './mails.ts';

type MemberMail =
  | ({ readonly kind: 'join' } & MailContent<typeof writeJoinMail>)
  | ({ readonly kind: 'reset' } & MailContent<typeof writeResetMail>)
  | ({ readonly kind: 'key_expiry' } & MailContent<typeof writeKeyExpiryMail>);
type MailContent<Write extends (facts: never) => unknown> = Parameters<Write>[0];
type Addressed = { readonly to: { readonly name: string | null; readonly address: string }; readonly mail: MemberMail };

const PURPOSE = 'mail';

export const sendMemberMailJob = defineJob({
  name: 'send_member_mail',
  payload: Type.Object(sealedFields),
  isRemovedWhenGivenUp: true,
  async run({ mailer, secrets, log }, payload) {
    const { to, mail } = JSON.parse(openPayload({ secrets }, PURPOSE, payload)) as Addressed;
    if (mailer === null) return log.warn({ kind: mail.kind }, 'a mail was not sent: no mail server is configured');
    const outcome = await mailer.send({ to, ...writeMail(mail) });
    if (outcome === 'refused') log.warn({ kind: mail.kind }, 'the mail server refused a mail to a member');
  },
});

export async function queueMail(
  services: Pick<Services, 'jobs' | 'secrets'>,
  tx: Transaction,
  addressed: Addressed,
): Promise<void> {
  await services.jobs.enqueue(tx, sendMemberMailJob, sealPayload(services, PURPOSE, JSON.stringify(addressed)));
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
