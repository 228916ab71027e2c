// The shipped service in this process. Only the rate-limit quotas are raised, so that the limiter checks every request and
// rejects none.
import { rm } from 'node:fs/promises';
import type pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { createAccount, createApiKey, FIRST_START } from '../../src/features/tenancy/accounts/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { RATE_POLICIES, type RatePolicies } from '../../src/platform/http/rate-limit.ts';
import { createLogger } from '../../src/platform/log.ts';
import { callLoopback } from '../../src/platform/loopback-client.ts';
import type { Services } from '../../src/platform/services.ts';
import { startService } from '../../src/start-service.ts';
import { makeDataFolder } from './make-data-folder.ts';

export type ServiceFacts = {
  readonly url: string;
  readonly key: string;
  readonly sandboxKey: string;
  readonly databaseVersion: string;
  /** The database connection and its pool size. */
  readonly pool: Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database' | 'max'>;
};

export type AccountKeys = { readonly live: string; readonly sandbox: string };

export type BenchService = {
  readonly facts: ServiceFacts;
  readonly db: Database;
  readonly services: Services;
  /** Creates a second account. */
  createAccount(name: string): Promise<AccountKeys>;
  /** Fails unless the response is 2xx. */
  call<Body>(method: string, path: string, body?: unknown, token?: string): Promise<Body>;
  /** Off: calls are answered without the request log and the usage counters. Resolves once nothing waits to be written. */
  recordRequests(isOn: boolean): Promise<void>;
  /** The same for reads in the audit trail. */
  recordReads(isOn: boolean): Promise<void>;
  stop(): Promise<void>;
};

/** Settings of an embedded PostgreSQL. */
const SUPERUSER = 'tributary';

const UNREACHABLE = { perSecond: 1_000_000, burst: 1_000_000 };
/** The limiter checks every request and rejects none. */
export const POLICIES = Object.fromEntries(
  Object.keys(RATE_POLICIES).map((name) => [name, UNREACHABLE]),
) as unknown as RatePolicies;

/** The total over all processes that share a database. */
const MASTER_KEY = '0'.repeat(64);

/** Uses an embedded PostgreSQL in a temporary folder, or the database behind the URL. */
export async function startBenchService(
  databaseUrl?: string,
  environment: Readonly<Record<string, string>> = {},
  ratePolicies = POLICIES,
  role: 'all' | 'api' = 'all',
): Promise<BenchService> {
  const dataDir = await makeDataFolder();
  const service = await startService({
    config: loadConfig({
      PORT: '0',
      TRIBUTARY_DATA_DIR: dataDir,
      TRIBUTARY_MASTER_KEY: MASTER_KEY,
      DATABASE_URL: databaseUrl,
      ...environment,
    }),
    role,
    log: createLogger('silent'),
    print: () => undefined,
    ratePolicies,
  });
  const keyOf = (wanted: string) => service.newKeys.find(({ environment }) => environment === wanted)?.key ?? '';
  const key = keyOf('live');
  const { connectionString, host, port, user, database, max } = service.services.db.pool()
    .options as ServiceFacts['pool'];
  const url = service.publicUrl;
  const { auditTrail, requestLog, usage } = service.services;
  const { record } = requestLog;
  const { recordRead } = auditTrail;
  return {
    facts: {
      url,
      key,
      sandboxKey: keyOf('sandbox'),
      databaseVersion: service.databaseVersion,
      // Contestants create their own tables, which the service's role may not.
      pool: { connectionString, host, port, user: databaseUrl === undefined ? SUPERUSER : user, database, max },
    },
    db: service.services.db,
    services: service.services,
    async createAccount(name) {
      await createAccount(service.services, name, FIRST_START);
      const [live, sandbox] = [
        await createApiKey(service.services, { account: name, environment: 'live' }, FIRST_START),
        await createApiKey(service.services, { account: name, environment: 'sandbox' }, FIRST_START),
      ];
      return { live: live.key, sandbox: sandbox.key };
    },
    async call<Body>(method: string, path: string, body?: unknown, token = key) {
      const answer = await callLoopback(`${url}${path}`, { method, token, body });
      if (answer.status >= 300)
        throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body as Body;
    },
    async recordRequests(isOn) {
      Object.assign(requestLog, { record: isOn ? record : () => undefined });
      await Promise.all([requestLog.flush(), usage.flush()]);
    },
    async recordReads(isOn) {
      Object.assign(auditTrail, { recordRead: isOn ? recordRead : () => undefined });
      await auditTrail.flush();
    },
    async stop() {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
