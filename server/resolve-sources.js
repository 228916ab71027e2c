// Importing this file lets Node take relative imports of TypeScript files by their name. It would look up links, packages and the kind
// of module for each of the 1,700 files otherwise, which is a third of the CPU time of a start. A package has none.
// Like launch.js, this file must load on every Node since 14.0.
import { existsSync } from 'fs';
import Module from 'module';

if (Module.registerHooks && existsSync(new URL('src/main.ts', import.meta.url)))
  Module.registerHooks({
    resolve(specifier, context, next) {
      const isSource = specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL !== undefined;
      if (!isSource) return next(specifier, context);
      const { href } = new URL(specifier, context.parentURL);
      return { url: href, format: 'module-typescript', shortCircuit: true };
    },
  });
