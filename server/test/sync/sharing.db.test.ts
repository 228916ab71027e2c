// What a person shares at Garmin is switched off and on there: the device says so, and nothing has to be connected again.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { refuseAccount } from '../../src/features/clouds/provider-accounts/index.ts';
import { MINUTE_MS } from '../support/test-clock.ts';
import { type Connected, openTestCloud } from '../support/test-cloud.ts';
import { readStoredEvents } from '../support/test-events.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '3' });
const { stub, clock, services } = cloud;

beforeEach(async () => {
  stub.answer('/garmin', { status: 202 });
  clock.advance(10 * MINUTE_MS);
});

type Change = { readonly permissions?: unknown; readonly changeTimeInSeconds?: number };

async function tell({ providerUserId: userId }: Connected, ...changes: Change[]): Promise<void> {
  const body = JSON.stringify({ userPermissionsChange: changes.map((change) => ({ userId, ...change })) });
  assert.equal((await cloud.notify('garmin', { body })).status, 200);
  await cloud.readWebhookItems();
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

describe('a person who shares nothing any more', () => {
  it('waits for the person, once; shares again, is active, and the last days are asked for', async () => {
    const connected = await connect();
    const other = await connect();
    for (let turn = 0; turn < 2; turn += 1) await tell(connected, { permissions: ['COURSE_IMPORT', 'MCT_EXPORT'] });
    assert.equal(await readStatus(connected), 'reauthorize');
    assert.deepEqual(await readReported(connected), ['device.failed']);
    assert.equal(await readStatus(other), 'active');
    stub.requests.length = 0;
    await tell(connected, { permissions: ['ACTIVITY_EXPORT'] });
    await cloud.runDue();
    assert.equal(await readStatus(connected), 'active');
    assert.deepEqual(await readReported(connected), ['device.failed', 'device.connected']);
    assert.ok(stub.at('/garmin/wellness-api/rest/backfill/activities').length > 0);
  });

  it('is still active with a part of it, and with a change that makes no sense', async () => {
    const connected = await connect();
    for (const change of [{ permissions: ['HEALTH_EXPORT'] }, {}, { permissions: 'NONE' }])
      await tell(connected, change);
    assert.equal(await readStatus(connected), 'active');
    assert.deepEqual(await readReported(connected), []);
  });

  it('of several changes the last counts', async () => {
    const connected = await connect();
    await tell(
      connected,
      { permissions: [], changeTimeInSeconds: 200 },
      { permissions: ['HEALTH_EXPORT'], changeTimeInSeconds: 100 },
    );
    assert.equal(await readStatus(connected), 'reauthorize');
  });

  it('who has ended it for good has to connect again, whatever is switched on', async () => {
    const connected = await connect();
    const body = JSON.stringify({ deregistrations: [{ userId: connected.providerUserId }] });
    assert.equal((await cloud.notify('garmin', { body })).status, 200);
    await cloud.readWebhookItems();
    await tell(connected, { permissions: ['HEALTH_EXPORT'] });
    assert.equal(await readStatus(connected), 'reauthorize');
    assert.deepEqual(await readReported(connected), ['device.failed']);
    const refused = { userId: connected.user.userId, deviceId: connected.device.id, tokenVersion: null };
    const isNew = await services.db.transaction((tx) => refuseAccount(tx, refused, clock.now()));
    assert.equal(isNew, false, 'it was refused before');
  });
});
