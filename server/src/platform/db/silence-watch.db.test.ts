import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { connectToDatabase, createTestDatabase } from '../../../test/support/test-database.ts';
import { isUnavailable } from '../errors.ts';
import { createLogger } from '../log.ts';
import { createDatabase, DATABASE_TIMEOUTS } from './database.ts';

const SHORT = { ...DATABASE_TIMEOUTS, silentMs: 50 };

describe('a statement without an answer', async () => {
  const database = await createTestDatabase();
  const admin = connectToDatabase(database.url, 1);
  after(async () => {
    await admin.close();
    await database.drop();
  });

  function open(url: string, options: Partial<Parameters<typeof createDatabase>[0]> = {}) {
    const db = createDatabase({ maxConnections: 2, log: createLogger('silent'), timeouts: SHORT, ...options });
    db.attach({ url });
    after(() => db.close());
    return db;
  }

  it('is not cut while its backend works', async () => {
    const db = open(database.url);
    assert.deepEqual(await db.query(`select 1 as done from pg_sleep(0.4)`), [{ done: 1 }]);
  });

  it('is cut after the limit of a statement, except in a migration', async () => {
    const timeouts = { ...SHORT, answerMs: 200 };
    const slow = 'select 1 as done from pg_sleep(0.8)';
    await assert.rejects(open(database.url, { timeouts }).query(slow), isUnavailable);
    assert.deepEqual(await open(database.url, { timeouts, hasNoStatementTimeout: true }).query(slow), [{ done: 1 }]);
  });

  it('is cut if its backend is gone, and the next one gets a new connection', async () => {
    const proxy = await startProxy(database.url);
    after(proxy.close);
    const db = open(proxy.url);
    const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
    proxy.swallow();
    await admin.query('select pg_terminate_backend($1::integer)', [row?.pid]);
    await assert.rejects(db.query('select 1'), isUnavailable);
    assert.deepEqual(await db.query('select 1 as done'), [{ done: 1 }]);
  });
});

/** A proxy that can stop forwarding on its open connections without closing them. */
async function startProxy(url: string) {
  const { host, port, user, database } = new pg.Client(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = host.startsWith('/') ? dial(`${host}/.s.PGSQL.${port}`) : dial(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined).on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `postgres://${user}@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/${database}`,
    swallow() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
