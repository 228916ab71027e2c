// Measures the time from the command to the first 200 of /readyz, on an empty and on an existing folder, and idle memory, of the
// sources in a clone and of the bundled program in the package.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callLoopback } from '../src/platform/loopback-client.ts';
import { prepareBundledProgram } from '../test/support/bundled-program.ts';
import { plainEnvironment } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';
import { median } from './support/statistics.ts';

type Run = { readonly emptySeconds: number; readonly existingSeconds: number; readonly restMegabytes: number };

const RUNS = 5;
const REST_SECONDS = 5;
const POLL_MS = 5;
const LIMIT_MS = 60_000;
const AIMS: Run = { emptySeconds: 5, existingSeconds: 2, restMegabytes: 150 };
const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'server/tributary.js');

export async function benchStart(): Promise<string> {
  const sources: Run[] = [];
  const bundled: Run[] = [];
  const bundle = await prepareBundledProgram();
  if (bundle === null) throw new Error('the bundler is missing: run "npm ci" with Node 20 or newer');
  for (let count = 0; count < RUNS; count += 1) {
    sources.push(await measureOnce(SOURCES));
    bundled.push(await measureOnce(bundle));
  }
  const rows = [...presentRuns(sources, 'a clone'), ...presentRuns(bundled, 'the package')];
  const table = presentTable(['', 'started from', 'median', 'least', 'most', 'aim'], rows);
  return [describeMachine(), `${RUNS} runs of each, alternately`, '', table, ''].join('\n');
}

function presentRuns(runs: readonly Run[], program: string): string[][] {
  const row = (name: string, key: keyof Run, digits: number) => {
    const values = runs.map((run) => run[key]);
    const shown = [median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
    return [name, program, ...shown, `< ${AIMS[key]}`];
  };
  return [
    row('ready on an empty folder, s', 'emptySeconds', 2),
    row('ready on an existing folder, s', 'existingSeconds', 2),
    row(`memory of the process after ${REST_SECONDS} s idle, MB`, 'restMegabytes', 0),
  ];
}

async function measureOnce(program: string): Promise<Run> {
  const dataDir = await makeDataFolder();
  try {
    const [emptySeconds] = await startAndStop(program, dataDir, async () => 0);
    await startAndStop(program, dataDir, async () => 0); // the compile cache is complete after the second start
    const [existingSeconds, restMegabytes] = await startAndStop(program, dataDir, async (pid) => {
      await delay(REST_SECONDS * 1000);
      return readResidentMegabytes(pid);
    });
    return { emptySeconds, existingSeconds, restMegabytes };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startAndStop(
  program: string,
  dataDir: string,
  look: (pid: number) => Promise<number>,
): Promise<[number, number]> {
  const port = await findFreePort();
  const startMs = performance.now();
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: ROOT,
    env: {
      ...plainEnvironment(),
      PORT: String(port),
      TRIBUTARY_DATA_DIR: dataDir,
      TRIBUTARY_LOG_LEVEL: 'silent',
      // The package's own main module does this before it loads the rest.
      ...(program !== SOURCES && { NODE_COMPILE_CACHE: join(dataDir, 'compiled-code') }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await awaitReady(child, port, startMs + LIMIT_MS);
    const seconds = (performance.now() - startMs) / 1000;
    return [seconds, await look(child.pid ?? 0)];
  } finally {
    const ended = child.exitCode === null ? once(child, 'exit') : null;
    child.kill('SIGTERM');
    await ended;
  }
}

async function awaitReady(child: ChildProcess, port: number, deadlineMs: number): Promise<void> {
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null) throw new Error(`the service ended with status ${child.exitCode}`);
    const answer = await callLoopback(`http://127.0.0.1:${port}/readyz`, { method: 'GET' }).catch(() => null);
    if (answer?.status === 200) return;
    await delay(POLL_MS);
  }
  throw new Error('the service did not become ready');
}

/** The benchmark needs /proc to read the memory. */
async function readResidentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1000;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
