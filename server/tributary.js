// The entry point of the service and the command line. On the project's Node it enables the compile cache of an earlier start
// before any TypeScript is loaded, so that Node never loads its TypeScript compiler, which takes 15 to 20 MB of memory
// (docs/benchmarks.md). src/platform/compiled-code.ts creates the cache on the first start; the second start adds the modules
// that are loaded before it.
import { existsSync } from 'fs';
import Module from 'module';
import { join, resolve } from 'path';
import { launch } from './launch.js';

launch(() => {
  const folder = join(resolve(process.env.TRIBUTARY_DATA_DIR || './data'), 'compiled-code');
  if (process.argv[2] === 'serve' && existsSync(folder)) Module.enableCompileCache(folder);
  return import('./src/main.ts');
});
