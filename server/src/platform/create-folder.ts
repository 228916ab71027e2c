import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** With its parents. Node's recursive mkdir loops forever if the kernel rejects a folder with ENOENT, as in /proc. */
export function createFolder(path: string, mode: number): void {
  if (!existsSync(path)) {
    createFolder(dirname(resolve(path)), mode);
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process created it meanwhile
    }
  }
  if (statSync(path).isDirectory()) return;
  throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR', syscall: 'mkdir' }); // as the kernel reports it
}
