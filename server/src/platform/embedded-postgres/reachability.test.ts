import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { canReadFile, findClosedFolder, isAllowed } from './reachability.ts';

const account = { uid: 4321, gid: 4321, name: 'someone' };

describe('isAllowed', () => {
  it('uses the first matching class, as POSIX does', () => {
    assert.equal(isAllowed({ uid: 4321, gid: 0, mode: 0o100 }, account, 0o1), true);
    assert.equal(isAllowed({ uid: 4321, gid: 0, mode: 0o011 }, account, 0o1), false);
    assert.equal(isAllowed({ uid: 0, gid: 4321, mode: 0o010 }, account, 0o1), true);
    assert.equal(isAllowed({ uid: 0, gid: 4321, mode: 0o701 }, account, 0o1), false);
    assert.equal(isAllowed({ uid: 0, gid: 0, mode: 0o705 }, account, 0o5), true);
    assert.equal(isAllowed({ uid: 0, gid: 0, mode: 0o704 }, account, 0o5), false);
  });
});

describe('findClosedFolder', () => {
  it('returns the topmost folder that cannot be entered', async (t) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'tributary-reach-')));
    t.after(() => rm(root, { recursive: true }));
    const closed = join(root, 'closed');
    const deep = join(closed, 'a', 'b');
    await mkdir(deep, { recursive: true });
    await writeFile(join(deep, 'file'), '', { mode: 0o644 });
    await chmod(root, 0o711);
    assert.equal(await findClosedFolder(deep, account), null);
    assert.equal(await canReadFile(join(deep, 'file'), account, false), true);
    assert.equal(await canReadFile(join(deep, 'file'), account, true), false);

    await chmod(closed, 0o700);
    await chmod(deep, 0o700);
    assert.equal(await findClosedFolder(deep, account), closed);
    assert.equal(await canReadFile(join(deep, 'file'), account, false), false);
    assert.equal(await findClosedFolder(deep, null), null, 'nobody changes hands');
  });
});
