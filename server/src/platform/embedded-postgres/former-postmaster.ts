// Deals with what an earlier run may have left: a server that still runs, or a postmaster.pid that only looks like one.
// The owner lock is held, so a server of this cluster that runs now has lost its service.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { judgePostmaster } from './process-facts.ts';
import type { PostgresLog } from './server-log.ts';

/** Enough for a fast shutdown with its checkpoint on a slow disk. */
const FAST_SHUTDOWN_LIMIT_MS = 20_000;
/** An immediate shutdown kills its own children after 5 s; twice that means it is stuck in the kernel. */
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 10_000;
const POLL_MS = 15;

export async function clearFormerPostmaster(clusterDir: string, log: PostgresLog): Promise<void> {
  const path = join(clusterDir, 'postmaster.pid');
  const content = await readFile(path, 'utf8').catch(() => null);
  if (content === null) return;
  const pid = parsePid(content);
  const verdict = pid === null ? 'other' : await judgePostmaster(pid, clusterDir);
  if (verdict === 'ours' && pid !== null) return stopOrphan(pid, clusterDir, log);
  // PostgreSQL recognises the file of a dead process itself. It takes any other process of its user for a server,
  // though, and would refuse to start for ever. Children of a dead server that still run are found without the file:
  // they hold the shared memory whose key is the number of the cluster's folder.
  if (verdict === 'other') {
    log.warn({ pid }, 'postmaster.pid names a process that is not this database; removing the file');
    await rm(path, { force: true });
  }
}

export function parsePid(content: string): number | null {
  const [line = ''] = content.split('\n');
  const pid = Number(line);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

async function stopOrphan(pid: number, clusterDir: string, log: PostgresLog): Promise<void> {
  log.warn({ pid }, 'stopping a PostgreSQL that was left behind by a killed service');
  for (const [signal, limitMs] of [
    ['SIGINT', FAST_SHUTDOWN_LIMIT_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_LIMIT_MS],
  ] as const) {
    if (await signalAndWait(pid, clusterDir, signal, limitMs)) return;
  }
  throw new EmbeddedPostgresError(
    `A PostgreSQL left behind by an earlier run (process ${pid}) still uses ${clusterDir} and does not stop. ` +
      `Look at it (ps -p ${pid}), end it, and start again.`,
  );
}

async function signalAndWait(pid: number, clusterDir: string, signal: NodeJS.Signals, limitMs: number) {
  const end = performance.now() + limitMs;
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in between, which the loop finds out.
  }
  while (performance.now() < end) {
    if ((await judgePostmaster(pid, clusterDir)) !== 'ours') return true;
    await delay(POLL_MS);
  }
  return false;
}
