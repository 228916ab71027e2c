// Records that a list names and that are fetched one by one, at Strava: within a budget, again if they come later, and deleted only
// if the provider confirms it.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { unpack } from '../../src/platform/zstd.ts';
import { APP, type Connected, openTestCloud } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '30' });
const { stub, clock } = cloud;
const API = '/strava/api/v3';
const SCOPES = ['read', 'activity:read', 'activity:read_all'];

type Activity = {
  readonly id: number;
  readonly at: string;
  readonly seconds: number;
  readonly name: string;
  readonly isProcessed: boolean;
};
let activities: Activity[] = [];
const activity = (id: number, at: string, isProcessed = true): Activity => ({
  id,
  at,
  seconds: 1_800,
  name: 'Morning Run',
  isProcessed,
});
const describeIt = ({ id, at, seconds, name }: Activity) => ({
  id,
  name,
  distance: 5_012.3,
  average_heartrate: 125.4,
  start_date: at,
  start_date_local: at,
  utc_offset: 0,
  elapsed_time: seconds,
  moving_time: seconds,
  sport_type: 'Run',
  manual: false,
  start_latlng: [48.1234, 2.5678],
  map: { summary_polyline: 'kept_by_nobody' },
});

function answerActivity(path: string) {
  const [, id, part] = /\/activities\/(\d+)(\/streams)?$/.exec(path) ?? [];
  const found = activities.find((one) => String(one.id) === id);
  if (found === undefined || (part !== undefined && !found.isProcessed)) return { status: 404, json: { errors: [] } };
  const streams = { time: { data: [0, 60] }, heartrate: { data: [120, 130] } };
  return { json: part === undefined ? { ...describeIt(found), calories: 300 } : streams };
}

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_webhooks', 'provider_accounts', 'provider_budgets'])
    await cloud.query(`delete from ${table}`);
  stub.requests.length = 0;
  stub.answer(`${API}/push_subscriptions`, ({ method }) => ({ json: method === 'GET' ? [] : { id: 1 } }));
  stub.answer(`${API}/activities/`, ({ path }) => answerActivity(path));
  stub.answer(`${API}/athlete/activities`, ({ query }) => {
    const [from, to] = [Number(query.get('after')) * 1_000, Number(query.get('before')) * 1_000];
    const found = activities.filter(({ at }) => Date.parse(at) > from && Date.parse(at) < to);
    return { json: found.toSorted((one, other) => one.at.localeCompare(other.at)).map(describeIt) };
  });
  stub.answer('/strava/oauth/token', { json: { access_token: 'fresh', refresh_token: 'next', expires_in: 21_600 } });
});

const connect = (options = {}) =>
  cloud.connect('strava', { providerUserId: '134815', tokens: { scopes: SCOPES }, ...options });
const requestedIds = () => stub.at(`${API}/activities/`).map(({ path }) => path.slice(`${API}/activities/`.length));
const readStored = ({ user }: Connected) =>
  cloud.query<{ key: string; traced: boolean }>(
    'select key, trace is not null as traced from workouts where user_id = $1 order by key',
    [user.userId],
  );
const keysOf = async (connected: Connected) => (await readStored(connected)).map(({ key }) => key);
const readTasks = () =>
  cloud.query<{ kind: string; parked: boolean }>('select kind, parked_at is not null as parked from sync_tasks');

async function notify(aspect: string, id: number): Promise<void> {
  const event = { aspect_type: aspect, object_type: 'activity', object_id: id, owner_id: 134_815, updates: {} };
  const { status } = await cloud.notify('strava', { body: JSON.stringify(event) });
  assert.equal(status, 200);
  await cloud.processWebhooks();
  await cloud.runDue();
}

describe('a list of records', () => {
  it('is fetched record by record, the newest first, without positions', async () => {
    activities = [
      activity(1, '2026-02-10T06:00:00Z'),
      activity(2, '2026-02-20T06:00:00Z'),
      activity(3, '2026-02-28T06:00:00Z'),
    ];
    const connected = await connect();
    await cloud.runDue();
    assert.deepEqual(requestedIds(), ['3', '3/streams', '2', '2/streams', '1', '1/streams']);
    assert.deepEqual(
      await readStored(connected),
      ['1', '2', '3'].map((key) => ({ key, traced: true })),
    );
    for (const { query } of stub.at(`${API}/activities/3/streams`))
      assert.equal(query.get('keys'), 'time,heartrate,velocity_smooth,cadence,watts');
    const [device] = await cloud.query<{ backfill_state: string }>('select backfill_state from devices where id = $1', [
      connected.device.id,
    ]);
    assert.equal(device?.backfill_state, 'done');
    for (const { payload } of await cloud.query<{ payload: Buffer }>(
      'select payload from raw_payloads where user_id = $1',
      [connected.user.userId],
    ))
      assert.doesNotMatch(Buffer.from(await unpack(payload)).toString(), /48\.1234|kept_by_nobody/);
    const [listed, created] = stub.at(`${API}/push_subscriptions`);
    assert.ok(listed?.query.get('client_secret') && created?.form.get('client_secret'), 'by parameters');
    assert.equal(listed?.headers.authorization, undefined);
  });

  it('costs a poll one request per page if nothing changed; a cropped or renamed record is fetched again', async () => {
    activities = [activity(1, '2026-02-28T06:00:00Z'), activity(2, '2026-03-01T06:00:00Z')];
    const connected = await connect();
    await cloud.runDue();
    stub.requests.length = 0;
    const poll = async () => {
      clock.advance(8 * HOUR_MS);
      await cloud.runDue();
    };
    await poll();
    assert.ok(stub.at(`${API}/athlete/activities`).length > 0);
    assert.deepEqual(requestedIds(), []);
    activities = activities.map((one) => (one.id === 2 ? { ...one, seconds: 900 } : one));
    await poll();
    assert.deepEqual(requestedIds(), ['2', '2/streams']);
    assert.deepEqual(await keysOf(connected), ['1', '2']);
    activities = activities.map((one) => (one.id === 1 ? { ...one, name: 'Race' } : one));
    stub.requests.length = 0;
    await poll();
    assert.deepEqual(requestedIds(), ['1', '1/streams']);
    stub.requests.length = 0;
    await poll();
    assert.deepEqual(requestedIds(), []);
  });

  it('waits for the next quarter hour when the budget is spent, and repeats at most one request', async () => {
    activities = Array.from({ length: 6 }, (_, index) => activity(index + 1, `2026-02-1${index}T06:00:00Z`));
    let used = 91;
    stub.answer(`${API}/activities/`, ({ path }) => {
      used += 1;
      const date = clock.now().toUTCString();
      const headers = { date, 'x-readratelimit-limit': '100,1000', 'x-readratelimit-usage': `${used},300` };
      return { ...answerActivity(path), headers };
    });
    const connected = await connect();
    await cloud.runDue();
    const before = requestedIds().length;
    assert.ok(before > 0 && before < 12, `${before} requests`);
    used = 0;
    clock.advance(15 * MINUTE_MS);
    await cloud.runDue();
    assert.equal((await keysOf(connected)).length, 6);
    assert.ok(requestedIds().length <= 13, `${requestedIds().length} requests`);
  });
});

describe('a record that is still processed', () => {
  it('is stored without its series, and with them once they are there', async () => {
    activities = [];
    const connected = await connect();
    await cloud.runDue();
    activities = [activity(7, '2026-02-28T06:00:00Z', false)];
    await notify('create', 7);
    assert.deepEqual(await readStored(connected), [{ key: '7', traced: false }]);
    activities = [activity(7, '2026-02-28T06:00:00Z')];
    clock.advance(MINUTE_MS);
    await cloud.runDue();
    assert.deepEqual(await readStored(connected), [{ key: '7', traced: true }]);
    assert.deepEqual(await readTasks(), []);
  });

  it('is requested again a few times even if nothing is there yet, and never parked', async () => {
    activities = [];
    const connected = await connect();
    await cloud.runDue();
    stub.requests.length = 0;
    await notify('create', 8);
    for (let hours = 0; hours < 12; hours += 1) {
      clock.advance(HOUR_MS);
      await cloud.runDue();
    }
    assert.deepEqual(requestedIds(), ['8', '8', '8', '8', '8', '8']);
    assert.deepEqual([await readTasks(), await keysOf(connected)], [[], []]);
  });
});

describe('a webhook without a signature', () => {
  it('deletes a record only if the provider does not have it', async () => {
    activities = [activity(1, '2026-02-27T06:00:00Z'), activity(2, '2026-02-28T06:00:00Z')];
    const connected = await connect();
    await cloud.runDue();
    await notify('delete', 2);
    assert.deepEqual(await keysOf(connected), ['1', '2'], 'it is still there');
    activities = activities.slice(0, 1);
    await notify('delete', 2);
    assert.deepEqual(await keysOf(connected), ['1']);
    assert.deepEqual(await readTasks(), []);
  });

  it('ends the connection only if the provider refuses the tokens', async () => {
    activities = [];
    const connected = await connect();
    await cloud.runDue();
    const event = { aspect_type: 'update', object_type: 'athlete', object_id: 134_815, owner_id: 134_815 };
    const send = async () => {
      const body = JSON.stringify({ ...event, updates: { authorized: 'false' } });
      assert.equal((await cloud.notify('strava', { body })).status, 200);
      await cloud.processWebhooks();
      await cloud.runDue();
      const [device] = await cloud.query<{ status: string }>('select status from devices where id = $1', [
        connected.device.id,
      ]);
      return device?.status;
    };
    assert.equal(await send(), 'active');
    const errors = [{ resource: 'RefreshToken', field: 'refresh_token', code: 'invalid' }];
    stub.answer('/strava/oauth/token', { status: 400, json: { message: 'Bad Request', errors } });
    assert.equal(await send(), 'reauthorize');
  });

  it('is not accepted at another path', async () => {
    const { status } = await cloud.notify('strava', { body: '{}', app: APP, secret: 'guess' });
    assert.equal(status, 404);
  });
});
