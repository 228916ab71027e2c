// Cleans up after an earlier run: stops a server that still runs, and removes a stale postmaster.pid. The owner lock is held,
// so a running server of this cluster has no service any more.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { judgePostmaster } from './process-facts.ts';
import type { PostgresLog } from './server-log.ts';

/** Enough for a fast shutdown with its checkpoint on a slow disk. */
const FAST_SHUTDOWN_LIMIT_MS = 20_000;
/** An immediate shutdown kills its children after 5 s; after twice that time the server is stuck in the kernel. */
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 10_000;
const POLL_MS = 15;

export async function clearFormerPostmaster(clusterDir: string, log: PostgresLog): Promise<void> {
  const path = join(clusterDir, 'postmaster.pid');
  const content = await readFile(path, 'utf8').catch(() => null);
  if (content === null) return;
  const pid = parsePid(content);
  const verdict = pid === null ? 'other' : await judgePostmaster(pid, clusterDir);
  if (verdict === 'ours' && pid !== null) return stopOrphan(pid, clusterDir, log);
  // PostgreSQL ignores the file of a dead process, but takes any other process of its user for a server and would never
  // start. It finds running children of a dead server without the file, by the shared memory key of the cluster folder.
  if (verdict === 'other') {
    log.warn({ pid }, 'postmaster.pid has the ID of another process; removing the file');
    await rm(path, { force: true });
  }
}

export function parsePid(content: string): number | null {
  const [line = ''] = content.split('\n');
  const pid = Number(line);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

async function stopOrphan(pid: number, clusterDir: string, log: PostgresLog): Promise<void> {
  log.warn({ pid }, 'stopping a PostgreSQL server of a killed service');
  for (const [signal, limitMs] of [
    ['SIGINT', FAST_SHUTDOWN_LIMIT_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_LIMIT_MS],
  ] as const) {
    if (await signalAndWait(pid, clusterDir, signal, limitMs)) return;
  }
  throw new EmbeddedPostgresError(
    `A PostgreSQL server of an earlier run (process ${pid}) still uses ${clusterDir} and does not stop. ` +
      `Check it (ps -p ${pid}), end it, and start again.`,
  );
}

async function signalAndWait(pid: number, clusterDir: string, signal: NodeJS.Signals, limitMs: number) {
  const end = performance.now() + limitMs;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile, which the loop detects.
  }
  while (performance.now() < end) {
    if ((await judgePostmaster(pid, clusterDir)) !== 'ours') return true;
    await delay(POLL_MS);
  }
  return false;
}
