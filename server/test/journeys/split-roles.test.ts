// The API and the worker as separate processes: from the hosted page to scores and webhooks. The worker starts later, the API never
// runs jobs, and the worker never serves the API.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { assertEvery } from '../support/assert-every.ts';
import { beginConnecting, readDevice, walkThroughConsent } from '../support/connect-account.ts';
import {
  findFreePort,
  MAIN,
  OWN_DATABASE,
  openServiceHarness,
  type ReadyService,
  type ServiceHarness,
} from '../support/service-process.ts';
import { createApi, type JsonBody, type TestApi } from '../support/test-api.ts';
import { connectToDatabase, createTestDatabase } from '../support/test-database.ts';
import { startPhone } from '../support/test-phone.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const LIMIT_MS = 60_000;
const NIGHTS = 5;

describe('an API process and a worker process', () => {
  it('connect, sync, score and deliver together, although the worker starts later', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const database = await createTestDatabase();
    const db = connectToDatabase(database.url, 1);
    harness.beforeRemoval(async () => {
      await db.close();
      await database.drop();
    });
    const sink = await startSink();
    t.after(() => sink.close());
    const port = await findFreePort();
    const environment = {
      DATABASE_URL: database.url,
      TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64'),
      TRIBUTARY_PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRIBUTARY_BACKFILL_DAYS: '5',
      TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1',
    };
    const start = (role: string, ownPort: number) =>
      startRole(harness, role, { ...environment, PORT: String(ownPort) });
    const apiProcess = await start('api', port);
    const { keys } = apiProcess;
    const [sandbox, live] = [createApi(apiProcess.url, keys.sandbox), createApi(apiProcess.url, keys.live)];
    for (const [api, path] of [
      [sandbox, '/sandbox'],
      [live, '/live'],
    ] as const)
      assert.equal((await api.post('/v1/webhooks', { url: sink.url(path), events: ['*'] })).status, 201);

    // Alone, the API accepts everything and answers reads; what needs a worker waits.
    const cloudUser = await createUser(sandbox, { timezone: 'Europe/Berlin' });
    const { id: deviceId, auth_url } = await beginConnecting(sandbox, cloudUser.id, 'oura');
    assert.match((await walkThroughConsent(auth_url)).text, /is connected/);
    const device = () => readDevice(sandbox, cloudUser.id, deviceId);
    const { status, backfill } = await device();
    assert.deepEqual([status, backfill.state], ['active', 'waiting']);
    const phoneUser = await createUser(live);
    const phone = await startPhone({ api: (token = keys.live) => createApi(apiProcess.url, token) }, phoneUser.id);
    const accepted = await phone.upload({ sleep: listNights() });
    assert.deepEqual(accepted.rejected ?? [], []);
    assert.equal((await readSleeps(live, phoneUser.id)).length, NIGHTS);
    assert.deepEqual(await readScores(live, phoneUser.id), []);
    for (const api of [sandbox, live]) assert.deepEqual((await api.get('/v1/events')).body.events, []);
    for (const table of ['sync_tasks', 'scoring_queue', 'event_outbox'])
      assert.ok((await db.query(`select 1 from ${table}`)).length > 0, `${table} waits for the worker`);

    const worker = await start('worker', 0);
    await waitUntil('the history', async () => (await device()).backfill.state === 'done', LIMIT_MS);
    const scores = await waitUntil(
      'scores of the upload',
      () => readSome(() => readScores(live, phoneUser.id)),
      LIMIT_MS,
    );
    assertEvery(scores, ({ metric }: JsonBody) => typeof metric === 'string');
    const ofCloud = `/v1/users/${cloudUser.id}/daily?start_date=${dateOf(-4)}&end_date=${dateOf(0)}&include_sources=true`;
    const { data: days } = (await sandbox.get(ofCloud)).body;
    assert.ok(
      days.some(({ source }: JsonBody) => source.device_id === deviceId),
      'values of the connected account',
    );
    const delivered = (path: string, type: string) =>
      waitUntil(
        `${type} at ${path}`,
        () => sink.at(path).some(({ body }) => JSON.parse(body).event_type === type),
        LIMIT_MS,
      );
    for (const type of ['device.connected', 'data.updated', 'device.backfilled', 'score.updated'])
      await delivered('/sandbox', type);
    for (const type of ['data.updated', 'score.updated']) await delivered('/live', type);
    await checkEachEventDelivered(sandbox, () => sink.at('/sandbox').map(({ body }) => JSON.parse(body)));

    await checkRoles(apiProcess, worker, keys.live);
    for (const process of [worker, apiProcess])
      assert.deepEqual(await process.end('SIGTERM'), { code: 0, signal: null });
  });
});

function startRole(harness: ServiceHarness, role: string, environment: Record<string, string>): Promise<ReadyService> {
  const command = [process.execPath, MAIN, 'serve', '--only', role] as const;
  return harness.start({ command, environment, dataDir: `${harness.root}/${role}` }).ready();
}

/** Everything that happened before the worker started is delivered too. */
async function checkEachEventDelivered(api: TestApi, received: () => JsonBody[]): Promise<void> {
  const { events } = (await api.get('/v1/events?limit=1000')).body;
  assert.ok(events.length > 0);
  const isDelivered = ({ event_id }: JsonBody) => received().some((one) => one.event_id === event_id);
  await waitUntil('each event is delivered', () => events.every(isDelivered), LIMIT_MS);
}

async function checkRoles(apiProcess: ReadyService, worker: ReadyService, key: string): Promise<void> {
  const work = ['tributary_jobs_total', 'tributary_events_total', 'tributary_webhook_attempt_seconds_count'];
  for (const name of work) assert.equal(await readMetric(apiProcess, name), 0, `${name} of the API`);
  for (const name of work.slice(1)) assert.ok((await readMetric(worker, name)) > 0, `${name} of the worker`);

  assert.notEqual(worker.url, apiProcess.url);
  for (const { url } of [apiProcess, worker]) assert.equal((await fetch(`${url}/healthz`)).status, 200);
  const headers = { authorization: `Bearer ${key}` };
  for (const path of ['/v1/users', '/v1/events', '/v1/webhooks', '/v1/sdk/uploads', '/connect/any', '/my-data/any']) {
    assert.equal((await fetch(worker.url + path, { headers })).status, 404, `${path} at the worker`);
    assert.notEqual((await fetch(apiProcess.url + path, { headers })).headers.get('x-request-id'), null);
  }
  assert.equal((await fetch(`${apiProcess.url}/v1/users`, { headers })).status, 200);
}

async function readMetric({ url }: ReadyService, name: string): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  const counted = lines.filter((line) => line.split(/[{ ]/, 1)[0] === name);
  return counted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const dateOf = (day: number) => new Date(Date.now() + day * DAY_MS).toISOString().slice(0, 10);
const RANGE = () => `start_date=${dateOf(-30)}&end_date=${dateOf(0)}`;

async function readSleeps(api: TestApi, userId: string): Promise<JsonBody[]> {
  return (await api.get(`/v1/users/${userId}/sleep?${RANGE()}`)).body.data;
}

async function readScores(api: TestApi, userId: string): Promise<JsonBody[]> {
  const { data } = (await api.get(`/v1/users/${userId}/daily?${RANGE()}&metrics=sleep_score`)).body;
  return data;
}

async function readSome<Item>(read: () => Promise<Item[]>): Promise<Item[] | null> {
  const items = await read();
  return items.length > 0 ? items : null;
}

/** Nights up to two days ago, so that all of them are over in every time zone. */
function listNights(): object[] {
  return Array.from({ length: NIGHTS }, (_, index) => {
    const start = Date.parse(dateOf(-2 - index)) - HOUR_MS;
    const at = (minutes: number) => new Date(start + minutes * MINUTE_MS).toISOString();
    return {
      id: `night-${index}`,
      start: at(0),
      end: at(480),
      stages: [
        { stage: 'light', start: at(0), end: at(240) },
        { stage: 'deep', start: at(240), end: at(360) },
        { stage: 'rem', start: at(360), end: at(480) },
      ],
    };
  });
}
