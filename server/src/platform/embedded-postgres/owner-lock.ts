// Ensures that one service uses a cluster. The data folder has its own lock, but a copied data folder points to the same
// relocated cluster: without this lock the copy would treat the original's running server as orphaned and stop it.

import { randomUUID } from 'node:crypto';
import { chmod, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, readErrorCode } from './embedded-postgres-error.ts';
import { readProcessIdentity } from './process-facts.ts';

const LOCK_NAME = 'owner.json';

/** Two starts that find a stale lock can conflict once; more conflicts mean another problem. */
const ATTEMPTS = 5;

/** A command of root that was killed leaves its lock to the user of the service, who has to see that its owner has ended. */
const READABLE = 0o644;

export type OwnerLock = { release(): Promise<void> };

export async function acquireOwnerLock(home: string): Promise<OwnerLock> {
  const path = join(home, LOCK_NAME);
  const identity = await readProcessIdentity(process.pid);
  const content = JSON.stringify({ pid: process.pid, identity, token: randomUUID() });
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await createExclusively(path, content)) return { release: () => removeIfEqual(path, content) };
    const found = await readFile(path, 'utf8').catch(() => null);
    if (found === null) continue;
    await refuseLivingOwner(found, home);
    await removeIfEqual(path, found);
  }
  throw new EmbeddedPostgresError(`Another start of the service is using ${home}. Try again in a moment.`);
}

/** Writes the lock under another name and links it, so that others never see a partial file. */
async function createExclusively(path: string, content: string): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writeFile(temporary, content, { flag: 'wx' });
  try {
    await chmod(temporary, READABLE);
    await link(temporary, path);
    return true;
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function refuseLivingOwner(content: string, home: string): Promise<void> {
  const owner = parseOwner(content);
  if (!owner || (await readProcessIdentity(owner.pid)) !== owner.identity) return;
  throw new EmbeddedPostgresError(
    `The PostgreSQL data in ${home} are in use by a running service (process ${owner.pid}). ` +
      'Stop it first. A copied data folder still points to the data of the original: ' +
      'to separate the copy, restore an export into a new, empty data folder.',
  );
}

function parseOwner(content: string): { pid: number; identity: string } | null {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('identity' in value)) return null;
    const { pid, identity } = value;
    return typeof pid === 'number' && typeof identity === 'string' ? { pid, identity } : null;
  } catch {
    return null;
  }
}

/** Renames the lock before checking it again, so that a newly acquired lock is restored instead of deleted. */
async function removeIfEqual(path: string, expected: string): Promise<void> {
  const aside = `${path}.${randomUUID()}.old`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = await readFile(aside, 'utf8');
  if (moved !== expected) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}
