// A minimal service process for tests that kill it: starts the server, reports it, and waits.

import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts';

const [dataDir = ''] = process.argv.slice(2);
const silent = () => undefined;
const options: EmbeddedPostgresOptions = {
  dataDir,
  print: silent,
  log: { debug: silent, info: silent, warn: silent, error: silent },
};

const postgres = await startEmbeddedPostgres(options);
process.stdout.write(
  `${JSON.stringify({ postmasterPid: postgres.postmasterPid(), connection: postgres.connection })}\n`,
);
process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
