// Warns before API keys expire: a log line per key and day, and a count for /metrics. `tributary doctor` shows the same keys;
// members/mail-expiring-keys.ts mails them.
import type { Environment } from '../../../domain/tenancy.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type ApiKeyDetails,
  type ApiKeyRecord,
  countExpiringKeys,
  listKeysToMail,
  listKeysToWarn,
  markWarned,
} from './key-store.ts';

const WARNING_DAYS = 14; // time to plan a rotation with the people who deploy the key

const daysLater = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);
const warnUntil = (now: Date): Date => daysLater(now, WARNING_DAYS);

/** Within 14 days. A replaced key does not count, because its end is intended. */
export function expiresSoon({ end, expiresAt }: ApiKeyRecord, now: Date): boolean {
  return end === null && expiresAt > now && expiresAt <= warnUntil(now);
}

export function readExpiringKeys({ db, clock }: Pick<Services, 'clock' | 'db'>): Promise<Record<Environment, number>> {
  const now = clock.now();
  return countExpiringKeys(db, now, warnUntil(now));
}

export function readKeysToMail({ db, clock }: Pick<Services, 'clock' | 'db'>, days: number): Promise<ApiKeyDetails[]> {
  const now = clock.now();
  return listKeysToMail(db, now, daysLater(now, days), days);
}

/** Every hour, so that a service that was stopped at some hour still warns on that day. */
export const warnExpiringKeysJob = defineJob({
  name: 'warn_expiring_keys',
  payload: Type.Object({}),
  cron: '11 * * * *',
  run: async (services) => {
    const now = services.clock.now();
    // One statement per key, so that no lock waits while another is held.
    for (const key of await listKeysToWarn(services.db, now, warnUntil(now)))
      if (await markWarned(services.db, key.id, now)) logExpiry(services, key, now);
  },
});

function logExpiry({ log }: Pick<Services, 'log'>, key: ApiKeyDetails, now: Date): void {
  const { id, account, environment, name, lastFour, expiresAt, lastUsedAt } = key;
  const daysLeft = Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS);
  log.warn(
    { keyId: id, account: account.name, environment, name, lastFour, expiresAt, lastUsedAt, daysLeft },
    'an API key expires soon; replace it with "tributary keys rotate --overlap"',
  );
}
