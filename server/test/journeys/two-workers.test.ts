// Two worker processes on one database share the work without doing any of it twice.
import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { openAccount } from '../../src/features/clouds/provider-accounts/index.ts';
import { listAppsById } from '../../src/features/clouds/provider-apps/index.ts';
import { countQueries } from '../support/count-queries.ts';
import { APP } from '../support/test-cloud.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  answerCloud,
  awaitDelivered,
  awaitNone,
  awaitScored,
  awaitSynced,
  connectAccounts,
  createTenant,
  createWebhook,
  DATA,
  dateOf,
  FIRST_DAY_MS,
  heartRateOf,
  MASTER_KEY,
  openApiAtCloud,
  openSink,
  readFeed,
  TOKEN,
  WORK_LIMIT_MS,
} from '../support/worker-load.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const PHONES = 4;
const MIN_UPLOADS = 15;
const ACCOUNTS = 12; // one worker syncs at most eight of a provider at once, so the other one has to sync some
const REBUILT_USERS = 8;

const cloud = await openApiAtCloud({ after });
const { services, stub } = cloud;
const { db } = services;

describe('two workers', () => {
  it('share all work and repeat none of it', async (t) => {
    const workers = [await startWorker(t), await startWorker(t)] as const;
    await checkDeliveries(t, workers);
    await checkSync(workers);
    await checkRebuilds(workers);
    await checkScores();
    for (const worker of workers) {
      assert.equal(worker.alarms(), '');
      assert.equal(await worker.end('SIGTERM'), 0);
    }
  });
});

const startWorker = (t: TestContext) => startWorkerProcess(t, cloud, MASTER_KEY);

/** Each upload is for another day, so that the date of its event says which one it was. */
async function checkDeliveries(t: TestContext, workers: readonly WorkerProcess[]): Promise<void> {
  const tenant = await createTenant(cloud, PHONES);
  const sink = await openSink(t);
  for (const path of ['/one', '/two']) await createWebhook(tenant, sink.url(path));
  const haveAllWorked = async () =>
    (await sumEach(workers, 'tributary_events_total')).every((count) => count > 0) &&
    (await sumEach(workers, 'tributary_webhook_attempt_seconds_count')).every((count) => count > 0);
  let isOver = false;
  const uploadAll = tenant.phones.map(async (phone) => {
    let uploads = 0;
    while (!isOver || uploads < MIN_UPLOADS) await phone.upload(heartRateOf(uploads++));
    return uploads;
  });
  await waitUntil('both workers have published and delivered', haveAllWorked, WORK_LIMIT_MS);
  isOver = true;
  const counts = await Promise.all(uploadAll);
  await awaitDelivered(cloud, tenant);

  const feed = await readFeed(tenant.api);
  const [positions] = await db.query(
    'select count(distinct position)::int as count, max(position)::int as last from feed_events where account_id = $1',
    [tenant.id],
  );
  assert.deepEqual(positions, { count: feed.length, last: feed.length }, 'each event has one position, without a gap');
  for (const [index, userId] of tenant.users.entries()) {
    const updates = feed.filter((event) => event.user_id === userId && event.device_id !== null);
    const dates = updates.filter(({ event_type }) => event_type === 'data.updated').map(({ from_date }) => from_date);
    assert.deepEqual(
      dates,
      Array.from({ length: counts[index] ?? 0 }, (_, day) => dateOf(day)),
      'once, in their order',
    );
  }
  const events = feed.filter(({ event_type }) => event_type === 'data.updated');
  for (const path of ['/one', '/two']) {
    const received = sink.at(path).map(({ headers, body }) => ({ id: headers['webhook-id'], event: JSON.parse(body) }));
    const byId = (a: { id: unknown }, b: { id: unknown }) => String(a.id).localeCompare(String(b.id));
    // The docs promise more than one delivery of an event only if an attempt failed or a worker was killed.
    assert.deepEqual(received.sort(byId), events.map((event) => ({ id: event.event_id, event })).sort(byId));
  }
}

/** Tokens are held back until more accounts are being synced than one worker may sync at once. */
async function checkSync(workers: readonly WorkerProcess[]): Promise<void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  answerCloud(cloud, released);
  const accounts = await connectAccounts(cloud, 'shared', ACCOUNTS);
  await waitUntil('both workers refresh tokens', () => stub.at(TOKEN).length > 8, WORK_LIMIT_MS);
  // A third process needs the token of an account that a worker is refreshing.
  const refreshing = stub.at(TOKEN)[0]?.form.get('refresh_token');
  const contended = accounts.find(({ refreshToken }) => refreshToken === refreshing) ?? assert.fail();
  const [app] = await listAppsById(services, 'oura', APP);
  assert.ok(app);
  await countQueries(db, async (soFar) => {
    const { user, device } = contended;
    const opened = openAccount(services, app, { userId: user.userId, deviceId: device.id });
    const tries = () =>
      soFar.filter((text) => /^\s*update provider_accounts set refreshing_until = \$/.test(text)).length;
    await waitUntil('the third process has tried', () => tries() >= 2);
    release();
    const answer = await opened;
    assert.equal('account' in answer && answer.account.accessToken, `token of ${refreshing}`);
  });
  await awaitSynced(cloud, accounts);
  const refreshed = stub
    .at(TOKEN)
    .map(({ form }) => form.get('refresh_token'))
    .sort();
  assert.deepEqual(refreshed, accounts.map(({ refreshToken }) => refreshToken).sort(), 'each token was refreshed once');
  const pages = stub.at(DATA).map(({ headers, path, query }) => `${headers.authorization} ${path}?${query}`);
  assert.equal(new Set(pages).size, pages.length, 'each page was fetched once');
  for (const { refreshToken } of accounts) {
    const own = pages.filter((page) => page.startsWith(`Bearer token of ${refreshToken} ${DATA}/daily_activity`));
    assert.ok(own.length >= 6, `${own.length} pages for ${refreshToken}`); // 60 days, ten a page
  }
  for (const count of await sumEach(workers, 'tributary_provider_call_seconds_count')) assert.ok(count > 0);
}

async function checkRebuilds(workers: readonly WorkerProcess[]): Promise<void> {
  const { api, phones, users } = await createTenant(cloud, REBUILT_USERS);
  await Promise.all(phones.map((phone) => phone.upload(heartRateOf(1))));
  const done = () => sumEach(workers, 'tributary_jobs_total', 'job="rebuild_user",outcome="done"');
  assert.deepEqual(await done(), [0, 0]);
  const change = { providers: { apple_health: false } };
  const changed = await Promise.all(users.map((user) => api.patch(`/v1/users/${user}/consolidation`, change)));
  for (const { status, text } of changed) assert.equal(status, 202, text);
  const read = (user: string) =>
    api.get(`/v1/users/${user}/daily?types=heart_rate&from_date=${dateOf(1)}&to_date=${dateOf(1)}`);
  for (const user of users)
    await waitUntil(
      'the day is rebuilt',
      async () => !JSON.stringify((await read(user)).body.series).includes('60'),
      WORK_LIMIT_MS,
    );
  await awaitNone(cloud, 'graphile_worker.jobs', 'task_identifier', 'rebuild_user');
  const [first = 0, second = 0] = await done();
  assert.equal(first + second, REBUILT_USERS, 'one rebuild per user');
  for (const user of users) await awaitNone(cloud, 'event_outbox', 'user_id', user);
  const feed = await readFeed(api);
  for (const user of users)
    assert.equal(feed.filter((event) => event.user_id === user && event.event_type === 'subject.synced').length, 1);
}

/** One upload is one change, and both scorers see it in the queue. */
async function checkScores(): Promise<void> {
  const { api, phones, users } = await createTenant(cloud, PHONES);
  const nights = Array.from({ length: 20 }, (_, day) => {
    const start = FIRST_DAY_MS + day * DAY_MS - 60 * MINUTE_MS;
    const stage = (from: number, minutes: number, name: string) => ({
      stage: name,
      start: new Date(start + from * MINUTE_MS).toISOString(),
      end: new Date(start + (from + minutes) * MINUTE_MS).toISOString(),
    });
    return {
      id: `night-${day}`,
      start: new Date(start).toISOString(),
      end: new Date(start + 480 * MINUTE_MS).toISOString(),
      stages: [stage(0, 240, 'light'), stage(240, 120, 'deep'), stage(360, 120, 'rem')],
    };
  });
  await Promise.all(phones.map((phone) => phone.upload({ sleep: nights })));
  for (const user of users) await awaitScored(cloud, user);
  for (const user of users) await awaitNone(cloud, 'event_outbox', 'user_id', user);
  const feed = await readFeed(api);
  for (const user of users) {
    const scored = feed.filter((event) => event.user_id === user && event.event_type === 'score.updated');
    const seen = scored.map((event) => JSON.stringify({ ...event, event_id: null, created_at: null }));
    assert.ok(scored.length > 0, 'the nights were scored');
    assert.equal(new Set(seen).size, seen.length, 'each score was computed once');
  }
}

function sumEach(workers: readonly WorkerProcess[], name: string, labels?: string): Promise<number[]> {
  return Promise.all(workers.map((worker) => worker.metric(name, labels)));
}
