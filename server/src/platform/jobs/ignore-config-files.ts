// graphile-worker looks for .graphile-workerrc.js and the like in the working directory and all its parents while it is loaded,
// and runs what it finds: whoever can write to a parent folder could run code as the service. We configure it by arguments, so
// its search finds nothing. Import this file before graphile-worker.
import { createRequire } from 'node:module';

const cosmiconfig: { cosmiconfigSync: unknown } = createRequire(import.meta.resolve('graphile-worker'))('cosmiconfig');
cosmiconfig.cosmiconfigSync = () => ({ search: () => null });
