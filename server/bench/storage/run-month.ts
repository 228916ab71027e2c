// A month of uploads of several users, hour by hour, each in one upload transaction.

import { randomUUID } from 'node:crypto';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import type { AccountId, Tenant, UserId } from '../../src/domain/tenancy.ts';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { ingest } from '../../src/features/pipeline/ingest/index.ts';
import { openSource } from '../../src/features/store/devices/index.ts';
import { insertUser, lockUser } from '../../src/features/tenancy/user-core/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { type Cadence, FIRST_MS, type Late, planUploads, type Upload } from '../storage-intervals/generate-series.ts';

export type BenchUsers = { readonly tenant: Tenant; readonly userIds: readonly UserId[] };
type MonthPlan = {
  readonly cadence: Cadence;
  readonly late: Late;
  readonly days: number;
  readonly connections: number;
};
/** `ms` is the sum over all connections. */
export type Month = { uploads: number; samples: number; ms: number; wal: number };

const HEART_RATE = 'heart_rate' as MetricId;
const SOURCE = { provider: 'apple_health', id: 'watch-1', name: 'Watch', model: null, osVersion: null } as const;

export async function createUsers(db: Database, count: number): Promise<BenchUsers> {
  const tenant: Tenant = { accountId: newId<AccountId>(), environment: 'live' };
  await db.query(`insert into accounts (id, name, default_form) values ($1, 'bench', 1)`, [tenant.accountId]);
  const userIds = Array.from({ length: count }, () => newId<UserId>());
  const createdAt = new Date(FIRST_MS);
  for (const id of userIds)
    await db.transaction((tx) =>
      insertUser(tx, tenant, {
        id,
        referenceId: id,
        timezone: 'Europe/Berlin',
        status: 'active',
        scoreStatus: 'calibrating',
        calibratingUntil: null,
        profile: {},
        metadata: {},
        lastSyncAt: null,
        lastScoreAt: null,
        createdAt,
      }),
    );
  return { tenant, userIds };
}

export async function runMonth(db: Database, users: BenchUsers, plan: MonthPlan): Promise<Month> {
  const slots = planUploads(plan.cadence, users.userIds.length, plan.days, HOUR_MS, plan.late);
  const month: Month = { uploads: 0, samples: 0, ms: 0, wal: 0 };
  const walBefore = await readWal(db);
  for (const [hour, uploads] of slots.entries()) {
    const now = new Date(FIRST_MS + (hour + 1) * HOUR_MS);
    let next = 0;
    const worker = async () => {
      while (next < uploads.length) {
        const upload = uploads[next++] as Upload;
        const startMs = performance.now();
        await storeUpload(db, users, upload, now);
        month.ms += performance.now() - startMs;
        month.uploads += 1;
        month.samples += upload.columns.starts.length;
      }
    };
    await Promise.all(Array.from({ length: plan.connections }, worker));
  }
  month.wal = (await readWal(db)) - walBefore;
  return month;
}

async function storeUpload(db: Database, { tenant, userIds }: BenchUsers, upload: Upload, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const locked = await lockUser(tx, tenant, userIds[upload.user] as UserId);
    if (!locked) throw new Error('user not found');
    const opening = {
      source: { ...SOURCE, deviceClass: 'wrist' as const },
      observedZone: null,
      installationId: INSTALLATION,
      sessionCreatedAt: new Date(FIRST_MS),
      barOf: () => null,
    };
    const opened = await openSource(tx, locked.handle, opening, now);
    if (opened === null) throw new Error('the source is blocked');
    const batch = {
      samples: new Map([[HEART_RATE, upload.columns]]),
      daily: [],
      sleep: [],
      workouts: [],
      deletions: [],
    };
    await ingest(tx, locked.handle, opened, batch, now);
  });
}

const INSTALLATION = randomUUID();

async function readWal(db: Database): Promise<number> {
  const [row] = await db.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`);
  return Number(row?.bytes);
}
