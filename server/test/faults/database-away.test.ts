// Tests an external PostgreSQL (DATABASE_URL) that is down at the start, goes down later, or rejects the service.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { SERVICE_TIMEOUTS } from '../../src/compose.ts';
import { mintApiKey } from '../../src/features/tenancy/accounts/api-key.ts';
import { DATABASE_TIMEOUTS } from '../../src/platform/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import {
  apiOf,
  assertUnavailable,
  findFreePort,
  OWN_DATABASE,
  openServiceHarness,
  type ReadyService,
  type ServiceHarness,
  waitFor,
} from '../support/service-process.ts';
import { copyTemplateFolder } from '../support/template-folder.ts';
import { createApi, type TestApi } from '../support/test-api.ts';
import { startTestService } from '../support/test-service.ts';

const RECOVERY_LIMIT_MS = 20_000;

describe('an unavailable database', () => {
  it('at the start: the service responds, reports what it waits for, and becomes ready with the database', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const gate = await openGate(t, harness);
    const [port, service] = await startOn(harness, gate.url);
    const api = createApi(`http://127.0.0.1:${port}`, mintApiKey('live'));
    await waitFor('the port', RECOVERY_LIMIT_MS, () => api.get('/healthz').catch(() => null));
    assert.equal((await api.get('/healthz')).status, 200);
    assert.equal((await api.get('/readyz')).status, 503);
    assertUnavailable(await api.get('/v1/users'));
    assertUnavailable(await api.post('/v1/users', { reference_id: 'ada' }));
    await waitFor('a readable line', RECOVERY_LIMIT_MS, async () =>
      /^Waiting for the database/m.test(service.stdout()),
    );
    assert.match(
      service.stdout(),
      new RegExp(`^Waiting for the database at 127\\.0\\.0\\.1:${gate.port}/tributary: .+`, 'm'),
    );
    assert.doesNotMatch(service.stdout() + service.stderr(), /secret/, 'the password is never printed');

    await startPostgres(t, harness, 'empty');
    await gate.open();
    const ready = await service.ready();
    assert.equal((await apiOf(ready).post('/v1/users', { reference_id: 'ada' })).status, 201);
  });

  it('at the start: reports which of two addresses it waits for', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const postgres = await startPostgres(t, harness);
    const [away, awayPort] = [await findFreePort(), await findFreePort()];
    const missing = (port: number) => `postgres://tributary@127.0.0.1:${port}/tributary`;
    const waitsFor = async (url: string, owner: string, port: number) => {
      const [, service] = await startOn(harness, url, { TRIBUTARY_MIGRATION_DATABASE_URL: owner });
      await waitFor('a readable line', RECOVERY_LIMIT_MS, async () =>
        /^Waiting for the database/m.test(service.stdout()),
      );
      assert.match(
        service.stdout(),
        new RegExp(`^Waiting for the database at 127\\.0\\.0\\.1:${port}/tributary: .+`, 'm'),
      );
      await service.end('SIGTERM');
    };
    await waitsFor(missing(away), missing(awayPort), awayPort);
    await waitsFor(missing(away), socketUrl(postgres, 'tributary', 'tributary'), away);
  });

  it('at the start: SIGTERM ends the service at once', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const [, service] = await startOn(harness, `postgres://tributary@127.0.0.1:${await findFreePort()}/tributary`);
    await waitFor('a readable line', RECOVERY_LIMIT_MS, async () => service.stdout().includes('Waiting for'));
    const requestedMs = performance.now();
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    assert.ok(performance.now() - requestedMs < 5_000);
  });

  it('later: 503 in the error shape until it is back, then everything works, and earlier jobs are done', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const gate = await openGate(t, harness);
    const postgres = await startPostgres(t, harness);
    await gate.open();
    const [, started] = await startOn(harness, gate.url);
    const service = await started.ready();
    const api = apiOf(service);
    const id = (await api.post('/v1/users', { reference_id: 'ada' })).body.data.id;
    const lock = await lockZone(postgres, id);
    assert.equal((await api.delete(`/v1/users/${id}`)).status, 202);
    await awaitBlocked(postgres);

    await postgres.stop();
    await lock.end().catch(() => undefined);
    await assertAway(service);

    const again = await startPostgres(t, harness);
    await assertBack(api, t, 'a stopped server');
    await waitFor('the erasure', RECOVERY_LIMIT_MS, async () => {
      const counts = await query(
        again,
        `select (select count(*) from users where id = $1)::int, (select count(*) from audit_log where action = 'user.erased')::int`,
        [id],
      );
      return JSON.stringify(counts) === '[[0,1]]';
    });

    await gate.close(); // the network this time: connections are cut
    await assertAway(service);
    await gate.open();
    await assertBack(api, t, 'a cut network');
    assert.deepEqual(await started.end('SIGTERM'), { code: 0, signal: null });
  });

  it('connected but not responding: every call gets its 503 in time, and the service recovers', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const gate = await openGate(t, harness);
    await startPostgres(t, harness);
    await gate.open();
    const timeouts = {
      ...SERVICE_TIMEOUTS,
      database: { ...DATABASE_TIMEOUTS, silentMs: 200, checkMs: 500, connectMs: 1_000 },
    };
    const service = await startTestService({ databaseUrl: gate.url, timeouts });
    t.after(() => service.stop());
    const api = service.api();
    const id = (await api.post('/v1/users', { reference_id: 'ada' })).body.data.id;
    gate.freeze();
    const requestedMs = performance.now();
    const calls = await Promise.all([api.get('/v1/users'), api.get(`/v1/users/${id}`)]);
    await waitFor('not ready', RECOVERY_LIMIT_MS, async () => (await api.get('/readyz')).status === 503);
    for (const call of calls) assertUnavailable(call);
    t.diagnostic(`reported after ${Math.round(performance.now() - requestedMs)} ms`);
    await gate.close();
    await gate.open();
    await assertBack(api, t, 'a network without responses');
  });

  it('is waited for as long as documented', async () => {
    const silentHost = { silentMs: 2_000, checkMs: 2_500 };
    assert.deepEqual(DATABASE_TIMEOUTS, { connectMs: 4_000, statementMs: 10_000, answerMs: 12_000, ...silentHost });
    const service = await startTestService();
    try {
      const limits = await service.running.services.db.query('show statement_timeout');
      assert.deepEqual(limits, [{ statement_timeout: '10s' }]);
    } finally {
      await service.stop();
    }
  });

  it('while the service is stopped: it exits with 0', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const postgres = await startPostgres(t, harness);
    const [, started] = await startOn(harness, socketUrl(postgres, 'tributary', 'tributary'));
    const service = await started.ready();
    await postgres.stop();
    await assertAway(service);
    const requestedMs = performance.now();
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    assert.ok(performance.now() - requestedMs < 10_000);
  });
});

describe('a database that rejects the service', () => {
  it('ends the start with 1 and explains what to do', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const postgres = await startPostgres(t, harness, 'empty');
    await query(postgres, `create role app login password 'right'`);
    await query(postgres, 'create role lowly login');
    const rules = join(postgres.clusterDir, 'pg_hba.conf');
    await writeFile(rules, `local all app scram-sha-256\n${await readFile(rules, 'utf8')}`);
    await query(postgres, 'select pg_reload_conf()');
    for (const [user, database, message] of [
      ['app:wrong', 'tributary', /The database rejected the password in DATABASE_URL\. Correct it/],
      ['nobody', 'tributary', /The database rejected the user in DATABASE_URL\. Correct it/],
      ['tributary', 'missing', /The database named in DATABASE_URL does not exist\. Create it/],
      ['lowly', 'tributary', /The user in DATABASE_URL is not allowed to create tables\. Make it the owner/],
    ] as const) {
      const [, service] = await startOn(harness, socketUrl(postgres, user, database));
      await service.refused();
      assert.match(service.stderr(), message);
      assert.doesNotMatch(service.stderr(), /\n +at |wrong/, 'neither a stack nor the password');
    }
    for (const [owner, user, message] of [
      ['app:wrong', 'tributary', /The database rejected the password in TRIBUTARY_MIGRATION_DATABASE_URL\. Correct it/],
      [
        'lowly',
        'app:right',
        /The user in TRIBUTARY_MIGRATION_DATABASE_URL is not allowed to create tables\. Make it the owner/,
      ],
      ['tributary', 'app:wrong', /The database rejected the password in DATABASE_URL\. Correct it/],
    ] as const) {
      const [, service] = await startOn(harness, socketUrl(postgres, user, 'tributary'), {
        TRIBUTARY_MIGRATION_DATABASE_URL: socketUrl(postgres, owner, 'tributary'),
      });
      await service.refused();
      assert.match(service.stderr(), message);
    }
  });
});

async function startOn(harness: ServiceHarness, url: string, environment: Record<string, string> = {}) {
  const port = await findFreePort();
  return [port, harness.start({ environment: { ...environment, DATABASE_URL: url, PORT: String(port) } })] as const;
}

async function assertAway(service: ReadyService): Promise<void> {
  const api = apiOf(service);
  await waitFor(
    'the service to detect the failure',
    RECOVERY_LIMIT_MS,
    async () => (await api.get('/v1/users')).status === 503,
  );
  assertUnavailable(await api.get('/v1/users'));
  assertUnavailable(await api.post('/v1/users', { reference_id: 'lost' }));
  await waitFor('not ready', RECOVERY_LIMIT_MS, async () => (await api.get('/readyz')).status === 503);
  assert.equal((await api.get('/healthz')).status, 200);
  assert.equal(service.hasExited(), false);
}

async function assertBack(api: TestApi, t: TestContext, what: string): Promise<void> {
  const backMs = performance.now();
  await waitFor('recovery', RECOVERY_LIMIT_MS, async () => (await api.get('/readyz')).status === 200);
  t.diagnostic(`ready ${Math.round(performance.now() - backMs)} ms after the return of ${what}`);
  assert.equal((await api.get('/v1/users?reference_id=lost')).body.meta.total, 0, 'rejected changes were not made');
  assert.equal((await api.post('/v1/users', { reference_id: `after ${what}` })).status, 201);
}

/** An external server, run by this process in a folder next to the service's. */
async function startPostgres(
  t: TestContext,
  harness: ServiceHarness,
  begin: 'migrated' | 'empty' = 'migrated',
): Promise<EmbeddedPostgres> {
  const dataDir = join(harness.root, 'own');
  const isNew = (await mkdir(dataDir, { recursive: true })) !== undefined;
  if (isNew && begin === 'migrated') await copyTemplateFolder(dataDir);
  const options = { dataDir, print: () => undefined, log: createLogger('silent') };
  const postgres = await startEmbeddedPostgres({ ...options, settings: { fsync: 'off' } });
  t.after(() => postgres.stop());
  return postgres;
}

/** A TCP port in front of the server's socket that a test can close to imitate a network failure. */
async function openGate(t: TestContext, harness: ServiceHarness) {
  const port = await findFreePort();
  const socketPath = join(harness.root, 'own/postgres/socket/.s.PGSQL.5432');
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let isFrozen = false;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
    server = null;
  };
  t.after(close);
  return {
    port,
    url: `postgres://tributary:secret@127.0.0.1:${port}/tributary`,
    close,
    /** Keeps connections open and accepts new ones but forwards nothing until it is opened again. */
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    open: () =>
      new Promise<void>((resolve) => {
        isFrozen = false;
        server = createServer((near) => {
          const far = dial(socketPath);
          for (const [from, to] of [
            [near, far],
            [far, near],
          ] as const) {
            sockets.add(from);
            from.on('error', () => to.destroy()).on('close', () => sockets.delete(from));
            if (!isFrozen) from.pipe(to);
          }
        }).listen(port, '127.0.0.1', resolve);
      }),
  };
}

function socketUrl({ connection }: EmbeddedPostgres, user: string, database: string): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`;
}

async function query({ connection }: EmbeddedPostgres, sql: string, values: unknown[] = []): Promise<unknown[][]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query({ text: sql, values, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** Blocks the erasure job, but not the deletion call. */
async function lockZone({ connection }: EmbeddedPostgres, userId: string): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the server is stopped during the connection
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from user_zones where user_id = $1 for update', [userId]);
  return client;
}

async function awaitBlocked(postgres: EmbeddedPostgres): Promise<void> {
  await waitFor('the erasure to wait for the lock', RECOVERY_LIMIT_MS, async () => {
    const sql = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from user_zones%'`;
    return (await query(postgres, sql)).length === 1;
  });
}
