// Backfills that a provider pushes later: they are done once the history has arrived, as far as that can be known.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { listAppsById } from '../../src/features/clouds/provider-apps/index.ts';
import { claimDevices } from '../../src/features/clouds/sync/device-store.ts';
import { createRunReport } from '../../src/features/clouds/sync/run-report.ts';
import { DEVICE_CLAIM_MS } from '../../src/features/clouds/sync/schedule/run-device.ts';
import { type OtherSyncTask, runTask } from '../../src/features/clouds/sync/schedule/run-task.ts';
import { nextTasks } from '../../src/features/clouds/sync/store.ts';
import { APP, type Connected, openTestCloud, readDaily } from '../support/test-cloud.ts';
import { readStoredEvents } from '../support/test-events.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '3' });
const { stub, clock, services } = cloud;
const BACKFILL = '/garmin/wellness-api/rest/backfill';
const EPOCHS = '/garmin/wellness-api/rest/epochs';
const RUNNING = { state: 'running', from: null };
const DONE = { state: 'done', from: '2026-02-27' };
/** Longer than the pause after which it is done. */
const LONG_MS = 5 * MINUTE_MS + SECOND_MS;
const SHORT_MS = 4 * MINUTE_MS;
/** Far more than its kinds of history and its pushes. */
const MOST_TASKS = 100;

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_accounts', 'provider_webhooks'])
    await cloud.query(`delete from ${table}`);
  stub.answer('/garmin', { status: 202 });
  for (const kind of ['dailies', 'sleeps']) stub.answer(`${BACKFILL}/${kind}`, { status: 202 });
});

async function readBackfill({ device }: Connected) {
  const [row] = await cloud.query<{ state: string; from: string | null }>(
    'select backfill_state as state, backfill_from::text as from from devices where id = $1',
    [device.id],
  );
  return row;
}

const reportedOf = async ({ user }: Connected) =>
  (await readStoredEvents(services.db, user.userId)).map(({ type }) => type);

async function push({ providerUserId }: Connected, steps: number): Promise<void> {
  const daily = {
    userId: providerUserId,
    summaryId: 'd-1',
    calendarDate: '2026-02-27',
    startTimeInSeconds: Date.parse('2026-02-26T23:00:00Z') / 1_000,
    startTimeOffsetInSeconds: 3_600,
    durationInSeconds: 86_400,
    steps,
  };
  await notify({ dailies: [daily] });
}

async function notify(reported: object): Promise<void> {
  const answer = await cloud.notify('garmin', {
    body: JSON.stringify(reported),
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(answer.status, 200);
  await cloud.processWebhooks();
}

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await cloud.runDue();
}

async function connectAndAsk(): Promise<Connected> {
  const connected = await cloud.connect('garmin');
  await cloud.runDue();
  assert.deepEqual(await readBackfill(connected), RUNNING);
  assert.deepEqual(await reportedOf(connected), []);
  return connected;
}

describe('history that is pushed', () => {
  it('is done after a pause since the last push, and its event follows the data', async () => {
    const connected = await connectAndAsk();
    clock.advance(SHORT_MS);
    await push(connected, 3_000);
    await cloud.runDue();
    await pass(SHORT_MS); // measured from the request it would be enough
    assert.deepEqual(await readBackfill(connected), RUNNING);
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 3_000);
    await pass(LONG_MS);
    assert.deepEqual(await readBackfill(connected), DONE);
    assert.deepEqual(await reportedOf(connected), ['data.updated', 'device.backfilled']);
    await pass(LONG_MS);
    assert.deepEqual(await reportedOf(connected), ['data.updated', 'device.backfilled'], 'once');
  });

  it('that arrives at the last moment is stored before the event', async () => {
    const connected = await connectAndAsk();
    clock.advance(LONG_MS);
    await push(connected, 3_500);
    await cloud.runDue();
    assert.deepEqual(await readBackfill(connected), RUNNING);
    await pass(LONG_MS);
    assert.deepEqual(await readBackfill(connected), DONE);
    assert.deepEqual(await reportedOf(connected), ['data.updated', 'device.backfilled']);
  });

  it('is done an hour after the last request, whatever else is pushed', async () => {
    const connected = await connectAndAsk();
    for (let minutes = 4; minutes < 60; minutes += 4) {
      clock.advance(SHORT_MS);
      await push(connected, minutes);
      await cloud.runDue();
      assert.deepEqual(await readBackfill(connected), RUNNING, `after ${minutes} minutes`);
    }
    clock.advance(SHORT_MS);
    await push(connected, 60);
    await cloud.runDue();
    assert.deepEqual(await readBackfill(connected), DONE);
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 60);
    assert.deepEqual((await reportedOf(connected)).slice(-2), ['data.updated', 'device.backfilled']);
  });

  it('is done even if nothing arrives', async () => {
    const connected = await connectAndAsk();
    await pass(LONG_MS);
    assert.deepEqual(await readBackfill(connected), DONE);
    assert.deepEqual(await reportedOf(connected), ['device.backfilled']);
  });

  it('is done at once if no request was accepted', async () => {
    stub.answer('/garmin', { status: 412 });
    for (const kind of ['dailies', 'sleeps']) stub.answer(`${BACKFILL}/${kind}`, { status: 412 });
    const connected = await cloud.connect('garmin');
    await cloud.runDue();
    assert.equal((await readBackfill(connected))?.state, 'done');
    assert.deepEqual(await reportedOf(connected), ['device.backfilled']);
  });

  it('waits for a part that could not be requested yet', async () => {
    stub.answer(`${BACKFILL}/sleeps`, { status: 503 });
    const connected = await connectAndAsk();
    await pass(2 * LONG_MS);
    assert.deepEqual(await readBackfill(connected), RUNNING);
    stub.answer(`${BACKFILL}/sleeps`, { status: 202 });
    await pass(20 * MINUTE_MS);
    assert.deepEqual(await readBackfill(connected), RUNNING, 'now it is on its way');
    await pass(LONG_MS);
    assert.deepEqual(await readBackfill(connected), DONE);
  });

  it('waits until a received link can be followed', async () => {
    const connected = await connectAndAsk();
    stub.answer(EPOCHS, { status: 503 });
    const callbackURL = 'https://apis.garmin.com/wellness-api/rest/epochs?token=x';
    await notify({ epochs: [{ userId: connected.providerUserId, callbackURL }] });
    await cloud.runDue();
    await pass(2 * LONG_MS);
    assert.deepEqual(await readBackfill(connected), RUNNING);
    stub.answer(EPOCHS, { json: [] });
    await pass(20 * MINUTE_MS);
    await pass(LONG_MS);
    assert.deepEqual(await readBackfill(connected), DONE);
  });
});

describe('a kill while history is on its way', () => {
  it('still ends in order, after the last request and after a push that was not emitted', async () => {
    const connected = await cloud.connect('garmin');
    await workAndDie();
    assert.deepEqual(await readBackfill(connected), RUNNING);
    clock.advance(DEVICE_CLAIM_MS - SECOND_MS);
    await cloud.runDue();
    assert.deepEqual(await reportedOf(connected), [], 'no other process takes over yet');
    clock.advance(SECOND_MS);
    await push(connected, 3_000);
    await workAndDie();
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 3_000);
    assert.deepEqual(await reportedOf(connected), []);
    await pass(LONG_MS);
    assert.deepEqual(await readBackfill(connected), DONE);
    assert.deepEqual(await reportedOf(connected), ['data.updated', 'device.backfilled']);
  });

  it('requests and awaits everything again after a reconnection', async () => {
    const connected = await connectAndAsk();
    clock.advance(SHORT_MS);
    await cloud.reconnect(connected);
    stub.requests.length = 0;
    await cloud.runDue();
    assert.equal(stub.at(BACKFILL).length, 14);
    await pass(SHORT_MS);
    assert.deepEqual(await readBackfill(connected), RUNNING);
    await pass(SHORT_MS);
    assert.deepEqual(await readBackfill(connected), DONE);
    assert.deepEqual(await reportedOf(connected), ['device.backfilled']);
    assert.deepEqual(await cloud.query('select 1 from sync_tasks'), []);
  });
});

describe('history with a kind that cannot be requested', () => {
  it('fails when its task is parked, and is no longer awaited', async () => {
    stub.answer(`${BACKFILL}/sleeps`, { status: 400, json: { errorMessage: 'no' } });
    const connected = await connectAndAsk();
    for (let attempt = 0; attempt < 6; attempt += 1) await pass(2 * 60 * MINUTE_MS);
    assert.equal((await readBackfill(connected))?.state, 'failed');
    assert.deepEqual(await reportedOf(connected), []);
  });
});

/** Runs all due tasks without a time limit. */
async function workAndDie(): Promise<void> {
  const now = clock.now();
  const until = new Date(now.getTime() + DEVICE_CLAIM_MS);
  const [device] = await claimDevices(services.db, { provider: 'garmin', now, until, limit: 1 }, true);
  const [app] = await listAppsById(services, 'garmin', APP);
  assert.ok(device !== undefined && app !== undefined);
  const count = { services, app, device, zone: 'Europe/Berlin', keepsRoutes: false, report: createRunReport() };
  for (let done = 0; done < MOST_TASKS; done += 1) {
    const [task] = await nextTasks(services.db, device, { now, canRequest: true, limit: 1 });
    if (task === undefined) return;
    assert.equal(await runTask(count, task as OtherSyncTask), null);
  }
  assert.fail(`something is due after ${MOST_TASKS} tasks`);
}
