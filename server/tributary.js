// The way in. Plain JavaScript, so that the compiled form of an earlier start is found before any TypeScript is loaded: with it
// Node never needs its compiler of types, which is 15 to 20 MB of memory (docs/benchmarks.md). The folder is made and filled by
// src/platform/compiled-code.ts on the first start; the second adds what is loaded before that; from the third on all is there.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';

const folder = join(resolve(process.env.TRIBUTARY_DATA_DIR || './data'), 'compiled-code');
if (process.argv[2] === 'serve' && existsSync(folder)) enableCompileCache(folder);
await import('./src/main.ts');
