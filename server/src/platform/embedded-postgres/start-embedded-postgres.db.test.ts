// The ordinary life of the server: first start, settings, stop, second start, and what keeps it from starting.

import assert from 'node:assert/strict';
import { access, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { findWatchdog, homeOf, isAlive, openHarness, query } from '../../../test/support/embedded-postgres-harness.ts';
import { EmbeddedPostgresError } from './index.ts';

describe('startEmbeddedPostgres', () => {
  it('runs a private, durable UTF-8 server and keeps its rows over a restart', async (t) => {
    const harness = await openHarness(t);
    const dataDir = join(harness.root, 'odd, "name" of a folder');
    await mkdir(dataDir, { mode: 0o755 });
    const first = await harness.start(dataDir, {});
    assert.equal(first.relocated, false);
    assert.equal(first.clusterDir, join(dataDir, 'postgres', 'cluster'));
    assert.match(first.serverVersion, /^18\.\d+$/);
    assert.deepEqual(harness.printed, []);
    assert.deepEqual(
      await query(
        first.connection,
        `select current_user, current_database(), current_setting('listen_addresses'), current_setting('fsync'),
                current_setting('data_checksums'), current_setting('TimeZone'), current_setting('log_timezone'),
                pg_encoding_to_char(encoding), datlocprovider, datlocale, datcollate, lower('ÄÖ'), 'a' < 'B'
           from pg_database where datname = current_database()`,
      ),
      [['tributary', 'tributary', '', 'on', 'on', 'UTC', 'UTC', 'UTF8', 'b', 'C.UTF-8', 'C', 'äö', false]],
    );
    const socket = await stat(first.connection.host);
    assert.equal(socket.mode & 0o777, 0o700);
    assert.equal(socket.uid, (await stat(first.clusterDir)).uid);

    await query(first.connection, 'create table kept as select 42 as value');
    const pid = first.postmasterPid() ?? 0;
    const watchdog = await findWatchdog(process.pid);
    await Promise.all([first.stop(), first.stop()]);
    assert.equal(first.postmasterPid(), null);
    assert.equal(await isAlive(pid), false);
    assert.equal(await isAlive(watchdog), false);
    assert.deepEqual((await readdir(homeOf(first))).sort(), ['cluster']);

    const second = await harness.start(dataDir);
    assert.deepEqual(await query(second.connection, 'select value from kept'), [[42]]);
  });

  it('uses a short folder for the socket when the path of the data folder is long', async (t) => {
    const harness = await openHarness(t);
    const dataDir = join(harness.root, 'long'.repeat(20), 'longer'.repeat(10));
    await mkdir(dataDir, { recursive: true, mode: 0o755 });
    const postgres = await harness.start(dataDir);
    assert.equal(dirname(postgres.connection.host), '/tmp');
    assert.equal((await stat(postgres.connection.host)).mode & 0o777, 0o700);
    assert.deepEqual(await query(postgres.connection, 'select 1'), [[1]]);
    await postgres.stop();
    await assert.rejects(access(postgres.connection.host), { code: 'ENOENT' });
  });

  it('reports the last lines of a server that does not start, and leaves nothing running', async (t) => {
    const harness = await openHarness(t);
    await assert.rejects(harness.start(harness.root, { shared_buffers: 'plenty' }), (error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.match(error.message, /ended with status 1.*invalid value for parameter "shared_buffers": "plenty"/s);
      return true;
    });
    await assert.rejects(findWatchdog(process.pid), /0 watchdogs/);
    const postgres = await harness.start(harness.root);
    assert.deepEqual(await query(postgres.connection, 'select 1'), [[1]]);
  });

  it('refuses a cluster of another major version and changes nothing', async (t) => {
    const harness = await openHarness(t);
    const clusterDir = join(harness.root, 'postgres', 'cluster');
    await mkdir(clusterDir, { recursive: true });
    await writeFile(join(clusterDir, 'PG_VERSION'), '17\n');
    const before = await stat(clusterDir);
    await assert.rejects(harness.start(harness.root), (error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.match(error.message, /created by PostgreSQL 17, but this release includes PostgreSQL 18/);
      return true;
    });
    assert.deepEqual(await readdir(harness.root, { recursive: true }), [
      'postgres',
      'postgres/cluster',
      'postgres/cluster/PG_VERSION',
    ]);
    assert.equal((await stat(clusterDir)).ctimeMs, before.ctimeMs);
  });
});
