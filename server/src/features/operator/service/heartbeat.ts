// Reports this process every ten seconds, so that the operator sees the running processes and their versions.
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Services } from '../../../platform/services.ts';
import { type Disk, type ProcessFacts, removeForgottenProcesses, removeProcess, saveProcess } from './process-store.ts';

const INTERVAL_MS = 10 * SECOND_MS;
const MAX_HOST = 255; // characters; as the column

export function startHeartbeat(
  { db, log, metrics, settings }: Pick<Services, 'db' | 'log' | 'metrics' | 'settings'>,
  {
    role,
    dataDir,
    connections,
  }: Pick<ProcessFacts, 'role'> & { readonly dataDir: string; readonly connections: number },
): BackgroundLoop {
  const host = hostname().slice(0, MAX_HOST);
  const { processId: id, version } = settings;
  const facts = { id, role, version, host, pid: process.pid, connections };
  let isFirst = true;
  const loop = startLoop({
    name: 'heartbeat',
    pauseMs: INTERVAL_MS,
    log,
    async round() {
      const disk = await readDisk(dataDir);
      if (disk !== null) metrics.setDisk(disk);
      await saveProcess(db, facts, disk);
      if (isFirst) await removeForgottenProcesses(db);
      isFirst = false;
      return false;
    },
  });
  const stop = async () => {
    await loop.stop();
    await removeProcess(db, facts.id).catch((error: unknown) =>
      log.debug({ err: error }, 'the end of this process was not recorded'),
    );
  };
  return { ...loop, stop };
}

async function readDisk(folder: string): Promise<Disk | null> {
  try {
    const { blocks, bavail, bsize } = await statfs(folder);
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch {
    return null; // some file systems do not report it
  }
}
