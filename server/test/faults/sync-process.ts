// A process that syncs with a stub cloud until it is killed.
import { loadConfig } from '../../src/config.ts';
import { startSyncer } from '../../src/features/clouds/sync/index.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { startService } from '../../src/start-service.ts';
import { atStub } from '../support/test-cloud.ts';

const { STUB_URL = '', START_MS = '0', ...environment } = process.env;
const beganMs = Date.now();
const clock: Clock = {
  now: () => new Date(Number(START_MS) + Date.now() - beganMs),
  monotonicMs: () => performance.now(),
};
const config = loadConfig({
  PORT: '0',
  DATABASE_URL: environment.DATABASE_URL,
  TRIBUTARY_DATA_DIR: environment.TRIBUTARY_DATA_DIR,
  TRIBUTARY_MASTER_KEY: environment.TRIBUTARY_MASTER_KEY,
});
const { services } = await startService({
  config,
  role: 'api',
  clock,
  log: createLogger('silent'),
  print: () => undefined,
});
startSyncer(atStub(services, STUB_URL));
process.stdout.write('syncing\n');
