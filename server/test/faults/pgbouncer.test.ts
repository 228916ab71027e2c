// The service behind PgBouncer: session pooling works, transaction pooling is refused with the reason.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { apiOf, findFreePort, isRoot, OWN_DATABASE, openServiceHarness, waitFor } from '../support/service-process.ts';
import { createApi } from '../support/test-api.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startPhone } from '../support/test-phone.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
const LIMIT_MS = 60_000;
const skip = existsSync(PROGRAM) ? false : 'needs pgbouncer';

describe('the service behind PgBouncer', { skip }, () => {
  it('works with session pooling', { timeout: 120_000 }, async (t) => {
    const { harness, url } = await startPooler(t, 'session');
    const service = await harness
      .start({ dataDir: join(harness.root, 'data'), environment: { DATABASE_URL: url } })
      .ready();
    const api = apiOf(service);
    const { id } = (await api.post('/v1/users', { reference_id: 'ada' })).body.data;
    const phone = await startPhone({ api: (key = service.keys.live) => createApi(service.url, key) }, id);
    const steps = { metric: 'steps', start: '2026-03-09T10:00:00Z', end: '2026-03-09T10:05:00Z', value: 50 };
    await phone.upload({ samples: [steps] });
    const count = (sql: string) => countRows(url, sql, id);
    await waitFor('the event', LIMIT_MS, async () => (await count('select 1 from feed_events where user_id = $1')) > 0);
    assert.equal((await api.delete(`/v1/users/${id}`)).status, 202);
    await waitFor('the erasure', LIMIT_MS, async () => (await count('select 1 from users where id = $1')) === 0);
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
  });

  it('refuses transaction pooling and says what to do', { timeout: 120_000 }, async (t) => {
    const { harness, url } = await startPooler(t, 'transaction');
    const service = harness.start({ dataDir: join(harness.root, 'data'), environment: { DATABASE_URL: url } });
    await service.refused();
    assert.match(service.stderr(), /The pooler in DATABASE_URL pools transactions.*Set pool_mode = session/);
    assert.doesNotMatch(service.stderr(), /\n +at /);
  });
});

async function countRows(url: string, sql: string, id: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  return (await client.query(sql, [id]).finally(() => client.end())).rows.length;
}

/** With the settings of Debian's package, so that parameters which PgBouncer does not know are rejected. */
async function startPooler(t: TestContext, mode: 'session' | 'transaction') {
  const harness = await openServiceHarness(t, OWN_DATABASE);
  const database = await createTestDatabase();
  harness.beforeRemoval(() => database.drop());
  const { host, port, user = '', database: name = '' } = new pg.Client(database.url);
  const listenPort = await findFreePort();
  const file = join(harness.root, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `${name} = host=${host} port=${port} user=${user}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 50',
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  // It refuses to run as root, and must reach the server's socket.
  const uid = isRoot && host.startsWith('/') ? (await stat(host)).uid : undefined;
  const pooler = harness.start({
    command: [PROGRAM, file],
    dataDir: join(harness.root, 'pooler'),
    ...(uid !== undefined && { uid }),
  });
  const url = `postgres://${user}@127.0.0.1:${listenPort}/${name}`;
  await waitFor('PgBouncer', LIMIT_MS, async () => {
    if (pooler.hasExited()) assert.fail(pooler.stderr());
    const client = new pg.Client(url);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return { harness, url };
}
