// Keeps two exports from writing to one target at the same time. A file names the process that writes; a later export takes it
// over once that process has ended, or has not renewed it.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '../domain/time/durations.ts';
import type { ExportTarget } from './export-target.ts';
import { isOtherProcess } from './is-other-process.ts';
import { CommandError } from './terminal.ts';

type Lock = { readonly id: string; readonly host: string; readonly pid: number; readonly renewed_at: string };
type Target = Pick<ExportTarget, 'name' | 'create' | 'read' | 'write' | 'remove'>;

const LOCK_FILE = 'export-lock.json';
/** Nobody can ask another machine whether a process runs. Has room for a slow storage and for clocks that differ. */
const STALE_MS = 15 * MINUTE_MS;
/** A file that was just created may not have its content yet. */
const DAMAGED_PAUSE_MS = 500;
const ATTEMPTS = 3;
/** Those of this process: containers give every run the same process id. */
const held = new Set<string>();

/** `work` calls `requireLock` before it records how far the export is. */
export async function withExportLock(
  target: Target,
  work: (requireLock: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const id = randomUUID();
  held.add(id);
  const isOurs = async () => parseLock(await target.read(LOCK_FILE))?.id === id;
  const renew = async () => {
    if (await isOurs()) await target.write(LOCK_FILE, chunksOf(encodeLock(id)));
  };
  try {
    await takeLock(target, id);
    const timer = setInterval(() => void renew().catch(() => undefined), MINUTE_MS).unref();
    try {
      await work(async () => {
        if (!(await isOurs())) throw new CommandError(`Another export writes to ${target.name} now. This one ended.`);
      });
    } finally {
      clearInterval(timer);
      if (await isOurs().catch(() => false)) await target.remove([LOCK_FILE]).catch(() => undefined);
    }
  } finally {
    held.delete(id);
  }
}

async function takeLock(target: Target, id: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await target.create(LOCK_FILE, encodeLock(id));
    const text = await target.read(LOCK_FILE);
    const found = parseLock(text);
    if (found?.id === id) return;
    if (found !== null && isActive(found)) throw inUse(target, found);
    if (found === null && text !== null && attempt === 0) await delay(DAMAGED_PAUSE_MS);
    else if (text !== null) await target.remove([LOCK_FILE]);
  }
  throw inUse(target, null);
}

function isActive({ id, host, pid, renewed_at }: Lock): boolean {
  if (held.has(id)) return true;
  if (host === hostname()) return isOtherProcess(pid);
  return Date.now() - Date.parse(renewed_at) < STALE_MS;
}

function inUse(target: Target, lock: Lock | null): CommandError {
  const by = lock === null ? '' : ` (process ${lock.pid} of ${lock.host}, ${lock.renewed_at})`;
  const isHere = lock?.host === hostname();
  const advice = isHere
    ? 'Run the command again when it has ended.'
    : `Run the command again when it has ended; if it was killed, ${STALE_MS / MINUTE_MS} minutes later, or remove ${LOCK_FILE}.`;
  return new CommandError(`Another export writes to ${target.name}${by}. Nothing was changed. ${advice}`);
}

function encodeLock(id: string): Uint8Array {
  const lock: Lock = { id, host: hostname(), pid: process.pid, renewed_at: new Date().toISOString() };
  return Buffer.from(`${JSON.stringify(lock)}\n`);
}

/** Null: there is none, or it is damaged. */
function parseLock(text: string | null): Lock | null {
  try {
    const lock = JSON.parse(text ?? '') as Partial<Lock> | null;
    return typeof lock?.id === 'string' && typeof lock.pid === 'number' && typeof lock.renewed_at === 'string'
      ? { id: lock.id, pid: lock.pid, renewed_at: lock.renewed_at, host: String(lock.host) }
      : null;
  } catch {
    return null;
  }
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
