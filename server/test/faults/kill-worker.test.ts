// kill -9 of one of two workers while it delivers, syncs and rebuilds: the other one takes over, and repeats only deliveries that
// the killed one may not have completed.
import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { DEVICE_CLAIM_MS } from '../../src/features/clouds/sync/schedule/run-device.ts';
import { DELIVERY_CLAIM_MS } from '../../src/features/notify/webhooks/claim-times.ts';
import { enqueueRebuild } from '../../src/features/pipeline/ingest/index.ts';
import { openTestUser } from '../support/test-samples.ts';
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
  heartRateOf,
  MASTER_KEY,
  openApiAtCloud,
  openSink,
  readFeed,
  TOKEN,
  WORK_LIMIT_MS,
} from '../support/worker-load.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const cloud = await openApiAtCloud({ after });
const { services, stub } = cloud;
const { db } = services;
const JOBS_OF_A_WORKER = 4;

describe('kill -9 of one of two workers', () => {
  it('the other one takes over', async (t) => {
    const first = await startWorker(t);
    const sync = await holdSync();
    const deliveries = await holdDeliveries(t); // last, because an attempt times out after 15 s
    const second = await startWorker(t);
    await awaitDeliveriesOf(t, second);
    const rebuilds = await holdRebuilds(t);

    await first.end('SIGKILL');
    await rebuilds.release();
    deliveries.release();
    sync.release();
    await rebuilds.finish(second);
    await second.moveClock(DELIVERY_CLAIM_MS + SECOND_MS);
    await deliveries.finish();
    await second.moveClock(DEVICE_CLAIM_MS);
    await sync.finish();
    assert.match(second.alarms(), /returned jobs of a dead worker to the queue/);
  });
});

const startWorker = (t: TestContext) => startWorkerProcess(t, cloud, MASTER_KEY);

/** The receiver does not answer, so the only worker has sent deliveries and not recorded them. */
async function holdDeliveries(t: TestContext) {
  const tenant = await createTenant(cloud, 1);
  const sink = await openSink(t);
  await createWebhook(tenant, sink.url('/held'));
  const held: (() => void)[] = [];
  let isHeld = true;
  sink.answer('/held', (response) => {
    const answer = () => void response.writeHead(204).end();
    if (isHeld) held.push(answer);
    else answer();
  });
  for (let day = 0; day < 4; day += 1) await tenant.phones[0]?.upload(heartRateOf(day));
  await waitUntil('deliveries are in flight', () => held.length >= 2, WORK_LIMIT_MS);
  return {
    release() {
      isHeld = false;
      for (const answer of held) answer();
    },
    async finish() {
      await awaitDelivered(cloud, tenant);
      const events = (await readFeed(tenant.api)).filter(({ event_type }) => event_type === 'data.updated');
      const counts = Map.groupBy(sink.at('/held'), ({ headers }) => headers['webhook-id']);
      assert.deepEqual([...counts.keys()].sort(), events.map(({ event_id }) => event_id).sort(), 'all were delivered');
      const repeated = [...counts].filter(([, requests]) => requests.length > 1);
      assert.ok(repeated.length > 0, 'deliveries of the killed worker are sent again');
      for (const [, requests] of repeated) {
        assert.equal(new Set(requests.map(({ body }) => body)).size, 1, 'with the same body');
      }
    },
  };
}

/** Until the second worker delivers too. It leaves the deliveries that the first one has claimed alone. */
async function awaitDeliveriesOf(t: TestContext, worker: WorkerProcess): Promise<void> {
  const tenant = await createTenant(cloud, 1);
  const sink = await openSink(t);
  await createWebhook(tenant, sink.url('/other'));
  const hasDelivered = async () => (await worker.metric('tributary_webhook_attempt_seconds_count')) > 0;
  for (let day = 0; !(await hasDelivered()); day += 1) await tenant.phones[0]?.upload(heartRateOf(day));
}

/** The provider does not answer, so the only worker has claimed these accounts. */
async function holdSync() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  answerCloud(cloud, released);
  const accounts = await connectAccounts(cloud, 'killed', 3);
  await waitUntil('tokens are requested', () => stub.at(TOKEN).length === accounts.length, WORK_LIMIT_MS);
  return {
    release,
    async finish() {
      await awaitSynced(cloud, accounts);
      const pages = stub.at(DATA).map(({ headers, path, query }) => `${headers.authorization} ${path}?${query}`);
      assert.equal(new Set(pages).size, pages.length, 'each page was fetched once');
    },
  };
}

/** The users are locked: both workers have begun rebuilds, and cannot finish them. */
async function holdRebuilds(t: TestContext) {
  const { api, phones, users } = await createTenant(cloud, 6);
  await Promise.all(phones.map((phone) => phone.upload(heartRateOf(1))));
  for (const user of users) await awaitScored(cloud, user);
  const read = async () => {
    const path = (user: string) =>
      `/v1/users/${user}/daily?types=heart_rate&from_date=${dateOf(1)}&to_date=${dateOf(1)}`;
    return Promise.all(users.map(async (user) => JSON.stringify((await api.get(path(user))).body.series)));
  };
  const before = await read();
  for (const text of before) assert.match(text, /60/);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: setLocked } = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await tx.query('select 1 from users where id = any($1) for update', [users]);
    setLocked();
    await released;
  });
  t.after(() => release());
  await locked;
  await db.query('delete from daily_months where user_id = any($1)', [users]);
  for (const user of users) {
    const handle = await openTestUser(db, user);
    await db.transaction((tx) => enqueueRebuild(services.jobs, tx, handle));
  }
  const begun = `select 1 from graphile_worker.jobs where task_identifier = 'rebuild_user' and locked_at is not null`;
  await waitUntil(
    'the rebuilds have begun',
    async () => (await db.query(begun)).length > JOBS_OF_A_WORKER,
    WORK_LIMIT_MS,
  );
  return {
    async release() {
      release();
      await holding;
    },
    async finish(worker: WorkerProcess) {
      await awaitNone(cloud, 'graphile_worker.jobs', 'task_identifier', 'rebuild_user');
      assert.deepEqual(await read(), before);
      assert.equal(await worker.metric('tributary_jobs_total', 'job="rebuild_user",outcome="done"'), users.length);
    },
  };
}
