// Devices of a closed account are not synced.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { closeAccount, reopenAccount, SERVICE } from '../../src/features/tenancy/accounts/index.ts';
import { openTestCloud } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after });

describe('a closed account', () => {
  it('is not synced, and is synced again after it is reopened', async () => {
    const { user } = await cloud.connect('oura');
    const { accountId } = user.tenant;
    const before = await cloud.services.db.query('select 1 from accounts where id = $1', [accountId]);
    assert.equal(before.length, 1, 'the account of the test user exists');
    await closeAccount(cloud.services, accountId, SERVICE);
    assert.equal(await cloud.runDue(), 0);
    await reopenAccount(cloud.services, accountId, SERVICE);
    assert.ok((await cloud.runDue()) > 0);
  });
});
