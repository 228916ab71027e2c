// Creates a new cluster under a temporary name and renames it when complete, so that a killed start leaves no partial cluster.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { presentSpawnIdentity, type UnixAccount } from './account.ts';
import { renameDurably } from './durable-file.ts';
import { EmbeddedPostgresError, readErrorCode } from './embedded-postgres-error.ts';
import { copyBinaries } from './prepare-binaries.ts';
import { CLUSTER_NAME } from './survey-cluster.ts';

export const DATABASE_USER = 'tributary';

const UNFINISHED_PREFIX = `${CLUSTER_NAME}.init-`;

/** An initdb of a killed service may still write into the folder that is being removed. */
const REMOVAL_RETRIES = 10;

/** Independent of system locales, with the same sort order on every machine. */
const INITDB_ARGUMENTS = [
  ...['--username', DATABASE_USER, '--auth-local=trust', '--auth-host=reject', '--no-instructions'],
  ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--data-checksums'],
];

export async function initializeCluster(
  nativeDir: string,
  clusterDir: string,
  account: UnixAccount | null,
): Promise<void> {
  const unfinished = join(dirname(clusterDir), `${UNFINISHED_PREFIX}${randomUUID()}`);
  await mkdir(unfinished, { mode: 0o700 });
  if (account) await chown(unfinished, account.uid, account.gid);
  try {
    await withPlainPath(nativeDir, (plain) => runInitdb(join(plain, 'bin', 'initdb'), unfinished, account));
    await removeEmptyFolder(clusterDir);
    await renameDurably(unfinished, clusterDir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

export async function removeUnfinishedClusters(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => name.startsWith(UNFINISHED_PREFIX));
  for (const name of names) {
    await rm(join(home, name), { recursive: true, force: true, maxRetries: REMOVAL_RETRIES });
  }
}

/** A cluster that root restored from a backup belongs to root, so PostgreSQL would not open it. */
export async function repairOwnership(clusterDir: string, account: UnixAccount | null): Promise<void> {
  if (!account || (await stat(clusterDir)).uid === account.uid) return;
  for (const entry of await readdir(clusterDir, { recursive: true })) {
    await lchown(join(clusterDir, entry), account.uid, account.gid);
  }
  await chmod(clusterDir, 0o700);
  // Last, because the next start checks this owner to know that all is done.
  await lchown(clusterDir, account.uid, account.gid);
}

/** initdb runs a shell command with the unescaped path of the programs in double quotes. */
async function withPlainPath(nativeDir: string, work: (plainDir: string) => Promise<void>): Promise<void> {
  if (!/["$`\\]/.test(nativeDir)) return work(nativeDir);
  const folder = await mkdtemp(join(await realpath('/tmp'), 'tributary-initdb-'));
  try {
    await work(await copyBinaries({ nativeDir, version: 'copy' }, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runInitdb(program: string, folder: string, account: UnixAccount | null): Promise<void> {
  // In its own session, because the service handles Ctrl-C.
  const child = spawn(program, ['-D', folder, ...INITDB_ARGUMENTS], {
    ...presentSpawnIdentity(account),
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const { stdout, stderr } = child as ChildProcess; // null if there are too many open files, and 'error' follows
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const outcome = await new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? `status ${code}`}`));
  });
  if (outcome === null) return;
  throw new EmbeddedPostgresError(
    `A new PostgreSQL database could not be created in ${folder}: initdb ${outcome}.\n${lines.join('').trim()}`,
  );
}

async function removeEmptyFolder(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (readErrorCode(error) !== 'ENOENT') throw error;
  }
}
