// Where the operator API listens: a Unix socket that only the user of the service can open, a named pipe on Windows. Unlike a port
// it cannot be taken over by another user's program after a crash, which would then receive the operator token.
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { readServiceAddress, type ServiceAddress, serviceAddressFile } from './data-folder.ts';
import { callLoopback, type LoopbackReply } from './loopback-client.ts';

export type OperatorSocket = { readonly path: string; remove(): void };

/** The address of a Unix socket holds 104 bytes on macOS and 108 on Linux, with a closing zero. */
const MAX_PATH_BYTES = 103;
const OWNER_ONLY = 0o600;
const NAME = /^operator-[0-9a-f]{16}\.sock$/;
const SHORT_FOLDER = 'tributary-operator-';

/** Several processes may share the data folder, so each has a name of its own. */
export async function openOperatorSocket(
  dataDir: string,
  listen: (path: string) => Promise<unknown>,
): Promise<OperatorSocket> {
  const name = `operator-${randomBytes(8).toString('hex')}.sock`;
  if (process.platform === 'win32') {
    const path = `\\\\.\\pipe\\tributary-${name}`;
    await listen(path);
    return { path, remove: () => undefined };
  }
  await removeStaleSockets(dataDir);
  const path = join(dataDir, name);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return openInShortFolder(name, listen);
  try {
    return await openAt(path, listen);
  } catch {
    return openInShortFolder(name, listen); // some mounted folders cannot hold a socket
  }
}

/** A new folder with a random name that only this user can enter. */
async function openInShortFolder(name: string, listen: (path: string) => Promise<unknown>): Promise<OperatorSocket> {
  return openAt(join(mkdtempSync(join(realpathSync('/tmp'), SHORT_FOLDER)), name), listen);
}

async function openAt(path: string, listen: (path: string) => Promise<unknown>): Promise<OperatorSocket> {
  await listen(path);
  chmodSync(path, OWNER_ONLY);
  return { path, remove: () => removeSocket(path) };
}

/** Sockets of services that were killed. */
async function removeStaleSockets(dataDir: string): Promise<void> {
  const recorded = readServiceAddress(dataDir)?.operatorSocket;
  const paths = readdirSync(dataDir)
    .filter((name) => NAME.test(name))
    .map((name) => join(dataDir, name));
  if (recorded !== undefined && NAME.test(basename(recorded))) paths.push(recorded);
  for (const path of new Set(paths)) if (await isStale(path)) removeSocket(path);
}

function removeSocket(path: string): void {
  rmSync(path, { force: true });
  const folder = dirname(path);
  if (!basename(folder).startsWith(SHORT_FOLDER)) return;
  try {
    rmdirSync(folder);
  } catch {
    // Gone already, or not ours.
  }
}

/** Nobody listens, or it is gone. Any other error may come from a service that is alive, such as EAGAIN from a busy one. */
const STALE_ERRORS = ['ECONNREFUSED', 'ENOENT'];

function isStale(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => socket.destroy()).once('connect', () => resolve(false));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(STALE_ERRORS.includes(error.code ?? '')));
  });
}

/** Null when nothing answers, or when the socket belongs to another user: only the service receives the token. */
export async function callOperatorSocket(
  dataDir: string,
  address: ServiceAddress,
  path: string,
  options: { method: string; body?: unknown; signal?: AbortSignal },
): Promise<LoopbackReply | null> {
  if (!isOfTheService(dataDir, address.operatorSocket)) return null;
  const { operatorSocket: socketPath, operatorToken: token } = address;
  return callLoopback(`http://localhost${path}`, { ...options, socketPath, token }).catch(() => null);
}

/** Windows lets everybody make a pipe of any name; there only the token, new at every start, protects the service. */
function isOfTheService(dataDir: string, socketPath: string): boolean {
  if (process.platform === 'win32') return true;
  try {
    const socket = lstatSync(socketPath);
    return socket.isSocket() && socket.uid === statSync(serviceAddressFile(dataDir)).uid;
  } catch {
    return false;
  }
}
