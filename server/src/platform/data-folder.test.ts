import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  DataFolderError,
  loadOrMakeMasterKey,
  loadOrMakeOperatorToken,
  lockDataFolder,
  openDataFolder,
  readServiceAddress,
  removeServiceAddress,
  writeServiceAddress,
} from './data-folder.ts';

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-folder-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Another process that takes the lock and holds it until it is killed; resolves to whether it got it. */
async function lockElsewhere(t: TestContext, folder: string) {
  const script = `import { lockDataFolder } from ${JSON.stringify(join(import.meta.dirname, 'data-folder.ts'))};
    globalThis.held = lockDataFolder(${JSON.stringify(folder)});
    process.stdout.write(globalThis.held ? 'locked' : 'refused');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  return { child, said: String(said) };
}

describe('lockDataFolder', () => {
  it('is one process’s at a time, and free once that one has ended, however it ended', async (t) => {
    const folder = makeFolder(t);
    const first = await lockElsewhere(t, folder);
    assert.equal(first.said, 'locked');
    assert.equal(lockDataFolder(folder), null);
    assert.equal((await lockElsewhere(t, folder)).said, 'refused');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const lock = lockDataFolder(folder);
    assert.ok(lock);
    assert.equal((await lockElsewhere(t, folder)).said, 'refused');
    lock.release();
    assert.equal((await lockElsewhere(t, folder)).said, 'locked');
  });
});

describe('secrets', () => {
  it('are made once, for the owner alone, and then kept', (t) => {
    const folder = makeFolder(t);
    assert.equal(loadOrMakeMasterKey(folder).fingerprint, loadOrMakeMasterKey(folder).fingerprint);
    const token = loadOrMakeOperatorToken(folder);
    assert.equal(loadOrMakeOperatorToken(folder), token);
    assert.match(token, /^op_[\w-]{43}$/);
    assert.deepEqual(readdirSync(folder).sort(), ['master.key', 'operator.token']);
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  });

  it('a damaged master key is refused, not replaced', (t) => {
    const folder = makeFolder(t);
    writeFileSync(join(folder, 'master.key'), 'damaged');
    assert.throws(() => loadOrMakeMasterKey(folder), DataFolderError);
    assert.equal(readFileSync(join(folder, 'master.key'), 'utf8'), 'damaged');
  });
});

describe('the service’s address', () => {
  it('there and back, for the owner alone, gone after removal', (t) => {
    const folder = makeFolder(t);
    assert.equal(readServiceAddress(folder), null);
    const operatorToken = loadOrMakeOperatorToken(folder);
    const address = { pid: process.pid, adminUrl: 'http://127.0.0.1:1', publicUrl: 'http://127.0.0.1:2', role: 'all' };
    writeServiceAddress(folder, address);
    assert.deepEqual(readServiceAddress(folder), { ...address, operatorToken });
    assert.equal(statSync(join(folder, 'service.json')).mode & 0o777, 0o600);
    removeServiceAddress(folder);
    assert.equal(readServiceAddress(folder), null);
  });
});

describe('openDataFolder', () => {
  it('makes the folder and those above it', (t) => {
    const folder = join(makeFolder(t), 'a/b');
    openDataFolder(folder);
    assert.ok(statSync(folder).isDirectory());
    assert.equal(statSync(folder).mode & 0o066, 0, 'others may not list it');
  });

  it('says what to do when it cannot', (t) => {
    const file = join(makeFolder(t), 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    assert.throws(() => openDataFolder(join(file, 'data')), /cannot be used: .*TRIBUTARY_DATA_DIR/);
  });
});
