// The folder for the temporary files of a test run: in memory where Linux offers it. A test database has about 800 files, and
// creating them takes a disk up to fifty times as long.
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const LEAST_FREE_BYTES = 4 * 2 ** 30; // a run uses up to 1 GB, one that installs up to 2

export function findTemporaryFolder(): string {
  if (process.env.TMPDIR || !existsSync(IN_MEMORY) || !existsSync('/proc/mounts')) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  const freeBytes = Math.min(bavail * bsize, process.availableMemory());
  return freeBytes >= LEAST_FREE_BYTES && canExecute(readFileSync('/proc/mounts', 'utf8')) ? IN_MEMORY : tmpdir();
}

/** Whether programs may run in the folder in memory, as some tests write programs. Containers often forbid it. */
export function canExecute(mounts: string): boolean {
  const [, , , options] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, folder]) => folder === IN_MEMORY) ?? [];
  return options !== undefined && !options.split(',').includes('noexec');
}
