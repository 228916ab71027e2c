import assert from 'node:assert/strict';
import { mkdtempDisposable, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createFolder } from './create-folder.ts';

const elsewhere = process.platform === 'linux' ? false : 'only Linux has /proc';

it('creates a folder with its parents, and accepts one that exists', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'tributary-folder-'));
  const path = join(home.path, 'a/b/c');
  for (let times = 0; times < 2; times += 1) createFolder(path, 0o700);
  assert.equal((await stat(join(home.path, 'a'))).mode & 0o777, 0o700);
  assert.ok((await stat(path)).isDirectory());
});

it('fails where a file has the name', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'tributary-folder-'));
  const path = join(home.path, 'file');
  await writeFile(path, '');
  assert.throws(() => createFolder(path, 0o700), { code: 'ENOTDIR', message: `${path} is not a folder` });
  assert.throws(() => createFolder(join(path, 'below'), 0o700), { code: 'ENOTDIR' });
});

it('fails where no folder can be created', { skip: elsewhere }, () => {
  assert.throws(() => createFolder('/proc/tributary/export', 0o700), { code: 'ENOENT' });
});

it('names a symbolic link that leads nowhere', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'tributary-folder-'));
  const link = join(home.path, 'link');
  for (const target of [join(home.path, 'missing'), link]) {
    await symlink(target, link);
    const error = { code: 'ELOOP', message: `${link} is a symbolic link that leads to no folder` };
    assert.throws(() => createFolder(link, 0o700), error);
    assert.throws(() => createFolder(join(link, 'below'), 0o700), error);
    await rm(link);
  }
});
