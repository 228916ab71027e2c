// The devices of an account are claimed whatever the number of devices of other accounts.
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import type { AccountId } from '../../../domain/tenancy.ts';
import { newId } from '../../../platform/ids.ts';
import { claimDevices } from './device-store.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const db = await openTestDatabase({ after });

const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

async function addDevices(count: number, seconds: number, accountId = newId<AccountId>()): Promise<AccountId> {
  await db.query(
    `insert into synced_devices (user_id, device_id, account_id, environment, provider, app_id, due_at)
     select gen_random_uuid(), gen_random_uuid(), $1, 'live', 'oura', '', $2 from generate_series(1, $3::int)`,
    [accountId, at(seconds), count],
  );
  return accountId;
}

async function claim(exceptAccounts: readonly AccountId[]): Promise<AccountId[]> {
  const devices = await claimDevices(db, { provider: 'oura', now: NOW, until: at(60), limit: 8, exceptAccounts }, true);
  return devices.map(({ tenant }) => tenant.accountId);
}

it('a device is claimed although another account has thousands that wait longer, and thousands that wait shorter', async () => {
  await db.query('delete from synced_devices');
  const many = await addDevices(3_000, -60);
  await addDevices(3_000, -1, many);
  const few = await addDevices(1, -30);
  assert.deepEqual(await claim([many]), [few]);
});

it('of several accounts, each has a device claimed before one of them has a second', async () => {
  await db.query('delete from synced_devices');
  const many = await addDevices(3_000, -60);
  const others = [await addDevices(2, -30), await addDevices(1, -1)];
  const claimed = Map.groupBy(await claim([]), (account) => account);
  assert.deepEqual(
    [many, ...others].map((account) => claimed.get(account)?.length),
    [5, 2, 1],
  );
});
