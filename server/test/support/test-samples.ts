// Creates users with devices and samples without the API, for tests of reads.
import { randomUUID } from 'node:crypto';
import type { Transport } from '../../src/domain/consolidate/ranking.ts';
import type { DeviceClass, MetricId } from '../../src/domain/metrics/index.ts';
import { columnsOfSamples } from '../../src/domain/packed/sample-blocks/index.ts';
import type { Sample } from '../../src/domain/records/records.ts';
import type { AccountId, DeviceNumber, Tenant, UserId } from '../../src/domain/tenancy.ts';
import { openSampleBuffer } from '../../src/features/store/samples/index.ts';
import { insertUser, openUser, type UserHandle } from '../../src/features/tenancy/user-core/index.ts';
import type { Database, Queryable } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';

/** In a new account. */
export async function createTestUser(db: Database, timezone: string | null = null): Promise<UserHandle> {
  const tenant: Tenant = { accountId: randomUUID() as AccountId, environment: 'live' };
  const id = newId() as UserId;
  const user = {
    id,
    referenceId: id,
    timezone,
    status: 'active',
    scoreStatus: 'calibrating',
    calibratingUntil: null,
    profile: {},
    metadata: {},
    lastSyncAt: null,
    lastScoreAt: null,
    createdAt: new Date(),
  } as const;
  await db.query('insert into accounts (id, name, default_form) values ($1, $2, 1)', [
    tenant.accountId,
    `account ${id}`,
  ]);
  await db.transaction((tx) => insertUser(tx, tenant, user));
  return getHandle(await openUser(db, tenant, id));
}

/** The handle of a user created through the API. */
export async function openTestUser(db: Queryable, userId: string): Promise<UserHandle> {
  const [row] = await db.query<{ account_id: AccountId; environment: Tenant['environment'] }>(
    'select account_id, environment from users where id = $1',
    [userId],
  );
  if (!row) throw new Error('user not found');
  const tenant = { accountId: row.account_id, environment: row.environment };
  return getHandle(await openUser(db, tenant, userId as UserId));
}

export async function insertDevice(
  db: Queryable,
  userId: string,
  device: {
    number: number;
    provider?: string;
    deviceClass?: DeviceClass;
    transport?: Transport;
    connectedAt?: string;
  },
): Promise<{ id: string; number: DeviceNumber }> {
  const id = newId();
  await db.query(
    `insert into devices (user_id, id, number, provider, status, transport, device_class, created_at, connected_at)
     values ($1, $2, $3, $4, 'active', $5, $6, now(), $7)`,
    [
      userId,
      id,
      device.number,
      device.provider ?? 'garmin',
      device.transport ?? 'cloud',
      device.deviceClass ?? 'wrist',
      device.connectedAt ?? '2026-01-01T00:00:00Z',
    ],
  );
  return { id, number: device.number as DeviceNumber };
}

/** Like an upload: one transaction that also updates the user's summary. */
export async function storeSamples(
  db: Database,
  userId: string,
  device: DeviceNumber,
  metric: string,
  samples: readonly Sample[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const buffer = openSampleBuffer(tx, await openTestUser(tx, userId));
    await buffer.merge(device, new Map([[metric as MetricId, columnsOfSamples(samples)]]));
    await buffer.flush();
    await tx.query(
      `update users set data_revision = data_revision + 1, longest_sample_seconds = greatest(longest_sample_seconds, $2)
        where id = $1`,
      [userId, Math.ceil(buffer.longestMs() / 1_000)],
    );
  });
}

function getHandle(handle: UserHandle | null): UserHandle {
  if (handle === null) throw new Error('user not found');
  return handle;
}
