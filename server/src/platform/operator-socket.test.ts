import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { makeOperatorToken, readServiceAddress, writeServiceAddress } from './data-folder.ts';
import { callOperatorSocket, type OperatorSocket, openOperatorSocket } from './operator-socket.ts';

const NOBODY = 65_534;
const needsRoot = process.getuid?.() === 0 ? false : 'only root can be another user';
const onPosix = process.platform === 'win32' ? 'Windows has named pipes' : false;
const ANSWER = { status: 200, body: { answered: true } };

describe('the operator socket', { skip: onPosix }, () => {
  it('is in the data folder, has mode 0600, and receives the token', async (t) => {
    const folder = makeFolder(t);
    const { socket, requests } = await serve(t, folder);
    assert.equal(dirname(socket.path), folder);
    assert.equal(statSync(socket.path).mode & 0o777, 0o600);
    const token = record(folder, socket.path);
    assert.deepEqual(await call(folder), ANSWER);
    assert.deepEqual(requests, [`Bearer ${token}`]);
  });

  it('is in a separate short folder if the path of the data folder is too long', async (t) => {
    const folder = join(makeFolder(t), 'x'.repeat(200), 'y'.repeat(200));
    mkdirSync(folder, { recursive: true });
    const { socket } = await serve(t, folder);
    assert.ok(Buffer.byteLength(socket.path) < 104, socket.path);
    assert.equal(statSync(dirname(socket.path)).mode & 0o777, 0o700);
    record(folder, socket.path);
    assert.deepEqual(await call(folder), ANSWER);
    socket.remove();
    assert.equal(existsSync(dirname(socket.path)), false);
  });

  it('is in a short folder too if the data folder does not support sockets', async (t) => {
    const folder = makeFolder(t);
    const server = createServer();
    t.after(() => server.close());
    const socket = await openOperatorSocket(folder, (path) =>
      path.startsWith(folder) ? Promise.reject(new Error('EOPNOTSUPP')) : listen(server, path),
    );
    assert.equal(existsSync(socket.path), true);
    socket.remove();
    assert.equal(existsSync(dirname(socket.path)), false);
  });

  it('each process of a folder has its own; the next start removes the socket of a killed one', async (t) => {
    const folder = makeFolder(t);
    const { socket: living } = await serve(t, folder);
    const dead = await leaveStale(t, folder);
    assert.deepEqual(readdirSync(folder).sort(), [basename(living.path), basename(dead)].sort());
    const { socket: next } = await serve(t, folder);
    assert.deepEqual(readdirSync(folder).sort(), [basename(living.path), basename(next.path)].sort());
  });

  it('the next start keeps a socket whose state is unknown', async (t) => {
    const folder = makeFolder(t);
    const path = join(folder, 'operator-fedcba9876543210.sock');
    const loop = join(folder, 'loop');
    symlinkSync(loop, path); // a connection ends with ELOOP, which does not mean that a service runs
    symlinkSync(path, loop);
    await serve(t, folder);
    assert.ok(readdirSync(folder).includes(basename(path)));
  });

  it('the next start removes the short folder of a killed process', async (t) => {
    const folder = makeFolder(t);
    const short = mkdtempSync('/tmp/tributary-operator-');
    const dead = await leaveStale(t, short);
    record(folder, dead);
    await serve(t, folder);
    assert.equal(existsSync(short), false);
  });

  it('sends nothing if nobody listens or there is no socket', async (t) => {
    const folder = makeFolder(t);
    record(folder, await leaveStale(t, folder));
    assert.equal(await call(folder), null);
    record(folder, join(folder, 'operator-gone.sock'));
    assert.equal(await call(folder), null);
  });

  it('sends no token to a socket of another user', { skip: needsRoot }, async (t) => {
    const folder = makeFolder(t);
    const { socket, requests } = await serve(t, folder);
    record(folder, socket.path);
    chownSync(socket.path, NOBODY, NOBODY);
    assert.equal(await call(folder), null);
    assert.deepEqual(requests, []);
    chownSync(socket.path, 0, 0);
    assert.deepEqual(await call(folder), ANSWER, 'it would have answered');
  });

  it('another user cannot listen on its path', { skip: needsRoot }, async (t) => {
    const folder = makeFolder(t);
    chmodSync(folder, 0o711); // as root's data folder is
    const stale = await leaveStale(t, folder);
    const short = mkdtempSync('/tmp/tributary-operator-');
    t.after(() => rmSync(short, { recursive: true, force: true }));
    for (const path of [stale, join(folder, 'operator-0000000000000000.sock'), join(short, 'operator.sock')])
      assert.equal(await tryToListen(t, path), 'refused', path);
    assert.equal(await tryToListen(t, join(makeOpenFolder(t), 'a.sock')), 'listening', 'where it may, it can');
  });
});

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-socket-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function makeOpenFolder(t: TestContext): string {
  const folder = makeFolder(t);
  chmodSync(folder, 0o777);
  return folder;
}

async function serve(t: TestContext, folder: string): Promise<{ socket: OperatorSocket; requests: unknown[] }> {
  const requests: unknown[] = [];
  const answer: RequestListener = (request, response) => {
    requests.push(request.headers.authorization);
    response.end(JSON.stringify(ANSWER.body));
  };
  const server = createServer(answer);
  const socket = await openOperatorSocket(folder, (path) => listen(server, path));
  t.after(() => {
    server.close();
    socket.remove();
  });
  return { socket, requests };
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

function record(folder: string, operatorSocket: string): string {
  const operatorToken = makeOperatorToken();
  writeServiceAddress(folder, { pid: 1, operatorSocket, operatorToken, publicUrl: 'http://127.0.0.1:1', role: 'all' });
  return operatorToken;
}

function call(folder: string) {
  const address = readServiceAddress(folder) ?? assert.fail('no address');
  return callOperatorSocket(folder, address, '/admin/accounts', { method: 'GET' });
}

/** A socket whose process was killed. */
async function leaveStale(t: TestContext, folder: string): Promise<string> {
  const path = join(folder, 'operator-0123456789abcdef.sock');
  const child = spawnListener(t, path);
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.ok(statSync(path).isSocket());
  return path;
}

async function tryToListen(t: TestContext, path: string): Promise<string> {
  const [printed] = await once(spawnListener(t, path, NOBODY).stdout, 'data');
  return String(printed);
}

function spawnListener(t: TestContext, path: string, uid?: number) {
  const script = `const say = (word) => process.stdout.write(word);
    require('net').createServer().on('error', () => say('refused')).listen(process.argv[1], () => say('listening'));`;
  const user = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, ['-e', script, path], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
    ...user,
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}
