// Puts a finished build in place of the former one while other processes do the same.
import { rename, rm } from 'node:fs/promises';

/** More than processes that can build at once; each failure means that another build was put in place. */
const MAX_TRIES = 100;

/** `isCurrent`: the build in place is as good, so that this one is not needed. */
export async function replaceFolder(folder: string, target: string, isCurrent: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const former = `${folder}-former`;
    try {
      await rename(target, former).catch(ignoreMissing);
      return await rename(folder, target);
    } catch (error) {
      if (await isCurrent()) return;
      if (tries === MAX_TRIES || !isTaken(error)) throw error;
    } finally {
      await rm(former, { recursive: true, force: true });
    }
  }
}

/** Another process has moved the target away, or there was none. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Another process has put its build in place. */
function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
}
