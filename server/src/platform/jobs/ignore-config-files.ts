// While graphile-worker loads, it runs files such as .graphile-workerrc.js from the working directory and its parents, so anyone
// who can write to a parent folder could run code as the service. This file disables that search. Import it before
// graphile-worker.
import { createRequire } from 'node:module';

const cosmiconfig: { cosmiconfigSync: unknown } = createRequire(import.meta.resolve('graphile-worker'))('cosmiconfig');
cosmiconfig.cosmiconfigSync = () => ({ search: () => null });
