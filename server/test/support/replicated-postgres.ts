// Servers of the system's PostgreSQL, on ports of loopback: one alone, or a primary and a streaming standby for tests of failover.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findBinaries, type Identity, makeFolder, readIdentity } from '../../tools/start-system-postgres.ts';
import { findFreePort, waitFor } from './service-process.ts';

export type ServerNode = {
  readonly port: number;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Ends the postmaster and all its children without a goodbye. */
  kill(): Promise<void>;
  /** Stops all its processes without closing a connection; `continue` reverses it. */
  freeze(): Promise<void>;
  continue(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
};

const USER = 'tributary';
const START_LIMIT_MS = 30_000;
const run = promisify(execFile);

export const hasSystemPostgres = globSync('/usr/lib/postgresql/*/bin/initdb').length > 0;

/** Only the primary accepts writes. It has no synchronous standby until `requireStandby`. */
export async function startReplicatedPostgres(folder: string, settings: Record<string, string> = {}) {
  const [bin, identity] = [findBinaries(), await readIdentity()];
  await chmod(folder, 0o755);
  const primaryFolder = join(folder, 'primary');
  const standbyFolder = join(folder, 'standby');
  await makeFolder(standbyFolder, identity);
  await createCluster(primaryFolder);
  const primary = await createNode(bin, primaryFolder, identity, settings);
  await primary.start();
  const backup = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER, '-D', standbyFolder];
  await run(join(bin, 'pg_basebackup'), [...backup, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'], {
    cwd: standbyFolder,
    ...identity,
  });
  const standby = await createNode(bin, standbyFolder, identity, settings);
  await standby.start();
  return {
    primary,
    standby,
    url: `postgres://${USER}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`,
    async requireStandby() {
      await primary.query(`alter system set synchronous_standby_names = '*'`);
      await primary.query('select pg_reload_conf()');
      await waitFor('a synchronous standby', START_LIMIT_MS, async () => {
        const [row] = await primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication');
        return row?.sync_state === 'sync';
      });
    },
    async stop() {
      await Promise.all([primary.kill(), standby.kill()]);
    },
  };
}

/** An empty data directory that is accessible without a password. */
export async function createCluster(folder: string, bin = findBinaries()): Promise<void> {
  const identity = await readIdentity();
  await makeFolder(folder, identity);
  const initdb = ['-D', folder, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  await run(join(bin, 'initdb'), initdb, { cwd: folder, ...identity });
}

/** The server of a data directory, which is not started yet. */
export async function openCluster(
  folder: string,
  settings: Record<string, string> = {},
  bin = findBinaries(),
): Promise<ServerNode & { readonly url: string }> {
  const node = await createNode(bin, folder, await readIdentity(), settings);
  return Object.assign(node, { url: `postgres://${USER}@127.0.0.1:${node.port}/postgres` });
}

async function createNode(
  bin: string,
  data: string,
  identity: Identity,
  settings: Record<string, string>,
): Promise<ServerNode> {
  const port = await findFreePort();
  const options = {
    fsync: 'off',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: `${port}`,
    ...settings,
  };
  const args = ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  let postmaster: ReturnType<typeof spawn> | null = null;
  const isRunning = () => postmaster !== null && postmaster.exitCode === null && postmaster.signalCode === null;
  const signalAll = async (signal: NodeJS.Signals): Promise<number[]> => {
    if (postmaster?.pid === undefined || !isRunning()) return [];
    postmaster.kill('SIGSTOP'); // it must not start a child after they are listed
    // Last, because a child that sees it end says goodbye to its client.
    const pids = [...(await listChildren(postmaster.pid)), postmaster.pid];
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // it has ended
      }
    }
    return pids;
  };
  const node: ServerNode = {
    port,
    async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
      const client = new pg.Client({ host: '127.0.0.1', port, user: USER, database: 'postgres' });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<Row>(sql, values)).rows;
      } finally {
        await client.end();
      }
    },
    async kill() {
      if (!isRunning() || !postmaster) return;
      const ended = once(postmaster, 'exit');
      const pids = await signalAll('SIGKILL');
      await ended;
      // A server does not start while a process of the one before has its shared memory.
      await waitFor('the end of the server', START_LIMIT_MS, async () =>
        (await Promise.all(pids.map(hasEnded))).every(Boolean),
      );
    },
    async freeze() {
      await signalAll('SIGSTOP');
    },
    async continue() {
      await signalAll('SIGCONT');
    },
    async stop() {
      if (!isRunning() || !postmaster) return;
      const ended = once(postmaster, 'exit');
      postmaster.kill('SIGINT');
      await ended;
    },
    async start() {
      postmaster = spawn(join(bin, 'postgres'), args, { cwd: data, stdio: 'ignore', ...identity });
      await once(postmaster, 'spawn');
      await waitFor(`the server on port ${port}`, START_LIMIT_MS, () => node.query('select 1').catch(() => null));
    },
  };
  return node;
}

async function listChildren(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(readProcess));
  return pids.filter((_, index) => found[index]?.parent === parent);
}

async function hasEnded(pid: number): Promise<boolean> {
  const found = await readProcess(pid);
  return found === null || found.state === 'Z'; // nobody may wait for an orphan
}

async function readProcess(pid: number): Promise<{ state: string | undefined; parent: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name in parentheses can contain spaces; state and parent follow it.
  const [state, parent] = stat?.split(') ')[1]?.split(' ') ?? [];
  return stat === null ? null : { state, parent: Number(parent) };
}
