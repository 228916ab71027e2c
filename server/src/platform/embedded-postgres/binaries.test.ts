// A small tree replaces the package: only its links, modes and names matter, not the programs.

import assert from 'node:assert/strict';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { hydrateLibraryLinks, listMissingLinks } from './library-links.ts';
import { locateBinaries } from './locate-binaries.ts';
import { prepareBinaries } from './prepare-binaries.ts';

const account = { uid: 4321, gid: 4321, name: 'someone' };

async function makePackage(t: TestContext) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tributary-binaries-')));
  t.after(() => rm(root, { recursive: true }));
  await chmod(root, 0o755);
  const nativeDir = join(root, 'package', 'native');
  for (const folder of ['bin', 'lib/postgresql', 'share/postgresql'])
    await mkdir(join(nativeDir, folder), { recursive: true });
  for (const program of ['postgres', 'initdb'])
    await writeFile(join(nativeDir, 'bin', program), program, { mode: 0o755 });
  await writeFile(join(nativeDir, 'lib', 'libpq.so.5.18'), 'library');
  await writeFile(join(nativeDir, 'share/postgresql/postgres.bki'), 'catalog', { mode: 0o644 });
  const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
    source: 'native/lib/libpq.so.5.18',
    target: `native/lib/${name}`,
  }));
  await writeFile(join(nativeDir, 'pg-symlinks.json'), JSON.stringify(links));
  const home = join(root, 'home');
  await mkdir(home);
  return { root, home, nativeDir, packaged: { nativeDir, version: '18.4.0', major: '18' } };
}

describe('library links', () => {
  it('are relative, can be created concurrently, and are repaired when broken', async (t) => {
    const { nativeDir } = await makePackage(t);
    await symlink('gone', join(nativeDir, 'lib', 'libpq.so'));
    await Promise.all(Array.from({ length: 20 }, () => hydrateLibraryLinks(nativeDir)));
    assert.deepEqual(await listMissingLinks(nativeDir), []);
    assert.deepEqual((await readdir(join(nativeDir, 'lib'))).sort(), [
      'libpq.so',
      'libpq.so.5',
      'libpq.so.5.18',
      'postgresql',
    ]);
    assert.equal(await readlink(join(nativeDir, 'lib', 'libpq.so.5')), 'libpq.so.5.18');
  });
});

describe('prepareBinaries', () => {
  it('uses the package in place when the database user can reach it', async (t) => {
    const { packaged, home, nativeDir } = await makePackage(t);
    assert.equal(await prepareBinaries(packaged, home, account), nativeDir);
    assert.deepEqual(await listMissingLinks(nativeDir), []);
    assert.deepEqual(await readdir(home), []);
  });

  it('copies it from a closed folder, once per version, and removes older and unfinished copies', async (t) => {
    const { packaged, home, root } = await makePackage(t);
    await chmod(join(root, 'package'), 0o700);
    for (const leftover of ['17.1.0', '18.4.0.1234.tmp'])
      await mkdir(join(home, 'binaries', leftover), { recursive: true });
    const copy = await prepareBinaries(packaged, home, account);
    assert.equal(copy, join(home, 'binaries', '18.4.0', 'native'));
    assert.deepEqual(await readdir(join(home, 'binaries')), ['18.4.0']);
    assert.equal(await readFile(join(copy, 'lib', 'libpq.so.5'), 'utf8'), 'library');
    assert.equal((await stat(join(copy, 'bin', 'postgres'))).mode & 0o777, 0o755);
    const { ino } = await stat(copy);
    assert.equal(await prepareBinaries(packaged, home, account), copy);
    assert.equal((await stat(copy)).ino, ino, 'not copied again');
  });

  it('copies it when its links cannot be created there', {
    skip: process.getuid?.() === 0 && 'root can write anywhere',
  }, async (t) => {
    const { packaged, home, nativeDir } = await makePackage(t);
    await chmod(join(nativeDir, 'lib'), 0o555);
    const copy = await prepareBinaries(packaged, home, null).finally(() => chmod(join(nativeDir, 'lib'), 0o755));
    assert.equal(await readFile(join(copy, 'lib', 'libpq.so'), 'utf8'), 'library');
  });
});

describe('locateBinaries', () => {
  it('finds the package of this machine', async () => {
    const { nativeDir, major } = await locateBinaries();
    assert.equal(major, '18');
    assert.ok((await readdir(nativeDir)).includes('bin'));
  });
});
