// Provider webhooks: verified, acknowledged once they are durable, processed later.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, beforeEach, describe, it, mock } from 'node:test';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time/durations.ts';
import { removeAccount } from '../../src/features/clouds/provider-accounts/index.ts';
import {
  FIRST_WEBHOOK_VERSION,
  listAppsById,
  verificationTokenOf,
} from '../../src/features/clouds/provider-apps/index.ts';
import { forgetDevice, processWebhook } from '../../src/features/clouds/sync/index.ts';
import { openSampleBuffer } from '../../src/features/store/samples/index.ts';
import type { Transaction } from '../../src/platform/db/database.ts';
import { unpack } from '../../src/platform/zstd.ts';
import { assertEvery } from '../support/assert-every.ts';
import { callRaw, sendBytes } from '../support/raw-http.ts';
import { APP, type Connected, openTestCloud, readDaily } from '../support/test-cloud.ts';
import { waitUntil } from '../support/wait-until.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '3' });
const { stub, clock } = cloud;

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_webhooks', 'provider_accounts'])
    await cloud.query(`delete from ${table}`);
  stub.answer('/oura/v2/usercollection', { json: { data: [], next_token: null } });
  stub.answer('/oura/v2/webhook/subscription', ({ method }) => ({ json: method === 'GET' ? [] : { id: 's' } }));
  stub.answer('/garmin', { status: 202 });
  stub.answer('/withings', {
    json: { status: 0, body: { profiles: [], series: [], measuregrps: [], activities: [] } },
  });
  stub.requests.length = 0;
});

const count = async (table: string) =>
  (await cloud.query<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count ?? -1;

async function clientSecret(provider: string): Promise<string> {
  return (await listAppsById(cloud.services, provider, APP))[0]?.client.clientSecret ?? '';
}

async function notifyOura(body: object, { secret, time = clock.now() }: { secret?: string; time?: Date } = {}) {
  const text = JSON.stringify(body);
  const stamp = String(Math.floor(time.getTime() / 1_000));
  const signature = createHmac('sha256', secret ?? (await clientSecret('oura')))
    .update(stamp + text)
    .digest('hex');
  const headers = { 'x-oura-signature': signature, 'x-oura-timestamp': stamp, 'content-type': 'application/json' };
  return cloud.notify('oura', { body: text, headers });
}

const ofOura = ({ providerUserId }: Connected, event: object) => ({
  event_type: 'update',
  data_type: 'workout',
  object_id: 'w-1',
  user_id: providerUserId,
  event_time: '2026-03-01T11:00:00+00:00',
  ...event,
});
const WORKOUT = {
  id: 'w-1',
  activity: 'running',
  day: '2026-03-01',
  start_datetime: '2026-03-01T08:00:00+01:00',
  end_datetime: '2026-03-01T09:00:00+01:00',
  intensity: 'moderate',
  source: 'confirmed',
};

describe('webhooks of COROS, which repeat the credentials of the client', () => {
  const RECEIVED = { message: 'ok', result: '0000' };
  const BODY = '{"sportDataList":[{"openId":"open-1","labelId":451234567890123456,"startTime":1772431510}]}';

  it('answers the status check, and acknowledges with the body that COROS expects', async () => {
    const client = (await listAppsById(cloud.services, 'coros', APP))[0]?.client ?? assert.fail('no application');
    const headers = { client: client.clientId, secret: client.clientSecret, 'content-type': 'application/json' };
    const answer = await cloud.notify('coros', { body: BODY, headers });
    assert.deepEqual([answer.status, await answer.json()], [200, RECEIVED]);
    assert.equal(await count('provider_webhooks'), 1);
    const forged = await cloud.notify('coros', { body: BODY, headers: { ...headers, secret: 'x' } });
    assert.deepEqual([forged.status, await count('provider_webhooks')], [401, 1]);
    const check = await cloud.notify('coros', { method: 'GET' });
    assert.deepEqual([check.status, await check.json()], [200, RECEIVED]);
  });
});

describe('webhooks of Oura, which are signed', () => {
  it('stores and acknowledges a genuine one and fetches its document; a duplicate counts once', async () => {
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    stub.answer('/oura/v2/usercollection/workout/w-1', { json: WORKOUT });
    stub.requests.length = 0;
    for (let count = 0; count < 2; count += 1) assert.equal((await notifyOura(ofOura(connected, {}))).status, 200);
    assert.equal(await count('provider_webhooks'), 2);
    assert.equal(stub.requests.length, 0, 'no request before the acknowledgement');
    assert.equal(await cloud.processWebhooks(), 2);
    assert.equal(await count('provider_webhooks'), 0);
    await cloud.runDue();
    assert.equal(stub.at('/oura/v2/usercollection/workout/w-1').length, 1);
    assert.equal(await count(`workouts where user_id = '${connected.user.userId}'`), 1);

    await notifyOura(ofOura(connected, { event_type: 'delete' }));
    await cloud.processWebhooks();
    await cloud.runDue();
    assert.equal(await count(`workouts where user_id = '${connected.user.userId}'`), 0, 'vendor deletions delete');
  });

  it('processes one that arrives while its task is running', async () => {
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    await notifyOura(ofOura(connected, {}));
    await cloud.processWebhooks();
    let version = 1;
    stub.answer('/oura/v2/usercollection/workout/w-1', async () => {
      const reported = { ...WORKOUT, label: `version ${version}` };
      if (version === 1) {
        version = 2;
        await notifyOura(ofOura(connected, {}));
        await cloud.processWebhooks();
      }
      return { json: reported };
    });
    await cloud.runDue();
    const [row] = await cloud.query<{ record: { name?: string } }>('select record from workouts where user_id = $1', [
      connected.user.userId,
    ]);
    assert.match(JSON.stringify(row?.record), /version 2/);
  });

  it('adds tasks for every user who connected the account, and for no other', async () => {
    const one = await cloud.connect('oura', { providerUserId: 'shared' });
    const two = await cloud.connect('oura', { providerUserId: 'shared' });
    const other = await cloud.connect('oura');
    await cloud.runDue();
    await notifyOura(ofOura(one, {}));
    await notifyOura(ofOura({ ...one, providerUserId: 'nobody' }, {}));
    await cloud.processWebhooks();
    const rows = await cloud.query<{ device_id: string }>(`select device_id from sync_tasks where kind = 'one'`);
    assert.deepEqual(new Set(rows.map(({ device_id }) => device_id)), new Set([one.device.id, two.device.id]));
    assert.ok(!rows.some(({ device_id }) => device_id === other.device.id));
    assert.match(
      await cloud.services.metrics.render(),
      /provider_webhooks_total\{provider="oura",outcome="unknown_person"\} 1/,
    );
  });

  it('rejects forged and old ones and wrong URLs, and stores nothing', async () => {
    const connected = await cloud.connect('oura');
    const event = ofOura(connected, {});
    assert.equal((await notifyOura(event, { secret: 'guessed' })).status, 401);
    assert.equal((await notifyOura(event, { time: new Date(clock.now().getTime() - DAY_MS) })).status, 401);
    assert.equal((await cloud.notify('oura', { body: JSON.stringify(event), secret: 'x' })).status, 404);
    assert.equal((await cloud.notify('oura', { body: '{}', app: 'unknown' })).status, 404);
    assert.equal(
      (await fetch(`${cloud.service.url}/provider-webhooks/nobody/${APP}/x`, { method: 'POST' })).status,
      404,
    );
    assert.equal(await count('provider_webhooks'), 0);
  });

  it('answers the challenge if the token is right', async () => {
    const [app] = await listAppsById(cloud.services, 'oura', APP);
    assert.ok(app);
    const token = verificationTokenOf(cloud.services, app, FIRST_WEBHOOK_VERSION);
    const good = await cloud.notify('oura', { method: 'GET', query: `?verification_token=${token}&challenge=abc` });
    assert.deepEqual([good.status, await good.json()], [200, { challenge: 'abc' }]);
    const bad = await cloud.notify('oura', { method: 'GET', query: '?verification_token=no&challenge=abc' });
    assert.equal(bad.status, 401);
  });

  it('counts and drops an unreadable one', async () => {
    await notifyOura({ hello: 'there' });
    assert.equal(await cloud.processWebhooks(), 1);
    assert.equal(await count('provider_webhooks'), 0);
    assert.match(await cloud.services.metrics.render(), /outcome="unreadable"\} 1/);
  });
});

describe('a webhook that cannot be processed', () => {
  it('is dropped and counted, and those before and after it are read', async () => {
    const connected = await cloud.connect('oura');
    await cloud.runDue();
    await cloud.query('delete from sync_tasks');
    await notifyOura(ofOura(connected, { object_id: 'before' }));
    await notifyOura(ofOura(connected, { user_id: 'a\u0000b' })); // text that PostgreSQL rejects
    await notifyOura(ofOura(connected, { object_id: 'after' }));
    await cloud.processWebhooks();
    assert.equal(await count('provider_webhooks'), 0);
    const rows = await cloud.query<{ id: string }>(`select details ->> 'id' as id from sync_tasks order by 1`);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['after', 'before'],
    );
  });
});

describe('a webhook for a user who is being disconnected', () => {
  const disconnect = async ({ user, device }: Connected, work: (tx: Transaction) => Promise<void>) =>
    cloud.services.db.transaction(async (tx) => {
      await forgetDevice(tx, user, device.id, clock.now());
      await removeAccount(tx, user, device.id);
      await work(tx);
    });

  const somebodyWaits = () =>
    waitUntil('one waits for the other', async () => (await count(`pg_locks where not granted`)) > 0);

  it('leaves no task behind, in either order', async () => {
    const first = await cloud.connect('garmin');
    const second = await cloud.connect('garmin');
    await cloud.runDue();
    await cloud.query('delete from sync_tasks');
    const [app] = await listAppsById(cloud.services, 'garmin', APP);
    assert.ok(app);
    const webhook = ({ providerUserId }: Connected) =>
      ({ kind: 'pushed', providerUserId, resource: 'dailies', body: [{ summaryId: 'x' }] }) as const;
    const take = (tx: Transaction, connected: Connected) => processWebhook(cloud.services, tx, app, webhook(connected));

    // The webhook is read before the disconnection commits: it finds the account and then waits.
    let reading: Promise<unknown> = Promise.resolve();
    await disconnect(first, async () => {
      reading = cloud.services.db.transaction((tx) => take(tx, first));
      await somebodyWaits();
    });
    await reading;
    // The disconnection begins before the webhook commits.
    let leaving: Promise<unknown> = Promise.resolve();
    await cloud.services.db.transaction(async (tx) => {
      await take(tx, second);
      leaving = disconnect(second, async () => {});
      await somebodyWaits();
    });
    await leaving;
    assert.equal(await count('sync_tasks'), 0);
  });
});

describe('a webhook of Garmin, which contains the data', () => {
  const daily = (connected: Connected, steps: number, summaryId = 'd-1') => ({
    userId: connected.providerUserId,
    summaryId,
    calendarDate: '2026-02-27',
    startTimeInSeconds: Date.parse('2026-02-26T23:00:00Z') / 1_000,
    startTimeOffsetInSeconds: 3_600,
    durationInSeconds: 86_400,
    steps,
  });
  const push = (body: object) =>
    cloud.notify('garmin', { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

  it('is stored for each user, in order of arrival', async () => {
    const one = await cloud.connect('garmin');
    const two = await cloud.connect('garmin');
    await cloud.runDue();
    assert.equal((await push({ dailies: [daily(one, 3_000), daily(two, 7_000)] })).status, 200);
    assert.equal((await push({ dailies: [daily(one, 4_000)] })).status, 200);
    await cloud.processWebhooks();
    stub.requests.length = 0;
    await cloud.runDue();
    assert.equal(stub.requests.length, 0);
    assert.equal((await readDaily(cloud, one, '2026-02-27')).steps, 4_000, 'late changes replace');
    assert.equal((await readDaily(cloud, two, '2026-02-27')).steps, 7_000);
  });

  it('is stored even during a backoff of the provider', async () => {
    stub.answer('/garmin', { status: 500 });
    const connected = await cloud.connect('garmin');
    await cloud.runDue();
    await push({ dailies: [daily(connected, 5_000)] });
    await cloud.processWebhooks();
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 5_000);
  });

  it('may be long: all of it is stored, and a body over the limit is rejected', async () => {
    const connected = await cloud.connect('garmin');
    await cloud.runDue();
    const padding = 'x'.repeat(12 * 1_048_576);
    assert.equal((await push({ padding, dailies: [daily(connected, 6_000)] })).status, 200);
    await cloud.processWebhooks();
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 6_000);
    const [app] = await listAppsById(cloud.services, 'garmin', APP);
    assert.ok(app);
    const url = `${cloud.service.url}/provider-webhooks/garmin/${APP}/${verificationTokenOf(cloud.services, app, FIRST_WEBHOOK_VERSION)}`;
    const refused = await callRaw(url, { method: 'POST', body: padding.repeat(3) }).then(
      ({ status }) => status,
      () => 'cut off',
    );
    assert.ok(refused === 413 || refused === 'cut off', String(refused));
    assert.equal(await count('provider_webhooks'), 0);
  });

  it('waits with its positions only if the account keeps routes, whether small or large', async (t) => {
    const connected = await cloud.connect('garmin');
    await cloud.runDue();
    const { providerUserId: userId, user } = connected;
    const samples = [{ startTimeInSeconds: 1_772_200_000, latitudeInDegree: 60.1712, longitudeInDegree: 24.9 }];
    const activityDetails = [{ userId, activityId: 9, summary: { startingLatitudeInDegree: 60.1712 }, samples }];
    const setRoutes = (keepsRoutes: boolean) =>
      cloud.query('update accounts set keep_routes = $2 where id = $1', [user.tenant.accountId, keepsRoutes]);
    t.after(() => setRoutes(false));
    for (const keepsRoutes of [false, true])
      for (const padding of ['', 'x'.repeat(65_536)]) {
        await setRoutes(keepsRoutes);
        await cloud.query('delete from sync_tasks');
        await push({ padding, activityDetails });
        await cloud.processWebhooks();
        const [task] = await cloud.query<{ body: Buffer }>(`select body from sync_tasks where kind = 'pushed'`);
        assert.ok(task);
        const text = (await unpack(task.body)).toString();
        assert.deepEqual([text.includes('1772200000'), text.includes('60.1712')], [true, keepsRoutes]);
      }
    await cloud.query('delete from sync_tasks');
  });

  it('may contain a day of heart rates, one key every 15 seconds', async () => {
    const connected = await cloud.connect('garmin');
    await cloud.runDue();
    const beats = Object.fromEntries(Array.from({ length: 5_760 }, (_, index) => [String(index * 15), 60]));
    await push({ dailies: [{ ...daily(connected, 6_000), timeOffsetHeartRateSamples: beats }] });
    await cloud.processWebhooks();
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 6_000);
  });

  it('is parsed in a thread if it is large, on the event loop if it is small', async () => {
    const connected = await cloud.connect('garmin');
    await cloud.runDue();
    const spy = mock.method(cloud.services.threads, 'run');
    await push({ dailies: [daily(connected, 1_000)] });
    await cloud.processWebhooks();
    assert.equal(spy.mock.callCount(), 0);
    await push({ padding: 'x'.repeat(65_536), dailies: [daily(connected, 2_000)] });
    await cloud.processWebhooks();
    assert.equal(spy.mock.callCount(), 1);
    spy.mock.restore();
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 2_000);
  });

  it('is acknowledged, dropped and counted if it exceeds a limit or is not JSON; the next one is read', async () => {
    const connected = await cloud.connect('garmin');
    await cloud.runDue();
    const unreadable = async () =>
      Number(/provider="garmin",outcome="unreadable"\} (\d+)/.exec(await cloud.services.metrics.render())?.[1] ?? 0);
    const before = await unreadable();
    const keys = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 0]));
    const bodies = [
      `{"x":${'['.repeat(40)}${']'.repeat(40)}}`,
      JSON.stringify({ x: keys }),
      `{"x":[${'0,'.repeat(3_200_000)}0]}`,
      `{"x":[${'[],'.repeat(600_000)}[]]}`,
      `{"dailies":"${'x'.repeat(70_000)}`,
    ];
    for (const body of bodies) assert.equal((await cloud.notify('garmin', { body })).status, 200);
    await push({ dailies: [daily(connected, 3_000)] });
    await waitUntil('all are read', async () => (await cloud.processWebhooks()) === 0);
    assert.equal((await unreadable()) - before, bodies.length);
    assert.equal(await count('provider_webhooks'), 0);
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 3_000);
  });

  it('is read a few at a time if it is large', async () => {
    await cloud.connect('garmin');
    for (let index = 0; index < 3; index += 1) await push({ padding: 'x'.repeat(5 * 1_048_576) });
    assert.equal(await cloud.processWebhooks(), 2);
    assert.equal(await cloud.processWebhooks(), 1);
  });

  it('to a wrong URL is answered before its body is read', async () => {
    const head = `POST /provider-webhooks/garmin/${APP}/guessed HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n`;
    assert.match(await sendBytes(cloud.service.url, `${head}{`), /^HTTP\/1.1 404 /);
  });

  it('sets the device to reauthorize when the user ends the registration', async () => {
    const connected = await cloud.connect('garmin');
    await cloud.runDue();
    await push({ deregistrations: [{ userId: connected.providerUserId }] });
    await cloud.processWebhooks();
    const [row] = await cloud.query<{ status: string }>('select status from devices where id = $1', [
      connected.device.id,
    ]);
    assert.equal(row?.status, 'reauthorize');
    assert.equal(await count(`event_outbox where type = 'device.failed' and device_id = '${connected.device.id}'`), 1);
  });

  it('keeps the end of a registration until the device is updated, also after a crash', async () => {
    const connected = await cloud.connect('garmin');
    await cloud.runDue();
    await push({ deregistrations: [{ userId: connected.providerUserId }] });
    const { reading } = await cloud.services.db.transaction(async (tx) => {
      await tx.query('select from users where id = $1 for update', [connected.user.userId]);
      const reading = cloud.processWebhooks();
      await waitUntil('the reader waits for the user', async () => (await count('pg_locks where not granted')) > 0);
      assert.equal(await count('provider_webhooks'), 1);
      return { reading };
    });
    await reading;
    assert.equal(await count('provider_webhooks'), 0);
    assert.equal(await count(`devices where id = '${connected.device.id}' and status = 'reauthorize'`), 1);
  });
});

describe('a challenge of Polar', () => {
  it('is answered without a signature if it is small; a large body must be signed', async () => {
    await cloud.connect('polar');
    const ping = (padding: string) => cloud.notify('polar', { body: JSON.stringify({ event: 'PING', padding }) });
    assert.equal((await ping('')).status, 200);
    assert.equal((await ping('x'.repeat(4_096))).status, 401);
  });
});

describe('webhooks of Withings, which are not signed', () => {
  it('only trigger a fetch', async () => {
    const connected = await cloud.connect('withings', { providerUserId: '4711' });
    await cloud.runDue();
    assert.equal((await cloud.notify('withings', { method: 'HEAD' })).status, 200);
    stub.requests.length = 0;
    const form = 'userid=4711&appli=1&startdate=1772300000&enddate=1772300100';
    assert.equal((await cloud.notify('withings', { body: form })).status, 200);
    await cloud.processWebhooks();
    await cloud.runDue();
    const [request] = stub.at('/withings/measure');
    assert.equal(request?.form.get('startdate'), '1772300000');

    stub.answer('/withings/v2/oauth2', {
      json: {
        status: 0,
        body: { access_token: 'a', refresh_token: 'r', expires_in: 10_800, userid: '4711', scope: '' },
      },
    });
    await cloud.notify('withings', { body: 'userid=4711&appli=46&action=unlink' });
    await cloud.processWebhooks();
    await cloud.runDue();
    assert.equal(stub.at('/withings/v2/oauth2').length, 1, 'the provider confirms it');
    const status = async () =>
      (await cloud.query<{ status: string }>('select status from devices where id = $1', [connected.device.id]))[0]
        ?.status;
    assert.equal(await status(), 'active');
    stub.answer('/withings/v2/oauth2', { json: { status: 401, body: {}, error: 'invalid refresh_token' } });
    await cloud.notify('withings', { body: 'userid=4711&appli=46&action=unlink' });
    await cloud.processWebhooks();
    await cloud.runDue();
    assert.equal(await status(), 'reauthorize');
  });
});

describe('an interval that Google reports as deleted', () => {
  const scopes = ['https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly'];
  const rollup = (steps: number | null) => ({
    json: {
      rollupDataPoints:
        steps === null
          ? []
          : [
              {
                civilStartTime: { date: { year: 2026, month: 2, day: 27 } },
                civilEndTime: { date: { year: 2026, month: 2, day: 28 } },
                steps: { countSum: String(steps) },
              },
            ],
    },
  });

  /** From six to twenty o'clock on that day. */
  const sendDeleted = async ({ providerUserId }: Connected, dataType: string) => {
    const [app] = await listAppsById(cloud.services, 'google_health', APP);
    assert.ok(app);
    const interval = { startTime: '2026-02-27T06:00:00Z', endTime: '2026-02-27T20:00:00Z' };
    const intervals = [{ physicalTimeInterval: interval }];
    const body = JSON.stringify({ data: { healthUserId: providerUserId, operation: 'DELETE', dataType, intervals } });
    const headers = { authorization: `Bearer ${verificationTokenOf(cloud.services, app, FIRST_WEBHOOK_VERSION)}` };
    assert.equal((await cloud.notify('google_health', { body, headers })).status, 204);
    await cloud.processWebhooks();
    await cloud.runDue();
  };

  it('is emptied, days included, once the remaining records are fetched', async () => {
    const path = '/google_health/v4/users/me/dataTypes/steps/dataPoints:dailyRollUp';
    stub.answer('/google_health', { json: {} });
    stub.answer(path, rollup(6_000));
    const connected = await cloud.connect('google_health', { tokens: { scopes } });
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 6_000);
    stub.answer(path, { status: 500 });
    await sendDeleted(connected, 'steps');
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, 6_000, 'nothing is deleted before the fetch');
    stub.answer(path, rollup(null));
    clock.advance(HOUR_MS);
    await cloud.runDue();
    assert.equal((await readDaily(cloud, connected, '2026-02-27')).steps, undefined);
  });

  it('does not change for records sent again, only for missing ones', async () => {
    const types = '/google_health/v4/users/me/dataTypes';
    const hours = (...reported: readonly number[]) =>
      reported.map((hour) => `2026-02-27T${String(hour).padStart(2, '0')}:00:00Z`);
    const serve = (times: readonly string[]) => {
      const beats = times.map((physicalTime) => ({
        heartRate: { beatsPerMinute: '61', sampleTime: { physicalTime } },
      }));
      stub.answer(`${types}/heart-rate/dataPoints:reconcile`, { json: { dataPoints: beats } });
      const rides = times.map((startTime) => ({
        dataPointName: `users/me/dataTypes/exercise/dataPoints/${startTime}`,
        exercise: { interval: { startTime, endTime: startTime.replace(':00:', ':30:') }, exerciseType: 'BIKING' },
      }));
      stub.answer(`${types}/exercise/dataPoints:reconcile`, { json: { dataPoints: rides } });
    };
    stub.answer('/google_health', { json: {} });
    serve(hours(8, 12, 16));
    const connected = await cloud.connect('google_health');
    await cloud.runDue();
    const read = async () => {
      const { userId } = connected.user;
      const reported = `select metrics, has_deletions as deleted from event_outbox where user_id = $1 and type = 'data.updated'`;
      const rides = await cloud.query('select 1 from workouts where user_id = $1', [userId]);
      return {
        changes: await cloud.query(reported, [userId]),
        rides: rides.length,
        beats: await countBeats(connected),
      };
    };
    const whole = await read();
    assert.deepEqual([whole.changes.length, whole.rides, whole.beats], [1, 3, 3]);
    for (const type of ['heart-rate', 'exercise']) await sendDeleted(connected, type);
    assert.deepEqual(await read(), whole);

    serve(hours(8, 16));
    for (const type of ['heart-rate', 'exercise']) await sendDeleted(connected, type);
    const { changes, rides, beats } = await read();
    assert.deepEqual([rides, beats], [2, 2]);
    assertEvery(changes.slice(1), ({ deleted }) => deleted);
  });

  const countBeats = async ({ user }: Connected) => {
    const span = { fromMs: Date.parse('2026-02-27'), toMs: Date.parse('2026-02-28') };
    const buffer = openSampleBuffer(cloud.services.db, user);
    const found = await buffer.read([{ metric: 'heart_rate' as MetricId, ...span }]);
    return [...(found.get('heart_rate' as MetricId)?.values() ?? [])].reduce(
      (sum, { starts }) => sum + starts.length,
      0,
    );
  };
});
