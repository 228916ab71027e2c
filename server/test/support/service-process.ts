// The service as a separate process with its own data folder, for tests that harm it.
// After the test, all started processes and their databases are stopped and removed.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { readServiceAddress } from '../../src/platform/data-folder.ts';
import { readLocationPointer } from '../../src/platform/embedded-postgres/location-pointer.ts';
import { copyTemplateFolder } from './template-folder.ts';
import { type Answer, createApi, type TestApi } from './test-api.ts';
import { pauseAfter } from './wait-until.ts';

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

type StartedProcess = {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
  hasExited(): boolean;
  /** As if the program that reads it had ended. */
  closeOutput(name: 'stdout' | 'stderr'): void;
  /** Sends a signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<Exit>;
  signal(signal: NodeJS.Signals): void;
};

export type ServiceProcess = StartedProcess & {
  readonly dataDir: string;
  /** Waits for the banner and for /readyz; fails with the output of the process if it exits instead. */
  ready(): Promise<ReadyService>;
  /** Waits for exit code 1; fails as soon as the service gets ready instead. */
  refused(): Promise<void>;
};

export type ReadyService = ServiceProcess & {
  readonly url: string;
  readonly startMs: number;
  /** Empty when the banner showed none. */
  readonly keys: { readonly live: string; readonly sandbox: string };
};

type StartOptions = {
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** Instead of `serve`. */
  readonly command?: readonly [string, ...string[]];
  /** Instead of the repository. */
  readonly cwd?: string;
};

export type ServiceHarness = {
  /** A new folder that every user can enter. */
  readonly root: string;
  /** The data folder of services that are not given another one. */
  readonly dataDir: string;
  start(options?: StartOptions): ServiceProcess;
  /** Runs after the test, between the end of all processes and the removal of their folders. */
  beforeRemoval(work: () => Promise<unknown>): void;
  /** A process that is stopped after the test. */
  run(command: readonly [string, ...string[]], environment?: Readonly<Record<string, string>>): StartedProcess;
};

/** The preparation of a test. Without `hasDatabase` there is no data folder yet, without `isCompiled` the sources run. */
type Prepared = { readonly hasDatabase: boolean; readonly isCompiled: boolean };

const LATER_START: Prepared = { hasDatabase: true, isCompiled: true };
/** For tests of the first start itself. */
export const FIRST_START: Prepared = { hasDatabase: false, isCompiled: false };
/** For tests of a first start that do not measure it: initdb and migrations, without compiling the program. */
export const EMPTY_FOLDER: Prepared = { hasDatabase: false, isCompiled: true };
/** For tests that pass DATABASE_URL to the service. */
export const OWN_DATABASE: Prepared = { hasDatabase: false, isCompiled: true };

export const REPOSITORY = resolve(import.meta.dirname, '../../..');
const SOURCES_MAIN = join(REPOSITORY, 'server/tributary.js');
/** The program, bundled where `npm test` runs the test. */
export const MAIN = process.env.TEST_PROGRAM || SOURCES_MAIN;
export const isRoot = process.getuid?.() === 0;

const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
const POLL_PROCESSES_MS = 50; // reads the folder of every process of the machine

export async function openServiceHarness(
  t: TestContext,
  { hasDatabase, isCompiled }: Prepared = LATER_START,
): Promise<ServiceHarness> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tributary-fault-')));
  await chmod(root, 0o755);
  const inherited = isCompiled ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {};
  if (hasDatabase) await copyTemplateFolder(join(root, 'data'));
  const processes: StartedProcess[] = [];
  const dataDirs = new Set<string>();
  const works: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    await Promise.all(processes.map(endProcess));
    for (const dataDir of dataDirs) await removeDatabase(dataDir);
    for (const work of works) await work();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  const run: ServiceHarness['run'] = (command, environment = {}) => {
    const started = spawnProcess(command, { ...inherited, ...environment });
    processes.push(started);
    return started;
  };
  return {
    root,
    dataDir: join(root, 'data'),
    run,
    beforeRemoval: (work) => void works.push(work),
    start(options = {}) {
      const dataDir = options.dataDir ?? join(root, 'data');
      dataDirs.add(dataDir);
      const own = { PORT: '0', TRIBUTARY_DATA_DIR: dataDir, TRIBUTARY_DASHBOARD_BUILD: 'off' };
      const environment = { ...inherited, ...own, ...options.environment };
      const command = options.command ?? [process.execPath, isCompiled ? MAIN : SOURCES_MAIN, 'serve'];
      const startedMs = performance.now();
      const started = spawnProcess(command, environment, options.uid, options.cwd);
      processes.push(started);
      const service: ServiceProcess = {
        ...started,
        dataDir,
        ready: () => awaitReady(service, startedMs),
        refused: () => awaitRefusal(service),
      };
      return service;
    },
  };
}

function spawnProcess(
  [program, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string | undefined>>,
  uid?: number,
  cwd = REPOSITORY,
): StartedProcess {
  // Drops the environment of the test run: npm's variables and TEST_DATABASE_URL are not for the service.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
  const user = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as Exit);
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: pidOf(child),
    exited,
    hasExited,
    closeOutput: (name) => void child[name].destroy(),
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal);
      return within(STOP_LIMIT_MS, `the end of process ${child.pid} after ${signal}`, exited);
    },
  };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the process could not be started');
  return child.pid;
}

async function awaitReady(service: ServiceProcess, startedMs: number): Promise<ReadyService> {
  const banner = await waitFor('the banner', READY_LIMIT_MS, async () => {
    if (service.hasExited()) {
      const { code, signal } = await service.exited;
      assert.fail(`it ended with ${signal ?? code} instead of getting ready:\n${service.stdout()}${service.stderr()}`);
    }
    return /is ready after .*\n[\s\S]*?(?:API|Health) +(http:\S+?)\/(?:v1|readyz)\n[\s\S]*Data .*\n/.exec(
      service.stdout(),
    );
  });
  const url = banner[1] ?? '';
  await waitFor(
    '/readyz',
    READY_LIMIT_MS,
    async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200,
  );
  const startMs = performance.now() - startedMs;
  const readKey = (name: string) => new RegExp(`^ +${name} +(sk_\\w+)$`, 'm').exec(service.stdout())?.[1] ?? '';
  return { ...service, url, startMs, keys: { live: readKey('Live'), sandbox: readKey('Sandbox') } };
}

async function awaitRefusal(service: ServiceProcess): Promise<void> {
  await waitFor('the refusal', READY_LIMIT_MS, async () => {
    assert.doesNotMatch(service.stdout(), /is ready/, 'it refuses to start');
    return service.hasExited();
  });
  assert.deepEqual(await service.exited, { code: 1, signal: null }, service.stderr());
}

export function apiOf(service: ReadyService, key: string | null = service.keys.live): TestApi {
  return createApi(service.url, key);
}

export function operatorOf({ dataDir }: ReadyService): TestApi {
  const address = readServiceAddress(dataDir) ?? assert.fail('the service has no address');
  return createApi(
    'http://localhost',
    address.operatorToken,
    false,
    address.operatorSocket ?? assert.fail('no socket'),
  );
}

/** The response to every call while a dependency is unavailable. */
export function assertUnavailable(answer: Answer): void {
  assert.equal(answer.status, 503, answer.text);
  assert.deepEqual(Object.keys(answer.body), ['error', 'message', 'details']);
  assert.equal(answer.body.error, 'unavailable');
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

/** The folder of the embedded server: inside the data folder, or where its pointer file leads. */
export async function homeOf(dataDir: string): Promise<string> {
  const pointer = await readLocationPointer(dataDir).catch(() => null);
  return pointer?.home ?? join(dataDir, 'postgres');
}

export async function queryEmbedded<Row extends pg.QueryResultRow>(
  dataDir: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return useEmbedded(dataDir, async (client) => (await client.query<Row>(sql, values)).rows);
}

export async function useEmbedded<Result>(dataDir: string, work: (client: pg.Client) => Promise<Result>) {
  const host = join(await homeOf(dataDir), 'socket');
  const client = new pg.Client({ host, port: 5432, user: 'tributary', database: 'tributary' });
  client.on('error', () => undefined); // the server may be killed during a query
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function readPostmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(await homeOf(dataDir), 'cluster/postmaster.pid'), 'utf8'), 10);
}

/** The postmaster, its children and the watchdog: exactly these processes run in the cluster's folder. Linux only. */
export async function listDatabasePids(dataDir: string): Promise<number[]> {
  const cluster = join(await homeOf(dataDir), 'cluster');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  const isUnder = (folder: string) => folder === cluster || folder.startsWith(`${dirname(cluster)}/`);
  return pids.filter((_, index) => isUnder(folders[index] ?? '')).map(Number);
}

export async function awaitNoDatabase(dataDir: string, limitMs = 20_000): Promise<void> {
  await waitFor(
    'the end of all database processes',
    limitMs,
    async () => (await listDatabasePids(dataDir)).length === 0,
    POLL_PROCESSES_MS,
  );
}

/** Resident memory of one process, in MB. */
export async function readRssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Polls until the result is not empty; an exception ends the wait. */
export async function waitFor<Value>(
  what: string,
  limitMs: number,
  probe: () => Promise<Value | null | undefined | false>,
  pollMs?: number,
): Promise<Value> {
  const end = performance.now() + limitMs;
  for (;;) {
    const probedMs = performance.now();
    const value = await probe();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
    await delay(pauseAfter(performance.now() - probedMs, pollMs));
  }
}

export async function within<Value>(limitMs: number, what: string, promise: Promise<Value>): Promise<Value> {
  const timer = new AbortController();
  const limit = delay(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not within ${limitMs} ms: ${what}`);
  });
  limit.catch(() => undefined);
  return Promise.race([promise, limit]).finally(() => timer.abort());
}

async function endProcess(started: StartedProcess): Promise<void> {
  if (started.hasExited()) return;
  await started.end('SIGTERM').catch(() => started.end('SIGKILL'));
}

/** The watchdog stops the server of a killed service; processes left after that are stopped here. */
async function removeDatabase(dataDir: string): Promise<void> {
  await awaitNoDatabase(dataDir, STOP_LIMIT_MS).catch(async () => {
    for (const pid of await listDatabasePids(dataDir)) process.kill(pid, 'SIGKILL');
  });
  const pointer = await readLocationPointer(dataDir).catch(() => null);
  if (pointer) await rm(pointer.home, { recursive: true, force: true, maxRetries: 5 });
}
