import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { generateMasterKey } from './crypto/master-key.ts';
import {
  DataFolderError,
  loadOrMakeMasterKey,
  lockDataFolder,
  makeOperatorToken,
  openDataFolder,
  readMasterKeyFile,
  readServiceAddress,
  readWorkerAddress,
  removeServiceAddress,
  replaceMasterKey,
  writeServiceAddress,
} from './data-folder.ts';

const NOBODY = 65_534;

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-folder-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Another process that takes the lock and holds it for a time or until it is killed; resolves to whether it got it. */
async function lockElsewhere(t: TestContext, folder: string, heldMs?: number) {
  const script = `import { lockDataFolder } from ${JSON.stringify(join(import.meta.dirname, 'data-folder.ts'))};
    globalThis.held = lockDataFolder(${JSON.stringify(folder)});
    process.stdout.write(globalThis.held ? 'locked' : 'refused');
    setInterval(() => {}, 1000);
    ${heldMs === undefined ? '' : `setTimeout(() => globalThis.held.release(), ${heldMs});`}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [printed] = await once(child.stdout, 'data');
  return { child, printed: String(printed) };
}

describe('lockDataFolder', () => {
  it('has one owner at a time, and is released when its process ends in any way', async (t) => {
    const folder = makeFolder(t);
    const first = await lockElsewhere(t, folder);
    assert.equal(first.printed, 'locked');
    assert.equal(lockDataFolder(folder), null);
    assert.equal((await lockElsewhere(t, folder)).printed, 'refused');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const lock = lockDataFolder(folder);
    assert.ok(lock);
    assert.equal((await lockElsewhere(t, folder)).printed, 'refused');
    lock.release();
    assert.equal((await lockElsewhere(t, folder)).printed, 'locked');
  });

  it('waits for one who holds it for an instant, as doctor does', async (t) => {
    const folder = makeFolder(t);
    assert.equal((await lockElsewhere(t, folder, 50)).printed, 'locked');
    assert.ok(lockDataFolder(folder));
  });
});

describe('secrets', () => {
  it('are created once, readable only by the owner, and kept', (t) => {
    const folder = makeFolder(t);
    assert.equal(loadOrMakeMasterKey(folder).fingerprint, loadOrMakeMasterKey(folder).fingerprint);
    assert.deepEqual(readdirSync(folder), ['master.key']);
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  });

  it('an operator token is long and unique', () => {
    assert.match(makeOperatorToken(), /^op_[\w-]{43}$/);
    assert.notEqual(makeOperatorToken(), makeOperatorToken());
  });

  it('a link to nowhere instead of the master key is rejected', (t) => {
    const folder = makeFolder(t);
    symlinkSync('nowhere', join(folder, 'master.key'));
    assert.throws(
      () => loadOrMakeMasterKey(folder),
      /master\.key cannot be read: it is a link to a file that does not exist/,
    );
    assert.deepEqual(readdirSync(folder), ['master.key']);
  });

  it('a damaged master key is rejected, not replaced', (t) => {
    const folder = makeFolder(t);
    writeFileSync(join(folder, 'master.key'), 'damaged');
    assert.throws(() => loadOrMakeMasterKey(folder), DataFolderError);
    assert.equal(readFileSync(join(folder, 'master.key'), 'utf8'), 'damaged');
  });
});

describe('a master key that is replaced', () => {
  it('is replaced, readable only by its owner, and leftovers of an interrupted replacement are removed', async (t) => {
    const folder = makeFolder(t);
    loadOrMakeMasterKey(folder);
    chmodSync(join(folder, 'master.key'), 0o644);
    writeFileSync(join(folder, 'master.key.1.tmp'), 'never in force');
    const next = generateMasterKey();
    await replaceMasterKey(folder, next);
    assert.equal(readMasterKeyFile(folder).fingerprint, next.fingerprint);
    assert.deepEqual(readdirSync(folder), ['master.key']);
    assert.equal(statSync(join(folder, 'master.key')).mode & 0o777, 0o600);
  });

  it('stays its owner’s when root replaces it', { skip: process.getuid?.() !== 0 }, async (t) => {
    const folder = makeFolder(t);
    loadOrMakeMasterKey(folder);
    chownSync(join(folder, 'master.key'), NOBODY, NOBODY);
    await replaceMasterKey(folder, generateMasterKey());
    const { uid, gid } = statSync(join(folder, 'master.key'));
    assert.deepEqual({ uid, gid }, { uid: NOBODY, gid: NOBODY });
  });

  it('that cannot be written is an error, and the folder is unchanged', async (t) => {
    const folder = makeFolder(t);
    mkdirSync(join(folder, 'master.key'));
    await assert.rejects(replaceMasterKey(folder, generateMasterKey()), (error: Error) => {
      assert.ok(error instanceof DataFolderError);
      assert.match(error.message, /could not be written to .*master\.key: .*The key in force is still valid/);
      return true;
    });
    assert.deepEqual(readdirSync(folder), ['master.key']);
  });

  it('is not created if it is missing', (t) => {
    const folder = makeFolder(t);
    assert.throws(() => readMasterKeyFile(folder), /has no master key\. Set TRIBUTARY_DATA_DIR/);
    assert.deepEqual(readdirSync(folder), []);
  });
});

describe('the service’s address', () => {
  it('can be read back, is readable only by the owner, and can be removed', (t) => {
    const folder = makeFolder(t);
    assert.equal(readServiceAddress(folder), null);
    writeFileSync(join(folder, 'operator.token'), 'of an earlier version');
    const operator = { operatorSocket: join(folder, 'operator.sock'), operatorToken: makeOperatorToken() };
    const address = { pid: process.pid, ...operator, publicUrl: 'http://127.0.0.1:2', role: 'all' };
    writeServiceAddress(folder, address);
    assert.deepEqual(readServiceAddress(folder), address);
    assert.deepEqual(readdirSync(folder), ['service.json']);
    assert.equal(statSync(join(folder, 'service.json')).mode & 0o777, 0o600);
    removeServiceAddress(folder, address.role);
    assert.equal(readServiceAddress(folder), null);
  });

  it('of a worker is separate from that of an API process in the same folder', (t) => {
    const folder = makeFolder(t);
    const operator = { operatorSocket: join(folder, 'operator.sock'), operatorToken: makeOperatorToken() };
    const address = { pid: process.pid, ...operator, publicUrl: 'http://127.0.0.1:2' };
    for (const role of ['api', 'worker']) writeServiceAddress(folder, { ...address, role });
    assert.deepEqual([readServiceAddress(folder)?.role, readWorkerAddress(folder)?.role], ['api', 'worker']);
    removeServiceAddress(folder, 'worker');
    assert.deepEqual(readdirSync(folder), ['service.json']);
  });
});

describe('openDataFolder', () => {
  it('creates the folder and its parents', (t) => {
    const folder = join(makeFolder(t), 'a/b');
    openDataFolder(folder);
    assert.ok(statSync(folder).isDirectory());
    assert.equal(statSync(folder).mode & 0o066, 0, 'others may not list it');
  });

  it('says what to do when it cannot', (t) => {
    const file = join(makeFolder(t), 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    for (const path of [file, join(file, 'data'), join(file, 'a/b')])
      assert.throws(() => openDataFolder(path), /cannot be used: .*TRIBUTARY_DATA_DIR/);
  });

  const VIRTUAL = ['/proc/x', '/proc/x/y', '/proc', '/proc/self/fd', '/sys/x', '/sys', '/dev/null/x', '/dev/null'];
  it('fails immediately if no file can be created', { skip: process.platform !== 'linux' }, async () => {
    // In a separate process, because Node's own recursive mkdir never returns for /proc.
    const module = JSON.stringify(join(import.meta.dirname, 'data-folder.ts'));
    const script = `import(${module}).then(({ openDataFolder }) => openDataFolder(process.argv[1]))`;
    for (const path of VIRTUAL) {
      const { stderr } = await promisify(execFile)(process.execPath, ['-e', script, path], { timeout: 20_000 }).then(
        () => assert.fail(`${path} was opened`),
        (error: { stderr: string }) => error,
      );
      assert.match(
        stderr,
        new RegExp(`The data folder ${path} cannot be used: .*set TRIBUTARY_DATA_DIR to another folder`),
      );
    }
  });
});
