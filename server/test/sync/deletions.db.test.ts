// Deletions at a provider: deleted records are deleted here, and nothing else is. (Withings, Polar and Garmin report no
// deletions.)

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { listAppsById } from '../../src/features/clouds/provider-apps/index.ts';
import { replayUser } from '../../src/features/operator/replay/replay.ts';
import { findProvider } from '../../src/providers/registry.ts';
import { APP, type Connected, openTestCloud, readDaily } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '30' });
const { stub, clock } = cloud;

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_webhooks', 'provider_accounts', 'event_outbox'])
    await cloud.query(`delete from ${table}`);
  stub.answer('/oura/v2/usercollection', { json: { data: [], next_token: null } });
  stub.answer('/oura/v2/webhook/subscription', ({ method }) => ({ json: method === 'GET' ? [] : { id: 's' } }));
  stub.answer('/whoop', { json: { records: [], next_token: null } });
});

async function sign(provider: string, time: string, body: string) {
  const [app] = await listAppsById(cloud.services, provider, APP);
  return createHmac('sha256', app?.client.clientSecret ?? '').update(time + body);
}

async function sendOura({ providerUserId }: Connected, data_type: string, object_id: string): Promise<void> {
  const event = { event_type: 'delete', data_type, object_id, user_id: providerUserId };
  const body = JSON.stringify({ ...event, event_time: clock.now().toISOString() });
  const time = String(Math.floor(clock.now().getTime() / 1_000));
  const signature = (await sign('oura', time, body)).digest('hex');
  const headers = { 'x-oura-signature': signature, 'x-oura-timestamp': time };
  assert.equal((await cloud.notify('oura', { body, headers })).status, 200);
}

async function sendWhoop({ providerUserId }: Connected, type: string, id: string): Promise<void> {
  const body = JSON.stringify({ user_id: Number(providerUserId), id, type, trace_id: id });
  const time = String(clock.now().getTime());
  const signature = (await sign('whoop', time, body)).digest('base64');
  const headers = { 'x-whoop-signature': signature, 'x-whoop-signature-timestamp': time };
  assert.equal((await cloud.notify('whoop', { body, headers })).status, 200);
}

async function work(): Promise<void> {
  await cloud.processWebhooks();
  await cloud.runDue();
}

type Change = { metrics: string[]; from: string; to: string; deleted: boolean };

function readChanges({ user }: Connected): Promise<Change[]> {
  return cloud.query<Change>(
    `select metrics, from_date::text as "from", to_date::text as "to", has_deletions as deleted from event_outbox
      where user_id = $1 and type = 'data.updated' order by seq`,
    [user.userId],
  );
}

describe('a document of a day that Oura deleted', () => {
  const ACTIVITY = '/oura/v2/usercollection/daily_activity';
  const DAYS = ['2026-02-12', '2026-02-25', '2026-02-26', '2026-02-27'];
  const documents = (days: readonly string[]) => days.map((day) => ({ id: `a ${day}`, day, steps: 5_000 }));
  const serve = (days: readonly string[]) =>
    stub.answer(ACTIVITY, ({ query }) => {
      const [from = '', to = ''] = [query.get('start_date'), query.get('end_date')].map((date) => date ?? '');
      return { json: { data: documents(days.filter((day) => day >= from && day < to)), next_token: null } };
    });
  const readSteps = (connected: Connected) =>
    Promise.all(DAYS.map(async (day) => (await readDaily(cloud, connected, day)).steps ?? null));

  it('deletes the values of its day and of no other, and the event reports deletions', async () => {
    serve(DAYS);
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    assert.deepEqual(await readSteps(connected), [5_000, 5_000, 5_000, 5_000]);
    await cloud.query('delete from event_outbox');

    stub.answer(ACTIVITY, { status: 500 });
    await sendOura(connected, 'daily_activity', 'a 2026-02-26');
    await work();
    assert.deepEqual(
      await readSteps(connected),
      [5_000, 5_000, 5_000, 5_000],
      'nothing is deleted before the provider answers',
    );

    serve(DAYS.filter((day) => day !== '2026-02-26'));
    clock.advance(HOUR_MS);
    await work();
    assert.deepEqual(await readSteps(connected), [5_000, 5_000, null, 5_000]);
    const [change, ...more] = await readChanges(connected);
    assert.deepEqual([change?.metrics, change?.deleted, more], [['steps'], true, []]);
    assert.ok(change !== undefined && change.from <= '2026-02-26' && change.to >= '2026-02-26');
  });

  it('emits no event if everything it may have contained is still there', async () => {
    serve(DAYS);
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    await cloud.query('delete from event_outbox');
    await sendOura(connected, 'daily_activity', 'of a month ago');
    await work();
    assert.deepEqual(await readSteps(connected), [5_000, 5_000, 5_000, 5_000]);
    assert.deepEqual(await readChanges(connected), []);
  });

  it('is not deleted if Oura has no answer: the task is retried and finally parked', async () => {
    serve(DAYS);
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    await cloud.query('delete from event_outbox');
    stub.answer(ACTIVITY, { status: 404 });
    await sendOura(connected, 'daily_activity', 'a 2026-02-26');
    await work();
    const waiting = await cloud.query('select 1 from sync_tasks where details is not null and parked_at is null');
    assert.equal(waiting.length, 2);
    for (let hours = 0; hours < 8; hours += 1) {
      clock.advance(HOUR_MS);
      await work();
    }
    assert.deepEqual(await readSteps(connected), [5_000, 5_000, 5_000, 5_000]);
    assert.deepEqual(await readChanges(connected), []);
    const [left] = await cloud.query<{ open: number; parked: number }>(
      `select count(*) filter (where parked_at is null)::int as open,
         count(*) filter (where parked_at is not null)::int as parked from sync_tasks where details is not null`,
    );
    assert.deepEqual(left, { open: 0, parked: 2 });
  });

  it('is not deleted if the operator disabled the part of the resource since the webhook', async (t) => {
    serve(DAYS);
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    await sendOura(connected, 'daily_activity', 'a 2026-02-26');
    await cloud.processWebhooks();
    const activity = findProvider('oura')?.resources.find(({ name }) => name === 'daily_activity');
    assert.ok(activity);
    const changing: { part?: string } = activity as { part?: string };
    changing.part = 'trial';
    t.after(() => delete changing.part);
    stub.requests.length = 0;
    await cloud.runDue();
    assert.equal(stub.at(ACTIVITY).length, 0);
    assert.deepEqual(await readSteps(connected), [5_000, 5_000, 5_000, 5_000]);
    const waiting = await cloud.query('select 1 from sync_tasks where details is not null');
    assert.equal(waiting.length, 0, 'the tasks are done');
  });

  it('reconciles two weeks, once for all documents deleted together', async () => {
    serve(DAYS);
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    serve([]);
    stub.requests.length = 0;
    for (const day of DAYS) await sendOura(connected, 'daily_activity', `a ${day}`);
    await work();
    assert.equal(stub.at(ACTIVITY).length, 2);
    assert.deepEqual(
      await readSteps(connected),
      [5_000, null, null, null],
      'older values stay until they are sent again',
    );
  });
});

describe('records that are reconciled and sent again on several pages', () => {
  const ACTIVITY = '/oura/v2/usercollection/daily_activity';
  const DAYS = Array.from({ length: 13 }, (_, index) => `2026-02-${index + 16}`);
  const daysBetween = (query: URLSearchParams) =>
    (Date.parse(query.get('end_date') ?? '') - Date.parse(query.get('start_date') ?? '')) / (24 * HOUR_MS);
  /** Alternates between as many pages as the window has days. */
  const serve = (days: readonly string[], pagesOf: (days: number) => number) =>
    stub.answer(ACTIVITY, ({ query }) => {
      const page = Number(query.get('next_token') ?? '0');
      const pages = pagesOf(daysBetween(query));
      const [from = '', to = ''] = [query.get('start_date'), query.get('end_date')].map((date) => date ?? '');
      const documents = days
        .filter((day) => day >= from && day < to)
        .filter((_, index) => index % pages === page)
        .map((day) => ({ id: `a ${day}`, day, steps: 5_000 }));
      return { json: { data: documents, next_token: page + 1 < pages ? String(page + 1) : null } };
    });
  const connect = async () => {
    serve(DAYS, () => 2);
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    assert.deepEqual(await listGone(connected), []);
    await cloud.query('delete from event_outbox');
    stub.requests.length = 0;
    return connected;
  };
  const listGone = async (connected: Connected) => {
    const all = await Promise.all(DAYS.map((day) => readDaily(cloud, connected, day)));
    return DAYS.filter((_, index) => all[index]?.steps !== 5_000);
  };
  const readRevision = async ({ user }: Connected) => {
    const [row] = await cloud.query<{ revision: string }>('select data_revision as revision from users where id = $1', [
      user.userId,
    ]);
    return row?.revision;
  };

  it('do not change if nothing is deleted: no event, no revision', async () => {
    const connected = await connect();
    const revision = await readRevision(connected);
    await sendOura(connected, 'daily_activity', 'of a month ago');
    await work();
    assert.equal(stub.at(ACTIVITY).length, 4, 'two windows of two pages');
    assert.deepEqual(await listGone(connected), []);
    assert.deepEqual(await readChanges(connected), []);
    assert.equal(await readRevision(connected), revision);
  });

  it('lose only deleted values, and nothing while a page is pending', async () => {
    const connected = await connect();
    const isSecond = (query: URLSearchParams) => query.get('next_token') !== null;
    stub.answer(ACTIVITY, ({ query }) =>
      isSecond(query) ? { status: 500 } : { json: { data: [], next_token: 'second' } },
    );
    await sendOura(connected, 'daily_activity', 'a 2026-02-26');
    await work();
    assert.ok(stub.requests.some(({ query }) => isSecond(query)));
    assert.deepEqual(await listGone(connected), []);
    assert.deepEqual(await readChanges(connected), []);

    serve(
      DAYS.filter((day) => day !== '2026-02-26'),
      () => 2,
    );
    clock.advance(HOUR_MS);
    await work();
    assert.deepEqual(await listGone(connected), ['2026-02-26']);
    const [change, ...more] = await readChanges(connected);
    assert.deepEqual([change, more], [{ metrics: ['steps'], from: '2026-02-26', to: '2026-02-26', deleted: true }, []]);

    await replayUser(cloud.services, connected.user.tenant, connected.user.userId);
    assert.deepEqual(await listGone(connected), ['2026-02-26'], 'and so it is when its pages are replayed');
  });

  it('are reconciled in halves if the window is too large for one transaction', async () => {
    const connected = await connect();
    const gone = ['2026-02-17', '2026-02-20', '2026-02-23', '2026-02-28'];
    serve(
      DAYS.filter((day) => !gone.includes(day)),
      (days) => days * 5,
    );
    await sendOura(connected, 'daily_activity', 'a 2026-02-28');
    await work();
    assert.ok(stub.requests.some(({ query }) => daysBetween(query) < 7));
    assert.deepEqual(await listGone(connected), gone);
    assert.deepEqual(await cloud.query('select 1 from sync_tasks where details is not null'), []);
  });

  it('stay if the pages never end', async () => {
    const connected = await connect();
    serve(DAYS.slice(0, 1), () => Number.POSITIVE_INFINITY);
    await sendOura(connected, 'daily_activity', 'a 2026-02-26');
    await work();
    assert.deepEqual(await listGone(connected), []);
    assert.equal((await cloud.query('select 1 from sync_tasks where details is not null and attempts = 1')).length, 2);
  });
});

describe('a sleep that WHOOP deleted', () => {
  const night = (day: string, before: string) => ({
    id: `night ${day}`,
    cycle_id: Number(day.replaceAll('-', '')),
    start: `${before}T22:00:00.000Z`,
    end: `${day}T05:00:00.000Z`,
    timezone_offset: '+01:00',
    nap: false,
    score_state: 'PENDING_SCORE',
  });
  const recovery = (day: string) => ({
    sleep_id: `night ${day}`,
    score_state: 'SCORED',
    score: { resting_heart_rate: 52 },
  });
  // The first night crosses the start of the two weeks.
  const NIGHTS: [string, string][] = [
    ['2026-02-16', '2026-02-15'],
    ['2026-02-22', '2026-02-21'],
    ['2026-02-27', '2026-02-26'],
  ];
  const serve = (nights: readonly [string, string][], recoveries = nights) => {
    const within = (query: URLSearchParams, [, before]: [string, string]) =>
      `${before}T22:00:00.000Z` >= (query.get('start') ?? '') && `${before}T22:00:00.000Z` < (query.get('end') ?? 'z');
    const page = (records: object[]) => ({ json: { records, next_token: null } });
    stub.answer('/whoop/developer/v2/activity/sleep', ({ query }) =>
      page(nights.filter((one) => within(query, one)).map(([day, before]) => night(day, before))),
    );
    stub.answer('/whoop/developer/v2/recovery', page(recoveries.map(([day]) => recovery(day))));
  };
  const readHearts = (connected: Connected) =>
    Promise.all(NIGHTS.map(async ([day]) => (await readDaily(cloud, connected, day)).resting_heart_rate ?? null));
  const countNights = async ({ user }: Connected) =>
    (await cloud.query('select 1 from sleep_sessions where user_id = $1', [user.userId])).length;

  it('deletes the day values of its recovery; other nights and their days stay', async () => {
    serve(NIGHTS);
    const connected = await cloud.connect('whoop', { providerUserId: '7001' });
    await cloud.runDue();
    assert.deepEqual([await countNights(connected), await readHearts(connected)], [3, [52, 52, 52]]);
    serve(NIGHTS.slice(0, 2));
    await sendWhoop(connected, 'sleep.deleted', 'night 2026-02-27');
    await work();
    assert.deepEqual([await countNights(connected), await readHearts(connected)], [2, [52, 52, null]]);
  });

  it('counts as a deletion for its former day if it moved to another day', async () => {
    serve(NIGHTS);
    const connected = await cloud.connect('whoop', { providerUserId: '7003' });
    await cloud.runDue();
    const [first, ...rest] = await readChanges(connected);
    assert.deepEqual([first?.deleted, rest], [false, []]);
    const moved = { ...night('2026-02-25', '2026-02-24'), id: 'night 2026-02-27' };
    stub.answer('/whoop/developer/v2/activity/sleep', ({ path }) =>
      path.endsWith('sleep') ? { json: { records: [moved], next_token: null } } : { json: moved },
    );
    await sendWhoop(connected, 'sleep.updated', 'night 2026-02-27');
    await work();
    const [change, ...more] = (await readChanges(connected)).slice(1);
    assert.deepEqual([change?.from, change?.to, change?.deleted, more], ['2026-02-25', '2026-02-27', true, []]);
  });

  it('stays if only its recovery was deleted', async () => {
    serve(NIGHTS);
    const connected = await cloud.connect('whoop', { providerUserId: '7002' });
    await cloud.runDue();
    serve(NIGHTS, NIGHTS.slice(0, 2));
    await sendWhoop(connected, 'recovery.deleted', 'night 2026-02-27');
    await work();
    assert.deepEqual([await countNights(connected), await readHearts(connected)], [3, [52, 52, null]]);
  });

  for (const path of ['recovery', 'cycle'])
    for (const status of [403, 404])
      it(`keeps everything if ${path} answers ${status}`, async () => {
        serve(NIGHTS);
        const cycle = ([day]: [string, string]) => ({
          id: Number(day.replaceAll('-', '')),
          score_state: 'SCORED',
          score: { average_heart_rate: 61 },
        });
        stub.answer('/whoop/developer/v2/cycle', { json: { records: NIGHTS.map(cycle), next_token: null } });
        const connected = await cloud.connect('whoop', { providerUserId: `7${status}${path.length}` });
        await cloud.runDue();
        const readAll = async () => [
          await Promise.all(NIGHTS.map(([day]) => readDaily(cloud, connected, day))),
          await cloud.query('select * from sleep_sessions where user_id = $1 order by id', [connected.user.userId]),
        ];
        const before = await readAll();
        assert.deepEqual(await readHearts(connected), [52, 52, 52]);
        assert.equal((await readDaily(cloud, connected, '2026-02-27')).heart_rate, 61);

        stub.answer(`/whoop/developer/v2/${path}`, { status });
        await sendWhoop(connected, 'sleep.deleted', 'of a month ago');
        await work();
        assert.deepEqual(await readAll(), before);
      });
});
