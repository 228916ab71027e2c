// The pure decisions of this folder that are too small for a test file of their own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parsePid } from './former-postmaster.ts';
import { judgePostmaster, readProcessIdentity } from './process-facts.ts';
import { createRelocatedHome, hashPath, isTemporaryHome } from './relocated-home.ts';
import { listServerArguments } from './server-arguments.ts';
import { chooseSocketFolder } from './socket-folder.ts';
import { nextRestartDelay } from './supervise-server.ts';

describe('nextRestartDelay', () => {
  it('grows from 100 ms to 5 s and resets after a stable minute', () => {
    const delays = [0];
    for (let round = 0; round < 8; round++) delays.push(nextRestartDelay(delays.at(-1) ?? 0, 500));
    assert.deepEqual(delays.slice(1), [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    assert.equal(nextRestartDelay(5000, 60_000), 100);
  });
});

describe('listServerArguments', () => {
  it('quotes the socket folder and lets extra settings take precedence', () => {
    const list = listServerArguments('/c', '/a, "b"', { fsync: 'off' });
    assert.deepEqual(list.slice(0, 6), ['-D', '/c', '-k', '"/a, ""b"""', '-p', '5432']);
    assert.deepEqual(
      list.filter((argument) => argument.startsWith('fsync=')),
      ['fsync=off'],
    );
    assert.ok(list.includes('listen_addresses='));
  });
});

describe('chooseSocketFolder', () => {
  it('counts bytes, and 103 of them just fit', async () => {
    const room = 103 - '/socket/.s.PGSQL.5432'.length;
    const fits = `/${'x'.repeat(room - 1)}`;
    assert.equal(await chooseSocketFolder(fits), `${fits}/socket`);
    assert.notEqual(await chooseSocketFolder(`${fits}x`), `${fits}x/socket`);
    assert.notEqual(await chooseSocketFolder(`/${'é'.repeat(room / 2)}`), `/${'é'.repeat(room / 2)}/socket`);
  });
});

describe('parsePid', () => {
  it('reads the first line, and returns null if it is not a PID', () => {
    assert.equal(parsePid('123\n/data\n'), 123);
    for (const damaged of ['', '\n', '-5\n', '0\n', 'abc\n']) assert.equal(parsePid(damaged), null);
  });
});

describe('process facts', () => {
  it('distinguishes other and dead processes from a server of the cluster', async (t) => {
    const child = spawn('sleep', ['600'], { cwd: tmpdir(), stdio: 'ignore' });
    t.after(() => child.kill('SIGKILL'));
    const pid = child.pid ?? 0;
    assert.notEqual(await readProcessIdentity(pid), null);
    assert.equal(await readProcessIdentity(pid), await readProcessIdentity(pid));
    assert.equal(await judgePostmaster(pid, tmpdir()), 'other');
    assert.equal(await judgePostmaster(2 ** 22 + 1, tmpdir()), 'gone');
    assert.equal(await readProcessIdentity(2 ** 22 + 1), null);
  });
});

describe('createRelocatedHome', () => {
  it('uses the first safe base, and never a folder that is not empty', async (t) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'tributary-homes-')));
    t.after(() => rm(root, { recursive: true }));
    const [linked, good] = [join(root, 'linked'), join(root, 'good')];
    await symlink('/tmp', linked);
    const bases = [join(root, 'missing', 'parent'), linked, good];
    const home = await createRelocatedHome('/data', null, bases);
    assert.equal(home, join(good, hashPath('/data')));
    assert.equal(await createRelocatedHome('/data', null, bases), home, 'left empty by a killed start');
    await writeFile(join(home, 'something'), '');
    await mkdir(join(home, 'cluster'));
    assert.equal(await createRelocatedHome('/data', null, bases), `${home}-2`);
    assert.deepEqual((await readdir(home)).sort(), ['cluster', 'something']);
    await assert.rejects(createRelocatedHome('/data', null, [linked]), /not a folder that only the service can write/);
  });

  it('recognizes folders that the system may empty', () => {
    assert.equal(isTemporaryHome('/var/lib/tributary/ab'), false);
    assert.equal(isTemporaryHome('/tmp/tributary/ab'), true);
  });
});
