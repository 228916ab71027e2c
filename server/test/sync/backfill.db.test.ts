// The backfill of a newly connected account.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/time/durations.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { CloudRequest } from '../support/stub-cloud.ts';
import { type Connected, openTestCloud, readDaily } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '60' });
const { stub } = cloud;
const COLLECTIONS = '/oura/v2/usercollection';

async function deviceRow({ device }: Connected) {
  const [row] = await cloud.query<{ state: string; from: string; status: string }>(
    'select backfill_state as state, backfill_from::text as from, status from devices where id = $1',
    [device.id],
  );
  return row;
}

const eventsOf = async ({ device }: Connected) =>
  (
    await cloud.query<{ type: string }>('select type from event_outbox where device_id = $1 order by id', [device.id])
  ).map(({ type }) => type);

/** One document per requested day, in two pages. */
function answerDays(request: CloudRequest) {
  const day = (offset: number) =>
    new Date(Date.parse(request.query.get('start_date') ?? '') + offset * DAY_MS).toISOString().slice(0, 10);
  const days =
    (Date.parse(request.query.get('end_date') ?? '') - Date.parse(request.query.get('start_date') ?? '')) / DAY_MS;
  const all = Array.from({ length: days }, (_, index) => ({
    id: `a-${day(index)}`,
    day: day(index),
    steps: 1_000 + index,
  }));
  const isSecond = request.query.get('next_token') === 'second';
  const half = Math.ceil(all.length / 2);
  return { json: { data: isSecond ? all.slice(half) : all.slice(0, half), next_token: isSecond ? null : 'second' } };
}

describe('backfill', () => {
  it('fetches every shared resource newest first, page by page, and reports its progress', async () => {
    stub.answer(COLLECTIONS, { json: { data: [], next_token: null } });
    stub.answer(`${COLLECTIONS}/daily_activity`, answerDays);
    const scopes = ['daily', 'heartrate'];
    const connected = await cloud.connect('oura', { tokens: { scopes } });
    assert.deepEqual(await deviceRow(connected), { state: 'waiting', from: null, status: 'active' });
    stub.requests.length = 0;
    await cloud.runDue();

    const requests = stub.at(`${COLLECTIONS}/daily_activity`);
    assert.deepEqual(
      requests.map(({ query }) => [query.get('start_date'), query.get('end_date'), query.get('next_token')]),
      [
        ['2026-01-31', '2026-03-02', null],
        ['2026-01-31', '2026-03-02', 'second'],
        ['2026-01-01', '2026-01-31', null],
        ['2026-01-01', '2026-01-31', 'second'],
      ],
    );
    const starts = stub.requests.map(({ query }) => query.get('start_date') ?? query.get('start_datetime') ?? '');
    const firstOld = starts.findIndex((start) => start !== '' && start < '2026-01-30');
    assertEvery(
      starts.slice(firstOld),
      (start) => start < '2026-01-30' || start === '',
      'the newest of all before older ones',
    );
    assert.equal(stub.at(`${COLLECTIONS}/workout`).length, 0, 'no scope, no request');

    assert.deepEqual(await deviceRow(connected), { state: 'done', from: '2026-01-01', status: 'active' });
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 1_027);
    assert.equal((await readDaily(cloud, connected, '2026-01-01')).steps, 1_000);
    const events = await eventsOf(connected);
    assert.equal(events.filter((type) => type === 'device.backfilled').length, 1);
    assert.ok(events.includes('data.updated'));
    const [kept] = await cloud.query<{ count: number }>(
      `select count(*)::int as count from raw_payloads where user_id = $1 and kind = 'provider_page'`,
      [connected.user.userId],
    );
    assert.ok((kept?.count ?? 0) >= 4);
  });

  it('commits pages together, except those of a task that was restarted in between, which is fetched again', async () => {
    stub.answer(COLLECTIONS, { json: { data: [], next_token: null } });
    stub.answer(`${COLLECTIONS}/daily_activity`, answerDays);
    const connected = await cloud.connect('oura', { tokens: { scopes: ['daily'] } });
    let seen = -1;
    stub.answer(`${COLLECTIONS}/daily_readiness`, async ({ query }) => {
      const day = query.get('start_date') ?? '';
      if (seen === -1) {
        const changed = await cloud.query(
          `update sync_tasks set step = step + 1 where device_id = $1 and resource = 'daily_activity' returning 1`,
          [connected.device.id],
        );
        seen = changed.length;
      }
      return { json: { data: [{ id: day, day, temperature_deviation: 0.5 }], next_token: null } };
    });
    stub.requests.length = 0;
    await cloud.runDue();
    assert.equal(seen, 1);
    const requests = stub.at(`${COLLECTIONS}/daily_activity`).map(({ query }) => query.get('next_token'));
    assert.deepEqual(requests, Array.from({ length: 4 }, () => [null, 'second']).flat(), 'all of it twice');
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 1_027);
    assert.equal((await readDaily(cloud, connected, '2026-01-31')).sleep_temperature_deviation, 0.5);
    assert.equal((await deviceRow(connected))?.state, 'done');
    const [kept] = await cloud.query<{ count: number }>(
      `select count(*)::int as count from raw_payloads where user_id = $1 and context::text like '%daily_activity%'`,
      [connected.user.userId],
    );
    assert.equal(kept?.count, 4, 'no page twice');
  });

  it('starts over after a reconnection and clears earlier failures', async () => {
    stub.answer(COLLECTIONS, { json: { data: [], next_token: null } });
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    await cloud.query(
      `update synced_devices set skipped_resources = '{sleep}', backoff_until = 'infinity' where device_id = $1`,
      [connected.device.id],
    );
    stub.requests.length = 0;
    await cloud.reconnect(connected);
    await cloud.runDue();
    assert.ok(stub.at(`${COLLECTIONS}/sleep`).length > 0);
    assert.equal((await deviceRow(connected))?.state, 'done');
  });

  it('requests pushed history window by window: 409 means done, a denial ends that kind', async () => {
    stub.answer('/garmin/wellness-api/rest/backfill', { status: 202 });
    stub.answer('/garmin/wellness-api/rest/backfill/sleeps', { status: 409 });
    stub.answer('/garmin/wellness-api/rest/backfill/hrv', { status: 403 });
    const connected = await cloud.connect('garmin');
    stub.requests.length = 0;
    await cloud.runDue();
    const requests = stub.at('/garmin/wellness-api/rest/backfill');
    assert.equal(requests.length, 14, 'each kind once: thirty days are one window');
    assert.deepEqual(await deviceRow(connected), { state: 'running', from: null, status: 'active' });
    cloud.clock.advance(HOUR_MS);
    stub.requests.length = 0;
    await cloud.runDue();
    assert.equal(stub.at('/garmin').length, 0, 'Garmin is never polled');
    assert.deepEqual(await deviceRow(connected), { state: 'done', from: '2026-01-31', status: 'active' });
    const [left] = await cloud.query<{ left: number }>(
      'select count(*)::int as left from sync_tasks where device_id = $1',
      [connected.device.id],
    );
    assert.equal(left?.left, 0);
  });
});
