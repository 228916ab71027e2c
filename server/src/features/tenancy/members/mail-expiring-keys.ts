// Mails owners and developers before an API key expires: once 14 days ahead and once 3 days ahead.

import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import { type ApiKeyDetails, markMailed, readKeysToMail } from '../accounts/index.ts';
import { listMembers } from './member-store.ts';
import { queueMail } from './send-mail-job.ts';

const MAIL_DAYS = [3, 14]; // the smallest first: a key that is found late gets one mail

/** Every hour, so that a service that was stopped still warns on that day. */
export const mailExpiringKeysJob = defineJob({
  name: 'mail_expiring_keys',
  payload: Type.Object({}),
  cron: '13 * * * *',
  async run(services) {
    if (services.mailer === null) return; // nothing is marked, so that mails follow once a server is configured
    for (const days of MAIL_DAYS)
      for (const key of await readKeysToMail(services, days)) await mailMembers(services, key, days);
  },
});

/**
 * The mark and the mails are queued in one transaction, so that a crash loses neither. The job that sends a mail runs again if it
 * is killed before it is done, so a mail can arrive twice.
 */
async function mailMembers(
  services: Pick<Services, 'db' | 'jobs' | 'secrets' | 'settings'>,
  { id, account, environment, name: keyName, lastFour, expiresAt }: ApiKeyDetails,
  days: number,
): Promise<void> {
  const link = `${services.settings.publicUrl()}/dashboard/${environment}/keys`;
  const mail = { kind: 'key_expiry', account: account.name, environment, keyName, lastFour, expiresAt, link } as const;
  await services.db.transaction(async (tx) => {
    if (!(await markMailed(tx, id, days))) return;
    for (const { role, name, email } of await listMembers(tx, account.id))
      if (role !== 'viewer') await queueMail(services, tx, { to: { name, address: email }, mail });
  });
}
