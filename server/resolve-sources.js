// Importing this file lets Node take relative imports of .ts and .mjs files by their name. It would look up links, packages and the
// kind of module for each of the 1,700 files otherwise, which is a third of the CPU time of a start. The npm package
// has no TypeScript and does not need it.
// Like launch.js, this file must load on every Node since 14.0.
import { existsSync } from 'fs';
import Module from 'module';
import { extname } from 'path';

/** @type {Record<string, string | undefined>} */
const FORMATS = { '.ts': 'module-typescript', '.mjs': 'module' };

if (Module.registerHooks && existsSync(new URL('src/main.ts', import.meta.url)))
  Module.registerHooks({
    resolve(specifier, context, next) {
      const format = FORMATS[extname(specifier)];
      if (format === undefined || !specifier.startsWith('.') || !context.parentURL) return next(specifier, context);
      const { href } = new URL(specifier, context.parentURL);
      return { url: href, format, shortCircuit: true };
    },
  });
