// Helpers for tests that start real servers. Everything opened here is closed after the test.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { readLocationPointer } from '../../src/platform/embedded-postgres/location-pointer.ts';
import { readProcessIdentity } from '../../src/platform/embedded-postgres/process-facts.ts';

export const needsRoot = process.getuid?.() === 0 ? false : 'only root can start the server as another user';

export type Harness = {
  /** Creates a folder that every user can enter; removed after the test with its relocated cluster. */
  readonly root: string;
  readonly printed: string[];
  readonly logged: string[];
  start(dataDir: string, settings?: Record<string, string>): Promise<EmbeddedPostgres>;
  startService(dataDir: string): Promise<ServiceProcess>;
  /** Removes only the relocated cluster of this data folder after the test. */
  removeRelocatedOf(dataDir: string): void;
  removeLater(path: string): void;
};

type ServiceProcess = {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly postmasterPid: number;
  readonly connection: EmbeddedPostgres['connection'];
};

export async function openHarness(t: TestContext, parent = tmpdir()): Promise<Harness> {
  const root = await realpath(await mkdtemp(join(parent, 'tributary-epg-')));
  await chmod(root, 0o755);
  const running: EmbeddedPostgres[] = [];
  const services: ChildProcess[] = [];
  const pointing: string[] = [];
  const doomed: string[] = [root];
  const printed: string[] = [];
  const logged: string[] = [];
  const note = (_fields: object, message: string) => void logged.push(message);
  t.after(async () => {
    await Promise.all(running.map((postgres) => postgres.stop()));
    await Promise.all(services.map(endService));
    for (const dataDir of pointing) {
      const pointer = await readLocationPointer(dataDir).catch(() => null);
      if (pointer) doomed.push(pointer.home);
    }
    await Promise.all(doomed.map((path) => rm(path, { recursive: true, force: true, maxRetries: 5 })));
  });
  return {
    root,
    printed,
    logged,
    start: async (dataDir, settings = { fsync: 'off' }) => {
      const log = { debug: note, info: note, warn: note, error: note };
      const postgres = await startEmbeddedPostgres({
        dataDir,
        print: (line) => void printed.push(line),
        log,
        settings,
      });
      running.push(postgres);
      return postgres;
    },
    startService: async (dataDir) => {
      const child = spawnService(dataDir);
      services.push(child);
      return awaitService(child);
    },
    removeRelocatedOf: (dataDir) => void pointing.push(dataDir),
    removeLater: (path) => void doomed.push(path),
  };
}

export function spawnService(dataDir: string): ChildProcess {
  const script = join(import.meta.dirname, 'embedded-postgres-process.ts');
  return spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function awaitService(child: ChildProcess): Promise<ServiceProcess> {
  if (!child.stdout || child.pid === undefined) throw new Error('the service could not be started');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { postmasterPid, connection } = JSON.parse(String(line));
  return { process: child, pid: child.pid, postmasterPid, connection };
}

async function endService(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export async function killAndWait(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

export async function query(connection: EmbeddedPostgres['connection'], sql: string): Promise<unknown[][]> {
  const client = new Client({ ...connection, ssl: false });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows;
  } finally {
    await client.end();
  }
}

export async function waitUntil(what: string, holds: () => Promise<boolean>, limitMs = 20_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
    await delay(20);
  }
}

export async function isAlive(pid: number): Promise<boolean> {
  return (await readProcessIdentity(pid)) !== null;
}

/** The watchdog is the only shell among a service's children. */
export async function findWatchdog(servicePid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const pids = lines.filter(([, ppid, program]) => Number(ppid) === servicePid && program === '/bin/sh');
  if (pids.length !== 1) throw new Error(`${pids.length} watchdogs`);
  return Number(pids[0]?.[0]);
}

export function homeOf(postgres: EmbeddedPostgres): string {
  return dirname(postgres.clusterDir);
}
