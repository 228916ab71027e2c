// kill -9 of the service, its database, or both, at seeded random instants: acknowledged changes stay, exactly once.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  apiOf,
  assertUnavailable,
  EMPTY_FOLDER,
  listDatabasePids,
  MAIN,
  openServiceHarness,
  queryEmbedded,
  type ReadyService,
  readPostmasterPid,
  type ServiceHarness,
  type ServiceProcess,
  useEmbedded,
  waitFor,
} from '../support/service-process.ts';
import type { TestApi } from '../support/test-api.ts';
import { planKills } from './kill-plan.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createRandom, type Random } from './random.ts';

const KILLS = planKills({ inProof: 60, inCi: 2 }); // of the service alone, and together with its database
const SEED = Number(process.env.FAULT_SEED ?? 1);
const CONNECTIONS = 4;
const RECOVERY_LIMIT_MS = 15_000;
const START_LIMIT_MS = 15_000;

describe('kill -9 at any instant', () => {
  it(`keeps every acknowledged change exactly once over ${KILLS.description}`, async (t) => {
    const harness = await openServiceHarness(t);
    const random = createRandom(t, SEED);
    const ledger = createLedger();
    let service = await harness.start().ready();
    const key = service.keys.live;
    const restartsMs: number[] = [];
    for (let round = 0; KILLS.goesOn(); round++) {
      KILLS.count((await killUnderLoad(service, key, ledger, random, round)) > 0);
      if (round % 5 === 1) await killWhileStarting(harness, random);
      service = await harness.start().ready();
      restartsMs.push(service.startMs);
      await ledger.verify(harness.dataDir);
    }
    KILLS.assertHit();
    await verifyThroughApi(apiOf(service, key), ledger);
    t.diagnostic(`${ledger.describe()}; restarts took ${describeTimes(restartsMs)} ms`);
  });

  it('a first start that is killed repeatedly is completed by the next one', async (t) => {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const moments: [string, (service: ServiceProcess) => Promise<boolean>][] = [
      ['initdb', async (service) => service.stderr().includes('creating a new PostgreSQL cluster')],
      ['the first start of the database', async () => (await listDatabasePids(harness.dataDir)).length > 0],
      ['the first account', async (service) => /"msg":"(migrated|ready)"/.test(service.stderr())],
    ];
    for (const [moment, hasCome] of moments) {
      const service = harness.start();
      await waitFor(moment, START_LIMIT_MS, () => hasCome(service));
      await service.end('SIGKILL');
    }
    const last = await harness.start().ready();
    const key = last.keys.live || (await makeKey(harness));
    const created = await apiOf(last, key).post('/v1/users', { reference_id: 'after' });
    assert.equal(created.status, 201, created.text);
  });

  it('a job in progress is completed after the next start', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    const id = await createUser(apiOf(service), 'erased later');
    await holdingRow(harness.dataDir, id, async () => {
      assert.equal((await apiOf(service).delete(`/v1/users/${id}`)).status, 202);
      await awaitBlockedJob(harness.dataDir);
      await service.end('SIGKILL');
    });
    const next = await harness.start().ready();
    await awaitErased(harness.dataDir, id);
    assert.equal((await apiOf(next, service.keys.live).get(`/v1/users/${id}`)).status, 404);
  });
});

describe('kill -9 of only the database', () => {
  it('calls succeed or get 503 in the error shape, and everything works again without a restart', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    await t.test('the postmaster', async (t) => {
      await killDatabaseUnderLoad(t, service, await readPostmasterPid(harness.dataDir));
    });
    await t.test('one of its children', async (t) => {
      const [child] = await queryEmbedded<{ pid: number }>(
        harness.dataDir,
        `select pid from pg_stat_activity where application_name = 'tributary' and backend_type = 'client backend' limit 1`,
      );
      await killDatabaseUnderLoad(t, service, child?.pid ?? 0);
    });
    await t.test('during a job, which is then completed', async () => {
      const id = await createUser(apiOf(service), 'erased later');
      const linesBefore = await countErasures(harness.dataDir);
      await holdingRow(harness.dataDir, id, async () => {
        assert.equal((await apiOf(service).delete(`/v1/users/${id}`)).status, 202);
        await awaitBlockedJob(harness.dataDir);
        process.kill(await readPostmasterPid(harness.dataDir), 'SIGKILL');
      });
      await awaitErased(harness.dataDir, id, linesBefore);
    });
    assert.equal(service.hasExited(), false);
  });
});

async function killDatabaseUnderLoad(t: TestContext, service: ReadyService, pid: number) {
  await queryEmbedded(service.dataDir, 'truncate users, user_zones');
  await queryEmbedded(service.dataDir, 'update account_environments set user_count = 0');
  const ledger = createLedger();
  const load = startLoad(service, service.keys.live, ledger);
  await load.acknowledged(10);
  const killedMs = performance.now();
  process.kill(pid, 'SIGKILL');
  await waitFor('a rejection', RECOVERY_LIMIT_MS, async () => load.unavailable() > 0);
  await load.acknowledged(load.count() + 20);
  t.diagnostic(`calls succeed again ${Math.round(performance.now() - killedMs)} ms after the kill`);
  await load.stop();
  await waitFor('/readyz', RECOVERY_LIMIT_MS, async () => (await apiOf(service, null).get('/readyz')).status === 200);
  await ledger.verify(service.dataDir);
}

/**
 * Alternates: the service alone (its watchdog then stops the database), or the service with all of it. Returns the number of calls in
 * progress.
 */
async function killUnderLoad(service: ReadyService, key: string, ledger: Ledger, random: Random, round: number) {
  const load = startLoad(service, key, ledger);
  await load.acknowledged(random.integer(1, 120));
  await delay(random.integer(0, 15));
  const database = round % 2 === 1 ? await listDatabasePids(service.dataDir) : [];
  service.signal('SIGKILL');
  for (const pid of database) killIfThere(pid);
  await service.exited;
  await load.stop();
  return load.unanswered();
}

async function killWhileStarting(harness: ServiceHarness, random: Random) {
  const service = harness.start();
  await delay(random.integer(0, 900));
  await service.end('SIGKILL');
}

function killIfThere(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Several clients that create and sometimes delete users, until the service is gone or they are stopped. */
function startLoad(service: ReadyService, key: string, ledger: Ledger) {
  const api = apiOf(service, key);
  const state = { stopped: false, acknowledged: 0, unavailable: 0, unanswered: 0 };
  let failure: unknown = null;
  const clients = Array.from({ length: CONNECTIONS }, async () => {
    try {
      while (!state.stopped && !service.hasExited()) await callOnce(api, ledger, state);
    } catch (error) {
      failure ??= error;
    }
  });
  return {
    count: () => state.acknowledged,
    unavailable: () => state.unavailable,
    /** Calls whose connection broke: the service may or may not have done them. */
    unanswered: () => state.unanswered,
    acknowledged: (count: number) =>
      waitFor(`${count} acknowledged changes`, RECOVERY_LIMIT_MS, async () => {
        if (failure !== null) throw failure;
        return state.acknowledged >= count;
      }),
    stop: async () => {
      state.stopped = true;
      await Promise.all(clients);
      if (failure !== null) throw failure;
    },
  };
}

type Counts = { acknowledged: number; unavailable: number; unanswered: number };

async function callOnce(api: TestApi, ledger: Ledger, state: Counts) {
  const change = ledger.next();
  const answer = await (change.kind === 'create'
    ? api.post('/v1/users', { reference_id: change.reference })
    : api.delete(`/v1/users/${change.id}`)
  ).catch((error: unknown) => {
    if (error instanceof assert.AssertionError) throw error;
    return null;
  });
  if (answer === null) {
    state.unanswered += 1;
    return;
  }
  if (answer.status === 429) return void (await delay(20)); // a well-behaved client slows down
  if (answer.status === 503) {
    assertUnavailable(answer);
    state.unavailable += 1;
    return;
  }
  assert.equal(answer.status, change.kind === 'create' ? 201 : 202, answer.text);
  change.acknowledge(answer.body.data.id);
  state.acknowledged += 1;
}

async function verifyThroughApi(api: TestApi, ledger: Ledger) {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await api.get(`/v1/users?limit=100${query}`, { headers: { 'api-form': '2' } });
    assert.equal(page.status, 200, page.text);
    for (const user of page.body.data) seen.push(user.id);
    cursor = page.body.next_cursor;
  } while (cursor !== null);
  assert.equal(new Set(seen).size, seen.length, 'every user once over a cursor walk');
  for (const id of ledger.listKept()) assert.ok(seen.includes(id), `${id} is listed`);
}

async function createUser(api: TestApi, reference: string): Promise<string> {
  const created = await api.post('/v1/users', { reference_id: reference });
  assert.equal(created.status, 201, created.text);
  return created.body.data.id;
}

/** Holds a lock that blocks the erasure but not the deletion call; `work` begins when it is held. */
async function holdingRow(dataDir: string, userId: string, work: () => Promise<void>): Promise<void> {
  await useEmbedded(dataDir, async (client) => {
    await client.query('begin');
    await client.query('select 1 from user_zones where user_id = $1 for update', [userId]);
    await work();
  });
}

async function awaitBlockedJob(dataDir: string) {
  await waitFor('the erasure waits for the lock', 10_000, async () => {
    const rows = await queryEmbedded(
      dataDir,
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from user_zones%'`,
    );
    return rows.length === 1;
  });
}

async function awaitErased(dataDir: string, userId: string, linesBefore = 0) {
  await waitFor('the erasure', RECOVERY_LIMIT_MS, async () => {
    const rows = await queryEmbedded<{ users: number }>(
      dataDir,
      'select count(*)::int as users from users where id = $1',
      [userId],
    ).catch(() => []);
    return rows[0]?.users === 0 && (await countErasures(dataDir)) === linesBefore + 1;
  });
}

/** Lines of the audit log, which contain no personal data. */
async function countErasures(dataDir: string): Promise<number> {
  const text = "select count(*)::int as lines from audit_log where action = 'user.erased'";
  const rows = await queryEmbedded<{ lines: number }>(dataDir, text).catch(() => []);
  return rows[0]?.lines ?? 0;
}

/** Like an operator who never saw the keys of the first start. */
async function makeKey(harness: ServiceHarness): Promise<string> {
  const command = [process.execPath, MAIN, 'keys', 'create', '--environment', 'live', '--json'] as const;
  const started = harness.run(command, { TRIBUTARY_DATA_DIR: harness.dataDir });
  const { code } = await started.exited;
  assert.equal(code, 0, started.stderr());
  return /sk_live_\w+/.exec(started.stdout())?.[0] ?? '';
}

function describeTimes(timesMs: readonly number[]): string {
  const sorted = timesMs.map(Math.round).sort((a, b) => a - b);
  return `${sorted[0]} to ${sorted.at(-1)}, median ${sorted[sorted.length >> 1]}`;
}
