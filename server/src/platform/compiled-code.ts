// Keeps the compiled form of the program beside its data: the next start loads it instead of compiling everything again.
// A changed source is compiled anew.
import { mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

const FOLDER = 'compiled-code';

/** For the modules that are loaded from here on. A convenience: where it does not work the program runs without it. */
export function keepCompiledCode(dataDir: string): void {
  const folder = join(dataDir, FOLDER);
  try {
    // Whoever can write here runs code as us, so it is ours alone, whatever the umask.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  enableCompileCache(folder);
}

const SAVED_AFTER_MS = 500; // the first callers come before it: for a tenth of a second nobody is served

/** Soon, instead of when the process ends: one that is killed ends without. */
export function saveCompiledCodeSoon(): void {
  setTimeout(flushCompileCache, SAVED_AFTER_MS).unref();
}
