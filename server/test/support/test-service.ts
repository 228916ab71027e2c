// The whole service in this process, with its own database and a free port, and an account with its keys.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceTimeouts } from '../../src/compose.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import type { Role } from '../../src/connection-plan.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { readServiceAddress } from '../../src/platform/data-folder.ts';
import type { Migration } from '../../src/platform/db/migrate.ts';
import { RATE_POLICIES, type RatePolicies } from '../../src/platform/http/rate-limit.ts';
import { createServiceLogger } from '../../src/service-log.ts';
import { type RunningService, startService } from '../../src/start-service.ts';
import { createApi, type TestApi } from './test-api.ts';
import { createTestDatabase } from './test-database.ts';

export type TestService = {
  readonly url: string;
  readonly config: Config;
  readonly operatorToken: string;
  readonly running: RunningService;
  /** Keys of the account "default". */
  readonly keys: { readonly live: string; readonly sandbox: string };
  /** Calls with a key (the live one by default), or without one. */
  api(token?: string | null): TestApi;
  /** Calls the operator API. */
  operator(token?: string | null): TestApi;
  stop(): Promise<void>;
};

/** Tests make hundreds of calls per second without being throttled; tests of the limit use the real policies. */
const GENEROUS: RatePolicies = {
  api_key: { perSecond: 100_000, burst: 100_000 },
  user_token: { perSecond: 100_000, burst: 100_000 },
  sdk_session: { perSecond: 100_000, burst: 100_000 },
  address: { perSecond: 100_000, burst: 100_000 },
  guesses: { perSecond: 100_000, burst: 100_000 },
};

export type TestServiceOptions = {
  clock?: Clock;
  role?: Role;
  environment?: Record<string, string>;
  realLimits?: boolean;
  ratePolicies?: RatePolicies;
  timeouts?: ServiceTimeouts;
  databaseUrl?: string;
  logLines?: string[];
  /** Of `logLines`. Absent: everything. */
  logLevel?: 'warn';
  printedLines?: string[];
  migrations?: readonly Migration[];
};

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.databaseUrl === undefined ? await createTestDatabase() : null;
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-test-'));
  const { logLines, logLevel = 'trace' } = options;
  const config = loadConfig({
    PORT: '0',
    DATABASE_URL: options.databaseUrl ?? database?.url,
    TRIBUTARY_DATA_DIR: dataDir,
    TRIBUTARY_LOG_LEVEL: options.logLines ? logLevel : 'silent',
    ...options.environment,
  });
  const log = logLines
    ? createServiceLogger(logLevel, { write: (line: string) => void logLines.push(line) })
    : createServiceLogger('silent');
  const running = await startService({
    config,
    role: options.role ?? 'all',
    log,
    print: (line) => void options.printedLines?.push(line),
    ratePolicies: options.ratePolicies ?? (options.realLimits ? RATE_POLICIES : GENEROUS),
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.timeouts ? { timeouts: options.timeouts } : {}),
    ...(options.migrations ? { migrations: options.migrations } : {}),
  });
  const keyOf = (environment: string) => running.newKeys.find((key) => key.environment === environment)?.key ?? '';
  const keys = { live: keyOf('live'), sandbox: keyOf('sandbox') };
  const operatorToken = readServiceAddress(config.dataDir)?.operatorToken ?? '';
  // Each has connections of its own.
  const operators = new Map<string | null, TestApi>();
  const openOperator = (token: string | null) =>
    createApi('http://localhost', token, false, running.operatorSocket ?? assert.fail('no operator API'));
  return {
    url: running.publicUrl,
    config,
    operatorToken,
    running,
    keys,
    api: (token = keys.live) => createApi(running.publicUrl, token),
    operator: (token = operatorToken) => operators.getOrInsertComputed(token, openOperator),
    async stop() {
      await running.stop();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
