// A provider whose pages never end keeps no sync run busy, loses nothing, and delays no other device.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { claimDevices } from '../../src/features/clouds/sync/device-store.ts';
import { MAX_WINDOW_PAGES } from '../../src/features/clouds/sync/fetch/paging.ts';
import { runDevice } from '../../src/features/clouds/sync/schedule/run-device.ts';
import { assertEvery } from '../support/assert-every.ts';
import { type Connected, openTestCloud, readDaily } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '3' });
const { stub, clock } = cloud;
const COLLECTIONS = '/oura/v2/usercollection';
const ACTIVITY = `${COLLECTIONS}/daily_activity`;
const EMPTY = { json: { data: [], next_token: null } };
const pageOf = (next: string | null) => ({
  json: { data: [{ id: 'a', day: '2026-03-01', steps: 4_321 }], next_token: next },
});

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_budgets', 'sync_log'])
    await cloud.query(`delete from ${table}`);
  stub.answer(COLLECTIONS, EMPTY);
  stub.answer(ACTIVITY, EMPTY);
  stub.answer('/oura/v2/webhook/subscription', ({ method }) => ({ json: method === 'GET' ? [] : { id: 's' } }));
});

/** Only the backfill, and no poll that would repeat it. */
async function connect(): Promise<Connected> {
  const connected = await cloud.connect('oura');
  await cloud.query('update synced_devices set next_poll_at = null');
  return connected;
}

const tasksOf = ({ device }: Connected) =>
  cloud.query<{ resource: string; attempts: number; parked: boolean }>(
    'select resource, attempts, parked_at is not null as parked from sync_tasks where device_id = $1',
    [device.id],
  );

async function lastCause({ device }: Connected): Promise<string | null> {
  const [row] = await cloud.query<{ cause: string | null }>(
    'select cause from sync_log where device_id = $1 and cause is not null order by id desc limit 1',
    [device.id],
  );
  return row?.cause ?? null;
}

async function moveToPage(pages: number, cursor: string): Promise<void> {
  await cloud.query(
    `update sync_tasks set cursor = $1, paging = json_build_object('pages', $2::int, 'earlierCursor', 'first', 'step', step)`,
    [cursor, pages],
  );
}

async function runForHours(hours: number): Promise<void> {
  for (let half = 0; half < hours * 2; half += 1) {
    clock.advance(HOUR_MS / 2);
    await cloud.runDue();
  }
}

describe('a cursor that repeats', () => {
  for (const length of [2, 3, 40])
    it(`parks the task of a loop of ${length} pages, stores its pages and continues with other tasks`, async () => {
      const connected = await connect();
      const other = await connect();
      stub.requests.length = 0;
      stub.answer(ACTIVITY, ({ query }) => {
        const page = Number(query.get('next_token') ?? 0);
        return pageOf(String((page % length) + 1));
      });
      await cloud.runDue();
      for (const one of [connected, other]) {
        assert.deepEqual(await tasksOf(one), [{ resource: 'daily_activity', attempts: 1, parked: false }]);
        assert.equal((await readDaily(cloud, one, '2026-03-01')).steps, 4_321, 'its pages are stored');
        assert.equal(await lastCause(one), 'daily_activity: the cursors of its pages repeat');
      }
      assert.ok(stub.at(ACTIVITY).length <= 2 * 4 * length, `${stub.at(ACTIVITY).length} requests`);

      stub.requests.length = 0;
      await runForHours(24);
      assert.deepEqual(await tasksOf(connected), [{ resource: 'daily_activity', attempts: 5, parked: true }]);
      assert.equal(stub.at(ACTIVITY).length, 2 * 4, 'each retry requests one page');
    });

  it('stores the records of every page, also of the one that begins the loop again', async () => {
    const connected = await connect();
    const reported = [
      { cursor: null, next: 'c1', day: '2026-03-01' },
      { cursor: 'c1', next: 'c2', day: '2026-02-28' },
      { cursor: 'c2', next: 'c3', day: '2026-02-27' },
      { cursor: 'c3', next: 'c2', day: '2026-02-26' },
    ];
    stub.answer(ACTIVITY, ({ query }) => {
      const { next, day } = reported.find(({ cursor }) => cursor === query.get('next_token')) ?? assert.fail();
      return { json: { data: [{ id: day, day, steps: 4_321 }], next_token: next } };
    });
    await cloud.runDue();
    for (const { day } of reported) assert.equal((await readDaily(cloud, connected, day)).steps, 4_321, day);
    assert.deepEqual(await tasksOf(connected), [{ resource: 'daily_activity', attempts: 1, parked: false }]);
    await runForHours(24);
    assert.deepEqual(await tasksOf(connected), [{ resource: 'daily_activity', attempts: 5, parked: true }]);
  });

  it('continues where it stopped when the provider is repaired', async () => {
    const connected = await connect();
    let isBroken = true;
    stub.answer(ACTIVITY, ({ query }) => {
      const cursor = query.get('next_token');
      if (isBroken) return pageOf(cursor === 'A' ? 'B' : 'A');
      return cursor === 'C' ? EMPTY : pageOf('C');
    });
    await cloud.runDue();
    assert.equal((await tasksOf(connected)).length, 1);
    isBroken = false;
    stub.requests.length = 0;
    await runForHours(2);
    assert.deepEqual(await tasksOf(connected), []);
    assertEvery(stub.at(ACTIVITY), ({ query }) => query.get('next_token') !== null);
  });
});

describe('a provider that always has another page', () => {
  it('ends at the limit of pages per window, also across sync runs', async () => {
    const connected = await connect();
    await cloud.query(`delete from sync_tasks where resource is distinct from 'daily_activity'`);
    await moveToPage(MAX_WINDOW_PAGES - 50, 'p1');
    stub.requests.length = 0;
    stub.answer(ACTIVITY, ({ query }) => pageOf(`p${Number(query.get('next_token')?.slice(1)) + 1}`));
    await cloud.runDue();
    assert.equal(stub.at(ACTIVITY).length, 51, 'the last one once more');
    assert.deepEqual(await tasksOf(connected), [{ resource: 'daily_activity', attempts: 1, parked: false }]);
    assert.match((await lastCause(connected)) ?? '', /more than 2,000 pages/);
    await runForHours(24);
    assert.deepEqual(await tasksOf(connected), [{ resource: 'daily_activity', attempts: 5, parked: true }]);
    assert.equal(stub.at(ACTIVITY).length, 55);
  });

  it('lets the other due devices run before its next sync run', async () => {
    const long = await connect();
    clock.advance(MINUTE_MS);
    const waiting = await connect();
    const claimed: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const now = clock.now();
      const until = new Date(now.getTime() + MINUTE_MS);
      const devices = await claimDevices(cloud.services.db, { provider: 'oura', now, until, limit: 1 }, true);
      clock.advance(1_000);
      for (const device of devices) {
        claimed.push(device.deviceId);
        await runDevice(cloud.services, device, () => true); // ends with tasks left, as if its time were up
      }
    }
    assert.deepEqual(claimed, [long.device.id, waiting.device.id, long.device.id]);
  });

  it('leaves devices beyond the limit of a claim, whatever the plan of the statement', async () => {
    for (let count = 0; count < 3; count += 1) await connect();
    clock.advance(MINUTE_MS);
    const now = clock.now();
    const claim = { provider: 'oura', now, until: new Date(now.getTime() + MINUTE_MS), limit: 1 } as const;
    // As after a vacuum of the empty table: PostgreSQL expects one row and joins in any order.
    await cloud.query(`update pg_class set reltuples = 0, relpages = 1 where relname = 'synced_devices'`);
    const claimed = await claimDevices(cloud.services.db, claim, true);
    assert.equal(claimed.length, 1);
  });

  it('counts the pages of each window, not of the whole backfill', async () => {
    const connected = await connect();
    await cloud.query(`delete from sync_tasks where resource is distinct from 'daily_activity'`);
    await moveToPage(MAX_WINDOW_PAGES - 1, 'last');
    await cloud.query('update sync_tasks set backfill_until = $1', [new Date('2026-01-20T00:00:00Z')]);
    stub.answer(ACTIVITY, ({ query }) => (query.get('next_token') === null ? pageOf('last') : EMPTY));
    await cloud.runDue();
    assert.deepEqual(await tasksOf(connected), []);
  });
});

describe('the pages of a window, beside workers of an earlier version', () => {
  it('are counted where those workers do not read them as a window to reconcile', async () => {
    await connect();
    await cloud.query(`delete from sync_tasks where resource is distinct from 'daily_activity'`);
    stub.answer(ACTIVITY, ({ query }) => (query.get('next_token') === null ? pageOf('p1') : { status: 500 }));
    await cloud.runDue();
    const rows = await cloud.query('select cursor, details, paging from sync_tasks');
    assert.deepEqual(rows, [{ cursor: 'p1', details: null, paging: { pages: 1, earlierCursor: 'p1', step: 1 } }]);
  });

  it('are counted again after such a worker has fetched some', async () => {
    await connect();
    await cloud.query(`delete from sync_tasks where resource is distinct from 'daily_activity'`);
    await moveToPage(MAX_WINDOW_PAGES - 1, 'p2');
    await cloud.query(`update sync_tasks set cursor = 'p1', step = step + 1`); // of the next window
    stub.answer(ACTIVITY, ({ query }) => (query.get('next_token') === 'p1' ? pageOf('p2') : EMPTY));
    await cloud.runDue();
    assert.deepEqual(await cloud.query('select resource from sync_tasks'), []);
  });
});

describe('a page that needs too many further requests', () => {
  it('sends none of them, and continues with other tasks', async () => {
    const empty = { series: [], profiles: [], measuregrps: [], activities: [] };
    stub.answer('/withings', { json: { status: 0, body: empty } });
    const series = Array.from({ length: 501 }, (_, index) => {
      const startdate = clock.now().getTime() / 1_000 - (index + 1) * 60;
      return { id: index, startdate, enddate: startdate + 60 };
    });
    stub.answer('/withings/v2/sleep', { json: { status: 0, body: { series } } });
    const connected = await cloud.connect('withings');
    stub.requests.length = 0;
    await cloud.runDue();
    assert.deepEqual(
      stub.at('/withings/v2/sleep').map(({ form }) => form.get('action')),
      ['getsummary'],
    );
    assert.deepEqual(await tasksOf(connected), [{ resource: 'sleep', attempts: 1, parked: false }]);
    assert.equal(await lastCause(connected), 'sleep: a page needs more than 500 further requests');
  });
});
