import { existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** With its parents. Node's recursive mkdir loops forever if the kernel rejects a folder with ENOENT, as in /proc. */
export function createFolder(path: string, mode: number): void {
  if (!existsSync(path)) {
    createFolder(dirname(resolve(path)), mode);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw asKernel('ELOOP', `${path} is a symbolic link that leads to no folder`);
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process created it meanwhile
    }
  }
  if (statSync(path).isDirectory()) return;
  throw asKernel('ENOTDIR', `${path} is not a folder`);
}

function asKernel(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, syscall: 'mkdir' });
}
