// The operations whose cost must not grow with the number of users or with the length of their history.
import { randomUUID } from 'node:crypto';
import type { AccountId, Tenant } from '../../src/domain/tenancy.ts';
import { tidyUploadsJob } from '../../src/features/intake/uploads/index.ts';
import { tidyFeedJob } from '../../src/features/notify/events/index.ts';
import { claimDeliveries, hasDueWebhooks, lockDueWebhooks } from '../../src/features/notify/webhooks/delivery-store.ts';
import { tidyDeliveriesJob } from '../../src/features/notify/webhooks/index.ts';
import { listDirectory } from '../../src/features/people/user-directory/list-directory.ts';
import type { DirectoryQuery } from '../../src/features/people/user-directory/read-page.ts';
import { claimDueUsers } from '../../src/features/pipeline/scoring/store.ts';
import { tidyRawPayloadsJob } from '../../src/features/store/raw-payloads/index.ts';
import { tidySdkSessionsJob } from '../../src/features/tenancy/sdk-sessions/index.ts';
import type { Transaction } from '../../src/platform/db/database.ts';
import type { AccountCaller } from '../../src/platform/http/caller.ts';
import type { BenchService } from '../support/bench-service.ts';

export type Subject = {
  readonly service: BenchService;
  readonly accountId: string;
  readonly userIds: readonly string[];
  /** Access tokens of phones of some of the users. */
  readonly phones: readonly string[];
};
/** The number of the call, from 0. */
type Operation = (subject: Subject, call: number) => Promise<unknown>;

const DAY = '2026-01-15';

/** One user each. */
export const OF_A_USER: Readonly<Record<string, Operation>> = {
  'daily, 30 days': (subject, call) =>
    read(subject, `${pathOf(subject, call)}/daily?start_date=2026-01-01&end_date=2026-01-30`),
  'timeseries, 1 day': (subject, call) =>
    read(subject, `${pathOf(subject, call)}/timeseries?metrics=heart_rate&start_date=${DAY}&end_date=${DAY}`),
  'newest scores': (subject, call) => read(subject, `${pathOf(subject, call)}/scores`),
  'small upload': ({ service, phones }, call) =>
    service.call('POST', '/v1/sdk/uploads', smallUpload(call), phones[call % phones.length]),
};

/** Of an account, or of the whole service. */
export const OF_ALL_USERS: Readonly<Record<string, Operation>> = {
  'events page of 100': (subject, call) =>
    read(subject, `/v1/events?limit=100${call % 2 === 0 ? '' : `&user_id=${idOf(subject, call)}`}`),
  'users page of 50': (subject) => read(subject, '/v1/users?limit=50'),
  'directory page': (subject) => directory(subject, {}),
  'directory, search': (subject, call) => directory(subject, { text: `person-${idOf(subject, call).slice(0, 8)}` }),
  'directory, without data': (subject) => directory(subject, { filter: 'no_data' }),
  'webhook claim of 10': ({ service }) => dryRun(service, claimWebhooks),
  'scoring claim of 50': ({ service }) =>
    dryRun(service, (tx) => claimDueUsers(tx, { now: tomorrow(), until: tomorrow() }, 50)),
};

/** Removes one in twenty rows, so its cost is that of all users. */
export async function tidy({ service: { services } }: Subject): Promise<void> {
  for (const job of [tidyUploadsJob, tidyRawPayloadsJob, tidyFeedJob, tidyDeliveriesJob, tidySdkSessionsJob])
    await job.run(services, {});
}

function read({ service }: Subject, path: string): Promise<unknown> {
  return service.call('GET', path);
}

function pathOf(subject: Subject, call: number): string {
  return `/v1/users/${idOf(subject, call)}`;
}

/** Spread over all users. */
function idOf({ userIds }: Subject, call: number): string {
  return userIds[(call * 7_919) % userIds.length] ?? '';
}

function directory({ service, accountId }: Subject, query: Partial<DirectoryQuery>): Promise<unknown> {
  const tenant: Tenant = { accountId: accountId as AccountId, environment: 'live' };
  const caller = { kind: 'api_key', tenant } as AccountCaller;
  return listDirectory(
    { services: service.services, caller },
    { text: null, filter: null, cursor: null, limit: 50, ...query },
  );
}

async function claimWebhooks(tx: Transaction): Promise<void> {
  const due = { now: tomorrow(), except: [], exceptAccounts: [] };
  if (!(await hasDueWebhooks(tx, due))) throw new Error('no webhook is due');
  const [webhook] = await lockDueWebhooks(tx, due, 1);
  if (webhook === undefined) throw new Error('no webhook was locked');
  const claim = { id: randomUUID(), now: due.now, until: due.now };
  const claimed = await claimDeliveries(tx, [{ webhookId: webhook.id, count: 10 }], claim);
  if (claimed.length === 0) throw new Error('nothing was claimed');
}

class DryRun extends Error {}

/** Rolls back, so that the next call finds the same. */
async function dryRun(service: BenchService, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  await service.db
    .transaction(async (tx) => {
      await work(tx);
      throw new DryRun();
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
}

/** When all scoring of the filled users is due. */
function tomorrow(): Date {
  return new Date(Date.now() + 2 * 86_400_000);
}

let minute = 0;

function smallUpload(call: number): object {
  minute += 1;
  const start = new Date(Date.UTC(2026, 0, 16, 0, minute % 1_440)).toISOString();
  return {
    upload_id: randomUUID(),
    source: { provider: 'apple_health', id: 'watch-1', name: 'Watch', device_class: 'wrist' },
    samples: [{ metric: 'heart_rate', start, value: 60 + (call % 40), unit: 'bpm' }],
    daily: [{ metric: 'steps', date: '2026-01-16', value: minute, unit: 'count' }],
  };
}
