// Caches compiled code in the data folder, so that the next start does not compile everything again. Changed sources are
// recompiled.
import { mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

const FOLDER = 'compiled-code';

/** Applies to modules that are loaded from now on. Failures are ignored, because the program works without a cache. */
export function keepCompiledCode(dataDir: string): void {
  const folder = join(dataDir, FOLDER);
  try {
    // Anyone who can write here can run code as the service, so only the owner may, whatever the umask.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  enableCompileCache(folder);
}

const SAVED_AFTER_MS = 500; // saving blocks the event loop for a tenth of a second, so the first calls go first

/** Saves soon after the start instead of at exit, because a killed process would not save. */
export function saveCompiledCodeSoon(): void {
  setTimeout(flushCompileCache, SAVED_AFTER_MS).unref();
}
