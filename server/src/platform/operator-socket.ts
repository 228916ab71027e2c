// The socket of the operator API: a Unix socket that only the user of the service can open, or a named pipe on Windows. Unlike
// a port, it cannot be taken over by another user's program after a crash, which would then receive the operator token.
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { readServiceAddress, readWorkerAddress, type ServiceAddress, serviceAddressFile } from './data-folder.ts';
import { callLoopback, type LoopbackReply } from './loopback-client.ts';

export type OperatorSocket = { readonly path: string; remove(): void };

/** Unix socket paths have at most 104 bytes on macOS and 108 on Linux, including the final NUL. */
const MAX_PATH_BYTES = 103;
/** Sent by every call of the CLI; the audit log distinguishes it from other programs of the operator. */
export const CLI_USER_AGENT = 'tributary-cli';
const OWNER_ONLY = 0o600;
const NAME = /^operator-[0-9a-f]{16}\.sock$/;
const SHORT_FOLDER = 'tributary-operator-';

/** A unique name per process, because several processes can share the data folder. */
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
    return openInShortFolder(name, listen); // some mounted folders do not support sockets
  }
}

/** Creates a folder with a random name that only this user can enter. */
async function openInShortFolder(name: string, listen: (path: string) => Promise<unknown>): Promise<OperatorSocket> {
  return openAt(join(mkdtempSync(join(realpathSync('/tmp'), SHORT_FOLDER)), name), listen);
}

async function openAt(path: string, listen: (path: string) => Promise<unknown>): Promise<OperatorSocket> {
  await listen(path);
  chmodSync(path, OWNER_ONLY);
  return { path, remove: () => removeSocket(path) };
}

/** Removes sockets of killed services. */
async function removeStaleSockets(dataDir: string): Promise<void> {
  const recorded = [readServiceAddress(dataDir), readWorkerAddress(dataDir)].flatMap(
    (one) => one?.operatorSocket ?? [],
  );
  const paths = readdirSync(dataDir)
    .filter((name) => NAME.test(name))
    .map((name) => join(dataDir, name));
  paths.push(...recorded.filter((path) => NAME.test(basename(path))));
  for (const path of new Set(paths)) if (await isStale(path)) removeSocket(path);
}

function removeSocket(path: string): void {
  rmSync(path, { force: true });
  const folder = dirname(path);
  if (!basename(folder).startsWith(SHORT_FOLDER)) return;
  try {
    rmdirSync(folder);
  } catch {
    // Already removed, or owned by another user.
  }
}

/** True if nobody listens. Other errors can come from a running service, such as EAGAIN from a busy one. */
const STALE_ERRORS = ['ECONNREFUSED', 'ENOENT'];

function isStale(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => socket.destroy()).once('connect', () => resolve(false));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(STALE_ERRORS.includes(error.code ?? '')));
  });
}

/** Null: no reply, or the socket belongs to another user, who must not receive the token. */
export async function callOperatorSocket(
  dataDir: string,
  address: ServiceAddress,
  path: string,
  options: { method: string; body?: unknown; signal?: AbortSignal },
): Promise<LoopbackReply | null> {
  if (!isOfTheService(dataDir, address)) return null;
  const { operatorSocket: socketPath, operatorToken: token } = address;
  return callLoopback(`http://localhost${path}`, { ...options, socketPath, token, userAgent: CLI_USER_AGENT }).catch(
    () => null,
  );
}

/** On Windows any user can create a pipe of any name, so only the token, new at every start, protects the service. */
function isOfTheService(dataDir: string, { operatorSocket, role }: ServiceAddress): boolean {
  if (process.platform === 'win32') return true;
  try {
    const socket = lstatSync(operatorSocket);
    return socket.isSocket() && socket.uid === statSync(serviceAddressFile(dataDir, role)).uid;
  } catch {
    return false;
  }
}
