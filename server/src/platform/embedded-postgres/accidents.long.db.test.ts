// What happens when the service, the server or both are killed, at good and at bad moments.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  findWatchdog,
  homeOf,
  isAlive,
  killAndWait,
  openHarness,
  query,
  spawnService,
  waitUntil,
} from '../../../test/support/embedded-postgres-harness.ts';

describe('kill -9 of the service', () => {
  it('ends the server and the watchdog within seconds', async (t) => {
    const harness = await openHarness(t);
    const service = await harness.startService(harness.root);
    const watchdog = await findWatchdog(service.pid);
    for (const pid of [watchdog, service.postmasterPid]) {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'sid=', '-p', String(pid)]);
      assert.equal(Number(stdout), pid, 'out of reach of Ctrl-C in the terminal');
    }
    await killAndWait(service.process);
    await waitUntil('server ended', async () => !(await isAlive(service.postmasterPid)), 8000);
    await waitUntil('watchdog ended', async () => !(await isAlive(watchdog)), 8000);
    const shutdown = (await readdir(join(harness.root, 'postgres', 'cluster'))).includes('postmaster.pid');
    assert.equal(shutdown, false, 'it shut down in good order');
  });

  it('together with the watchdog leaves an orphan, which the next start replaces', async (t) => {
    const harness = await openHarness(t);
    const service = await harness.startService(harness.root);
    await query(service.connection, 'create table kept as select 42 as value');
    const watchdog = await findWatchdog(service.pid);
    process.kill(watchdog, 'SIGSTOP');
    await killAndWait(service.process);
    process.kill(watchdog, 'SIGKILL');
    await waitUntil('watchdog ended', async () => !(await isAlive(watchdog)));
    assert.equal(await isAlive(service.postmasterPid), true);

    const postgres = await harness.start(harness.root);
    assert.equal(await isAlive(service.postmasterPid), false);
    assert.notEqual(postgres.postmasterPid(), service.postmasterPid);
    assert.deepEqual(await query(postgres.connection, 'select value from kept'), [[42]]);
  });

  it('together with the server loses no committed row', async (t) => {
    const harness = await openHarness(t);
    const service = await harness.startService(harness.root);
    await query(service.connection, 'create table kept (value int)');
    for (let value = 0; value < 20; value++) await query(service.connection, `insert into kept values (${value})`);
    process.kill(service.postmasterPid, 'SIGKILL');
    await killAndWait(service.process);

    const postgres = await harness.start(harness.root);
    assert.deepEqual(await query(postgres.connection, 'select count(*)::int, max(value) from kept'), [[20, 19]]);
  });

  it('during initdb leaves a folder that the next start removes', async (t) => {
    const harness = await openHarness(t);
    const child = spawnService(harness.root);
    const home = join(harness.root, 'postgres');
    const listUnfinished = async () =>
      (await readdir(home).catch((): string[] => [])).filter((name) => name.startsWith('cluster.init-'));
    await waitUntil('initdb has begun', async () => {
      const [name] = await listUnfinished();
      return name !== undefined && (await readdir(join(home, name)).catch((): string[] => [])).includes('global');
    });
    await killAndWait(child);
    assert.deepEqual((await readdir(home)).includes('cluster'), false);

    const postgres = await harness.start(harness.root);
    assert.deepEqual(await query(postgres.connection, 'select 1'), [[1]]);
    assert.deepEqual(await listUnfinished(), []);
  });
});

describe('an accident of the server alone', () => {
  it('causes a restart with the same connection data', async (t) => {
    const harness = await openHarness(t);
    const postgres = await harness.start(harness.root);
    await query(postgres.connection, 'create table kept as select 42 as value');
    for (let round = 0; round < 2; round++) {
      const pid = postgres.postmasterPid() ?? 0;
      process.kill(pid, 'SIGKILL');
      await waitUntil('server runs again', async () => {
        if (postgres.postmasterPid() === pid) return false;
        const rows = await query(postgres.connection, 'select value from kept').catch(() => []);
        return rows[0]?.[0] === 42;
      });
    }
    assert.ok(harness.logged.includes('PostgreSQL was ended by SIGKILL; restarting it'));
  });

  it('does not disturb a stop that comes before the restart', async (t) => {
    const harness = await openHarness(t);
    const postgres = await harness.start(harness.root);
    const pid = postgres.postmasterPid() ?? 0;
    process.kill(pid, 'SIGKILL');
    await waitUntil('server ended', async () => postgres.postmasterPid() !== pid);
    await postgres.stop();
    assert.equal(postgres.postmasterPid(), null);
  });
});

describe('a postmaster.pid that names a living stranger', () => {
  it('neither blocks the start nor affects the other process', async (t) => {
    const harness = await openHarness(t);
    const first = await harness.start(harness.root);
    const pidFile = join(first.clusterDir, 'postmaster.pid');
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
    await first.stop();
    // As the database user, because PostgreSQL itself only respects processes that it could signal.
    const uid = process.getuid?.() === 0 ? (await stat(first.clusterDir)).uid : undefined;
    const stranger = spawn('sleep', ['600'], { cwd: '/', stdio: 'ignore', ...(uid === undefined ? {} : { uid }) });
    t.after(() => stranger.kill('SIGKILL'));
    for (const pid of [stranger.pid, process.pid]) {
      await writeFile(pidFile, [pid, ...rest].join('\n'));
      const again = await harness.start(harness.root);
      assert.deepEqual(await query(again.connection, 'select 1'), [[1]]);
      await again.stop();
      assert.equal(homeOf(again), homeOf(first));
    }
    assert.equal(stranger.exitCode ?? stranger.signalCode, null);
  });
});
