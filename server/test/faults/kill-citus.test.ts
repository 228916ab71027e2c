// The coordinator of a Citus cluster and its nodes are killed in rotation under grouped uploads. Commits are slow, so that kills meet
// transactions between the commit of a node and that of the coordinator. FAULT_ROUNDS=20 is the whole trial: 20 kills, 5,000 uploads.
//   TEST_POSTGRES=citus:FOLDER FAULT_ROUNDS=20 npm test -- --proof server/test/faults/kill-citus.test.ts
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type MetricId, metricNumberOf } from '../../src/domain/metrics/index.ts';
import { CITUS_FOLDER, type ClusterNode, startCitusCluster } from '../support/citus-cluster.ts';
import { waitFor } from '../support/service-process.ts';
import { startPhone, type TestPhone } from '../support/test-phone.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';

const KILLS = Number(process.env.FAULT_ROUNDS ?? 3);
const UPLOADS_PER_KILL = 250;
const PHONES = 32;
const RETRY_MS = 50;
const HEART_RATE = metricNumberOf('heart_rate' as MetricId);
const LIMIT_MS = 300_000; // for the uploads until the next kill
/** commit_delay has no effect without fsync. */
const SLOW_COMMITS = { fsync: 'on', commit_delay: '20000', commit_siblings: '0' };
/** As the guide recommends. */
const RECOVERY = { 'citus.recover_2pc_interval': '5s' };

describe('kill -9 of a Citus coordinator and its nodes', {
  skip: CITUS_FOLDER === undefined && 'needs TEST_POSTGRES=citus:FOLDER',
}, () => {
  for (const [way, isDirect] of [
    ['through the coordinator', false],
    ['on the nodes', true],
  ] as const)
    it(`loses no data and no event of an acknowledged upload ${way}`, { timeout: KILLS * LIMIT_MS }, (t) =>
      testKills(t, isDirect),
    );
});

async function testKills(t: TestContext, isDirect: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'citus-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const cluster = await startCitusCluster(
    folder,
    CITUS_FOLDER as string,
    { ...SLOW_COMMITS, ...RECOVERY },
    { ofWorkers: { ...(isDirect && SLOW_COMMITS), ...RECOVERY } },
  );
  t.after(() => cluster.stop());
  const { coordinator, workers } = cluster;
  const servers = [coordinator, ...workers];
  const [shards] = await coordinator.query<{ n: number }>(
    `select count(*)::int as n from pg_dist_shard where logicalrelid = 'uploads'::regclass`,
  );
  assert.equal(shards?.n, workers.length);
  assert.equal(await countPrepared(coordinator.url), 1, 'a change on one node commits in two phases');
  // Without a publisher, events stay in the outbox.
  const environment = isDirect ? cluster.nodeSettings : {};
  const service = await startTestService({ databaseUrl: coordinator.url, role: 'api', environment });
  t.after(() => service.stop());
  const groups = countGroups(service.running.services.metrics);
  const ids = await Promise.all(Array.from({ length: PHONES }, async () => (await createUser(service.api())).id));
  const phones = await Promise.all(ids.map((id) => startPhone(service, id)));

  const load = startLoad(phones);
  t.after(() => load.giveUp());
  let direct = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await waitFor('uploads', LIMIT_MS, async () => load.acknowledged() >= kill * UPLOADS_PER_KILL);
    for (const worker of workers) direct += await countDirect(worker);
    const server = servers[kill % servers.length];
    await server?.kill();
    await server?.start();
  }
  const perPhone = await load.end();
  t.diagnostic(
    `${KILLS} kills, ${load.acknowledged()} uploads, ${load.repeated()} repeated, ${groups.stored} groups, ${direct} connections to nodes`,
  );
  assert.ok(groups.stored < load.acknowledged(), 'uploads share transactions');
  assert.equal(direct > 0, isDirect, 'the service is connected to the nodes');
  for (const server of servers)
    await waitFor('the end of prepared transactions', LIMIT_MS, async () => {
      const [row] = await server.query<{ n: number }>('select count(*)::int as n from pg_prepared_xacts');
      return row?.n === 0;
    });
  const expected = Object.fromEntries(ids.map((id, index) => [id, perPhone[index]]));
  const countBy = async (text: string) =>
    Object.fromEntries(
      (await coordinator.query<{ id: string; n: number }>(text)).map(({ id, n }): [string, number] => [id, n]),
    );
  assert.deepEqual(await countBy('select user_id as id, count(*)::int as n from uploads group by 1'), expected);
  assert.deepEqual(
    await countBy(`select user_id as id, count(*)::int as n from event_outbox where type = 'data.updated' group by 1`),
    expected,
  );
  assert.deepEqual(
    await countBy(
      `select user_id as id, sum(count)::int as n from sample_blocks where metric = ${HEART_RATE} group by 1`,
    ),
    expected,
  );
  for (const [index, id] of ids.entries()) assert.equal(await readSteps(service, id), perPhone[index]);
}

/** Connections of the service to the worker. */
async function countDirect(worker: ClusterNode): Promise<number> {
  const [row] = await worker.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where application_name = 'tributary'`,
  );
  return row?.n ?? 0;
}

/** Each upload states one more than the one before. */
async function readSteps(service: Pick<TestService, 'api'>, id: string): Promise<number> {
  const path = `/v1/users/${id}/daily?types=steps&from_date=${DATE}&to_date=${DATE}`;
  return (await service.api().get(path)).body.series.steps[0];
}

/** How often the coordinator prepares a transaction that changes a user and a row on one node. */
async function countPrepared(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  let prepared = 0;
  client.on('notice', ({ message }) => {
    if (message?.startsWith('issuing PREPARE TRANSACTION')) prepared += 1;
  });
  await client.query('set citus.log_remote_commands = on');
  await client.query('begin');
  await client.query(`insert into daily_months (user_id, month, payload) values ($1, 1, '')`, [ABSENT_ID]);
  await client.query('update users set data_revision = data_revision + 1 where id = $1', [ABSENT_ID]);
  await client.query('commit');
  await client.end();
  return prepared;
}

function countGroups(metrics: { countUploadGroup(outcome: 'stored' | 'split' | 'failed'): void }) {
  const counted = { stored: 0, split: 0, failed: 0 };
  metrics.countUploadGroup = (outcome) => {
    counted[outcome] += 1;
  };
  return counted;
}

/** Each phone repeats an upload with its id until it is acknowledged, and then sends the next. */
function startLoad(phones: readonly TestPhone[]) {
  let [acknowledged, repeated, isEnding, isGivenUp] = [0, 0, false, false];
  const run = async (phone: TestPhone): Promise<number> => {
    let sent = 0;
    for (; !isEnding; sent += 1) {
      const body = makeUpload(sent);
      while ((await phone.send(body).catch(() => null))?.status !== 200) {
        if (isGivenUp) return sent;
        repeated += 1;
        await delay(RETRY_MS);
      }
      acknowledged += 1;
    }
    return sent;
  };
  const running = phones.map(run);
  return {
    acknowledged: () => acknowledged,
    repeated: () => repeated,
    /** The number of uploads of each phone. */
    end() {
      isEnding = true;
      return Promise.all(running);
    },
    /** After a failure nothing may be acknowledged any more. */
    giveUp() {
      isEnding = true;
      isGivenUp = true;
    },
  };
}

const DATE = '2026-01-10';
const FIRST_MS = Date.parse(DATE);
const STEP_MS = 60_000;

function makeUpload(index: number): object {
  const start = new Date(FIRST_MS + index * STEP_MS).toISOString();
  return {
    upload_id: randomUUID(),
    source: { provider: 'apple_health', id: 'watch-1', name: 'Watch', device_class: 'wrist' },
    samples: [{ metric: 'heart_rate', start, value: 60 + (index % 40), unit: 'bpm' }],
    daily: [{ metric: 'steps', date: DATE, value: index + 1, unit: 'count' }],
  };
}
