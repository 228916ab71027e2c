// Starts the PostgreSQL installed by Debian on a temporary cluster with a socket only, so the machine's clusters stay
// untouched. For tests: an external server may be older than the bundled one.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const START_TIMEOUT_MS = 30_000; // a new cluster takes under a second; a loaded machine ten times that
const PORT = 5432; // used in the socket's name only; nothing listens on the network
const USER = 'tributary';

export type RunningPostgres = {
  connection: { host: string; port: number; user: string; database: string };
  stop: () => Promise<void>;
};

export type Identity = { uid?: number; gid?: number };

export async function startSystemPostgres(
  folder: string,
  settings: Record<string, string>,
  bin = findBinaries(),
): Promise<RunningPostgres> {
  const identity = await readIdentity();
  const data = path.join(folder, 'data');
  const socket = path.join(folder, 'socket');
  for (const folder of [data, socket]) await makeFolder(folder, identity);
  // The same collation as the bundled server.
  const initdb = ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  await promisify(execFile)(path.join(bin, 'initdb'), initdb, { cwd: folder, ...identity });

  const options = Object.entries({
    ...settings,
    timezone: 'UTC', // as the bundled server
    listen_addresses: '',
    unix_socket_directories: socket,
    port: `${PORT}`,
  });
  const args = ['-D', data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const server = await startServer(path.join(bin, 'postgres'), args, folder, identity);
  const connection = { host: socket, port: PORT, user: USER, database: USER };
  try {
    await createDatabase(connection, server);
  } catch (error) {
    await server.stop();
    throw new Error(`${bin}/postgres does not respond:\n${await readFile(path.join(folder, 'log'), 'utf8')}`, {
      cause: error,
    });
  }
  return { connection, stop: server.stop };
}

export function findBinaries(major = '*'): string {
  const found = globSync(`/usr/lib/postgresql/${major}/bin`).filter((bin) => existsSync(path.join(bin, 'initdb')));
  const newest = found.sort((a, b) => readMajor(b) - readMajor(a))[0];
  if (newest === undefined)
    throw new Error(`initdb not found in /usr/lib/postgresql/${major}/bin: install postgresql-15`);
  return newest;
}

function readMajor(bin: string): number {
  return Number.parseInt(path.basename(path.dirname(bin)), 10);
}

/** PostgreSQL refuses to run as root; Debian's package creates a user for it. */
export async function readIdentity(): Promise<Identity> {
  if (process.getuid?.() !== 0) return {};
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8'));
  if (line === null) throw new Error('PostgreSQL refuses to run as root, and the user postgres does not exist');
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

export async function makeFolder(folder: string, { uid, gid }: Identity): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
}

type Server = { hasEnded: () => boolean; stop: () => Promise<void> };

/** In its own process group, so that Ctrl-C reaches the tests first and the database last. */
async function startServer(program: string, args: string[], folder: string, identity: Identity): Promise<Server> {
  const log = await open(path.join(folder, 'log'), 'w');
  const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', log.fd, log.fd], ...identity });
  const ended = once(child, 'exit');
  await once(child, 'spawn').finally(() => log.close());
  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      child.kill('SIGINT'); // PostgreSQL's "fast" shutdown: rolls back open transactions and exits
      await ended;
    },
  };
}

async function createDatabase({ database, ...target }: RunningPostgres['connection'], server: Server): Promise<void> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ ...target, database: 'postgres' });
    try {
      await client.connect();
      await client.query(`create database ${database}`);
      return;
    } catch (error) {
      if (server.hasEnded() || Date.now() > deadlineMs) throw error;
      await delay(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
