// Tests of clusters outside of the data folder, because the database user cannot enter it.

import assert from 'node:assert/strict';
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  type Harness,
  homeOf,
  needsRoot,
  openHarness,
  query,
} from '../../../test/support/embedded-postgres-harness.ts';
import { EmbeddedPostgresError } from './index.ts';
import { POINTER_NAME } from './location-pointer.ts';
import { hashPath } from './relocated-home.ts';

async function makeClosedFolder(harness: Harness, name: string): Promise<string> {
  const dataDir = join(harness.root, name);
  await mkdir(dataDir, { mode: 0o700 });
  harness.removeRelocatedOf(dataDir);
  return dataDir;
}

describe('a data folder that only root can enter', { skip: needsRoot }, () => {
  it('keeps its cluster elsewhere, says where, and finds it again after a restart and a rename', async (t) => {
    const harness = await openHarness(t);
    const dataDir = await makeClosedFolder(harness, 'closed');
    const first = await harness.start(dataDir);
    const home = `/var/lib/tributary/${hashPath(dataDir)}`;
    assert.equal(first.relocated, true);
    assert.equal(first.clusterDir, `${home}/cluster`);
    assert.match(
      harness.printed.join('\n'),
      new RegExp(`PostgreSQL data is in ${home}, because .* cannot enter ${dataDir}`),
    );
    assert.equal((await stat(join(dataDir, POINTER_NAME))).mode & 0o777, 0o600);
    assert.notEqual((await stat(first.clusterDir)).uid, 0);
    assert.equal((await stat(home)).uid, 0);
    await query(first.connection, 'create table kept as select 42 as value');
    await first.stop();

    const second = await harness.start(dataDir);
    assert.deepEqual(await query(second.connection, 'select value from kept'), [[42]]);
    await second.stop();

    const renamed = join(harness.root, 'renamed');
    await rename(dataDir, renamed);
    harness.removeRelocatedOf(renamed);
    const third = await harness.start(renamed);
    assert.equal(homeOf(third), home);
    assert.deepEqual(await query(third.connection, 'select value from kept'), [[42]]);
    assert.equal(harness.printed.length, 3);

    const successor = await makeClosedFolder(harness, 'closed');
    const fourth = await harness.start(successor);
    assert.equal(homeOf(fourth), `${home}-2`, 'a new folder at the old path does not take over the data');
  });

  it('refuses to start a copy while the original runs', async (t) => {
    const harness = await openHarness(t);
    const dataDir = await makeClosedFolder(harness, 'original');
    const original = await harness.start(dataDir);
    const copy = join(harness.root, 'copy');
    await cp(dataDir, copy, { recursive: true, preserveTimestamps: true });
    await assert.rejects(harness.start(copy), (error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.match(error.message, new RegExp(`in use by a running service \\(process ${process.pid}\\)`));
      return true;
    });
    assert.deepEqual(await query(original.connection, 'select 1'), [[1]], 'the original was left alone');
  });

  it('does not start with an empty database when its cluster is missing', async (t) => {
    const harness = await openHarness(t);
    const dataDir = await makeClosedFolder(harness, 'lost');
    const postgres = await harness.start(dataDir);
    await postgres.stop();
    await rm(homeOf(postgres), { recursive: true });
    await assert.rejects(harness.start(dataDir), /should be in .*, but it is not there/);
    assert.match(await readFile(join(dataDir, POINTER_NAME), 'utf8'), /"initialized":true/);
  });
});

describe('a cluster whose folders change hands', { skip: needsRoot }, () => {
  it('moves with its rows when the data folder is closed later', async (t) => {
    const harness = await openHarness(t, '/var/tmp'); // on the file system of /var/lib, where it moves to
    const dataDir = await makeClosedFolder(harness, 'closed-later');
    await chmod(dataDir, 0o755);
    const before = await harness.start(dataDir);
    assert.equal(before.relocated, false);
    await query(before.connection, 'create table kept as select 42 as value');
    await before.stop();

    await chmod(dataDir, 0o700);
    const after = await harness.start(dataDir);
    assert.equal(after.relocated, true);
    assert.deepEqual(await query(after.connection, 'select value from kept'), [[42]]);
    await assert.rejects(stat(before.clusterDir), { code: 'ENOENT' });
  });

  it('gets the database user as owner again after root restored it', async (t) => {
    const harness = await openHarness(t);
    const before = await harness.start(harness.root);
    const { uid } = await stat(before.clusterDir);
    await before.stop();
    await rename(before.clusterDir, `${before.clusterDir}.backup`);
    await cp(`${before.clusterDir}.backup`, before.clusterDir, { recursive: true });
    await chmod(before.clusterDir, 0o755);
    await chown(before.clusterDir, 0, 0);
    const after = await harness.start(harness.root);
    assert.equal((await stat(after.clusterDir)).uid, uid);
    assert.deepEqual(await query(after.connection, 'select 1'), [[1]]);
  });
});
