// A worker as a program of its own, started by worker-process.ts: its clouds are a stub, and the test moves its clock.
import { loadConfig } from '../../src/config.ts';
import { createServiceLogger } from '../../src/service-log.ts';
import { startService } from '../../src/start-service.ts';
import { createMovableClock } from './test-clock.ts';

const { STUB_URL = '', START_MS = '0', DATABASE_URL, TRIBUTARY_DATA_DIR, TRIBUTARY_MASTER_KEY } = process.env;
const clock = createMovableClock(new Date(Number(START_MS)));
process.on('message', (ms) => {
  clock.advance(Number(ms));
  process.send?.('moved');
});

const service = await startService({
  config: loadConfig({
    PORT: '0',
    DATABASE_URL,
    TRIBUTARY_DATA_DIR,
    TRIBUTARY_MASTER_KEY,
    TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1',
  }),
  role: 'worker',
  clock,
  log: createServiceLogger('warn', process.stderr),
  print: () => undefined,
  // Called right after the loops were started, before one of them has run.
  announce: ({ services }) =>
    Object.assign(services.settings, { simulator: () => ({ pages: STUB_URL, api: STUB_URL }) }),
});
process.on('SIGTERM', async () => {
  await service.stop();
  process.disconnect?.();
});
process.send?.(service.publicUrl);
