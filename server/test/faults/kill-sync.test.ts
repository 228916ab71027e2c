// kill -9 while pages are fetched and committed: afterwards the data is complete, and each page was committed once.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { assertSameState } from '../support/assert-same-state.ts';
import type { CloudRequest } from '../support/stub-cloud.ts';
import { type Connected, openTestCloud, type TestCloud } from '../support/test-cloud.ts';
import { planKills } from './kill-plan.ts';
import { createRandom, type Random } from './random.ts';

const KILLS = planKills({ inProof: 60 });
const SEED = Number(process.env.FAULT_SEED ?? 1);
const USERS = 6;
const LEFT_LIMIT_MS = 2 * MINUTE_MS;

describe('kill -9 between a page and the next', () => {
  it(`loses nothing and repeats nothing over ${KILLS.description}`, async (t) => {
    const masterKey = randomBytes(32).toString('hex');
    const environment = { TRIBUTARY_MASTER_KEY: masterKey, TRIBUTARY_BACKFILL_DAYS: '365' };
    const cloud = await openTestCloud(t, environment);
    const random = createRandom(t, SEED);
    const dataDir = await mkdtemp(join(tmpdir(), 'tributary-sync-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    answerAll(cloud, () => 0);
    const reference = await connect(cloud);
    await cloud.runDue();
    answerAll(cloud, () => random.integer(0, 20));
    const users: Connected[] = [];
    for (let index = 0; index < USERS; index += 1) users.push(await connect(cloud));

    let startMs = cloud.clock.now().getTime();
    const spawnProcess = () => {
      startMs += 10 * MINUTE_MS; // claims of the killed process have expired
      return startProcess(cloud, { dataDir, masterKey, startMs });
    };
    while (KILLS.goesOn() && (await countLeft(cloud)) > 0) {
      const child = await spawnProcess();
      await killSoon(child, random);
      KILLS.count((await countClaims(cloud)) > 0);
    }
    KILLS.assertHit();
    const last = await spawnProcess();
    const endMs = performance.now() + LEFT_LIMIT_MS;
    while ((await countLeft(cloud)) > 0 && performance.now() < endMs) await delay(100);
    last.kill('SIGKILL');
    await once(last, 'exit');

    assert.equal(await countLeft(cloud), 0);
    const expected = await describeUser(cloud, reference);
    assert.ok(
      expected.pages > 30 && expected.blocks.length > 300,
      JSON.stringify([expected.pages, expected.blocks.length]),
    );
    for (const connected of users) assertSameState(await describeUser(cloud, connected), expected);
    t.diagnostic(
      `${KILLS.hits()} kills met a sync run, ${expected.pages} pages per user, ${cloud.stub.requests.length} requests`,
    );
  });
});

async function connect(cloud: TestCloud): Promise<Connected> {
  const connected = await cloud.connect('oura', { tokens: { scopes: ['daily', 'heartrate'] } });
  await cloud.query('update synced_devices set next_poll_at = null');
  await cloud.query(`delete from sync_tasks where kind = 'subscribe'`);
  return connected;
}

/** The final data of a user, without ids and storage times. */
async function describeUser({ query }: TestCloud, { user: { userId }, device }: Connected) {
  const [pages] = await query<{ count: number }>('select count(*)::int as count from raw_payloads where user_id = $1', [
    userId,
  ]);
  const [backfill] = await query('select backfill_state, backfill_from::text from devices where id = $1', [device.id]);
  // The number of events depends on the kills; what they report together does not.
  const [reported] = await query(
    `select array_agg(distinct metric order by metric) as metrics, min(from_date)::text as "from", max(to_date)::text as "to"
       from event_outbox, unnest(metrics) metric where user_id = $1 and type = 'data.updated'`,
    [userId],
  );
  // Changed days are queued for scoring: nothing scores here, so that all of them are still queued.
  const [queued] = await query('select days::text from scoring_queue where user_id = $1', [userId]);
  const [pending] = await query<{ count: number }>(
    'select count(*)::int as count from pending_changes where user_id = $1',
    [userId],
  );
  const [finished] = await query<{ count: number }>(
    `select count(*)::int as count from event_outbox where user_id = $1 and type = 'device.backfilled'`,
    [userId],
  );
  return {
    pages: pages?.count ?? 0,
    backfill,
    reported: reported,
    queued,
    pending: pending?.count,
    finished: finished?.count,
    blocks: await query('select metric, block, count, sum from sample_blocks where user_id = $1 order by 1, 2', [
      userId,
    ]),
    days: await query(`select month, encode(payload, 'hex') from daily_months where user_id = $1 order by 1`, [userId]),
  };
}

async function countLeft({ query }: TestCloud): Promise<number> {
  const [row] = await query<{ count: number }>('select count(*)::int as count from sync_tasks');
  return row?.count ?? 0;
}

/** Devices of the killed process: a run that ended has released its device. */
async function countClaims({ query }: TestCloud): Promise<number> {
  const [row] = await query<{ count: number }>(
    'select count(*)::int as count from synced_devices where claimed_until is not null',
  );
  return row?.count ?? 0;
}

async function startProcess(
  { service, stub }: TestCloud,
  { dataDir, masterKey, startMs }: { dataDir: string; masterKey: string; startMs: number },
): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'sync-process.ts');
  const child = spawn(process.execPath, [...process.execArgv, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: service.config.databaseUrl ?? '',
      TRIBUTARY_DATA_DIR: dataDir,
      TRIBUTARY_MASTER_KEY: masterKey,
      STUB_URL: stub.url,
      START_MS: String(startMs),
    },
  });
  await once(child.stdout ?? child, 'data');
  return child;
}

async function killSoon(child: ChildProcess, random: Random): Promise<void> {
  await delay(random.integer(50, 700));
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Pages of ten, after a delay. */
function answerAll({ stub }: TestCloud, delayMs: () => number): void {
  const paged = (all: readonly object[], { query }: CloudRequest) => {
    const first = Number(query.get('next_token') ?? 0);
    const next = first + 10 < all.length ? String(first + 10) : null;
    return { json: { data: all.slice(first, first + 10), next_token: next } };
  };
  stub.answer('/oura/v2/usercollection', { json: { data: [], next_token: null } });
  stub.answer('/oura/v2/usercollection/daily_activity', async (request) => {
    await delay(delayMs());
    const from = Date.parse(request.query.get('start_date') ?? '');
    const to = Date.parse(request.query.get('end_date') ?? '');
    const days = Array.from({ length: (to - from) / DAY_MS }, (_, index) => {
      const day = new Date(from + index * DAY_MS).toISOString().slice(0, 10);
      return { id: day, day, steps: Number(day.slice(8)) * 100 };
    });
    return paged(days, request);
  });
  stub.answer('/oura/v2/usercollection/heartrate', async (request) => {
    await delay(delayMs());
    const from = Date.parse(request.query.get('start_datetime') ?? '');
    const to = Date.parse(request.query.get('end_datetime') ?? '');
    const first = Math.ceil(from / (12 * HOUR_MS)) * 12 * HOUR_MS;
    const data = [];
    for (let at = first; at < to; at += 12 * HOUR_MS)
      data.push({ bpm: 50 + ((at / HOUR_MS) % 40), timestamp: new Date(at).toISOString() });
    return paged(data, request);
  });
}
