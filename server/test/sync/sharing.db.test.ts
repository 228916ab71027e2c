// Sharing is switched off and on at Garmin: the device status follows, without a reconnection.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { refuseAccount } from '../../src/features/clouds/provider-accounts/index.ts';
import { type Connected, openTestCloud } from '../support/test-cloud.ts';
import { readStoredEvents } from '../support/test-events.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '3' });
const { stub, clock, services } = cloud;

beforeEach(async () => {
  stub.answer('/garmin', { status: 202 });
  clock.advance(10 * MINUTE_MS);
});

type Change = { readonly permissions?: unknown; readonly changeTimeInSeconds?: number };

async function notify({ providerUserId: userId }: Connected, ...changes: Change[]): Promise<void> {
  const body = JSON.stringify({ userPermissionsChange: changes.map((change) => ({ userId, ...change })) });
  assert.equal((await cloud.notify('garmin', { body })).status, 200);
  await cloud.processWebhooks();
}

async function readStatus({ device }: Connected): Promise<string | undefined> {
  const [row] = await cloud.query<{ status: string }>('select status from devices where id = $1', [device.id]);
  return row?.status;
}

async function readReported({ user }: Connected): Promise<string[]> {
  return (await readStoredEvents(services.db, user.userId)).flatMap(({ type }) => (/^device/.test(type) ? type : []));
}

async function connect(): Promise<Connected> {
  const connected = await cloud.connect('garmin');
  await cloud.runDue();
  await cloud.query('delete from event_outbox');
  return connected;
}

describe('a user who stops sharing', () => {
  it('is set to reauthorize once; after sharing again it is active and the last days are fetched', async () => {
    const connected = await connect();
    const other = await connect();
    for (let count = 0; count < 2; count += 1)
      await notify(connected, { permissions: ['COURSE_IMPORT', 'MCT_EXPORT'] });
    assert.equal(await readStatus(connected), 'reauthorize');
    assert.deepEqual(await readReported(connected), ['device.failed']);
    assert.equal(await readStatus(other), 'active');
    stub.requests.length = 0;
    await notify(connected, { permissions: ['ACTIVITY_EXPORT'] });
    await cloud.runDue();
    assert.equal(await readStatus(connected), 'active');
    assert.deepEqual(await readReported(connected), ['device.failed', 'device.connected']);
    assert.ok(stub.at('/garmin/wellness-api/rest/backfill/activities').length > 0);
  });

  it('stays active with partial sharing and after an unreadable change', async () => {
    const connected = await connect();
    for (const change of [{ permissions: ['HEALTH_EXPORT'] }, {}, { permissions: 'NONE' }])
      await notify(connected, change);
    assert.equal(await readStatus(connected), 'active');
    assert.deepEqual(await readReported(connected), []);
  });

  it('has the status of the last of several changes', async () => {
    const connected = await connect();
    await notify(
      connected,
      { permissions: [], changeTimeInSeconds: 200 },
      { permissions: ['HEALTH_EXPORT'], changeTimeInSeconds: 100 },
    );
    assert.equal(await readStatus(connected), 'reauthorize');
  });

  it('has to connect again after ending the connection, whatever is switched on', async () => {
    const connected = await connect();
    const body = JSON.stringify({ deregistrations: [{ userId: connected.providerUserId }] });
    assert.equal((await cloud.notify('garmin', { body })).status, 200);
    await cloud.processWebhooks();
    await notify(connected, { permissions: ['HEALTH_EXPORT'] });
    assert.equal(await readStatus(connected), 'reauthorize');
    assert.deepEqual(await readReported(connected), ['device.failed']);
    const refused = { userId: connected.user.userId, deviceId: connected.device.id, tokenVersion: null };
    const isNew = await services.db.transaction((tx) => refuseAccount(tx, refused, clock.now()));
    assert.equal(isNew, false, 'it was refused before');
  });
});
