// The service with users who have connected a ring, and the pages of their year.
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { connectAccount } from '../../src/features/clouds/provider-accounts/index.ts';
import { FIRST_WEBHOOK_VERSION, listAppsById, webhookUrlOf } from '../../src/features/clouds/provider-apps/index.ts';
import { beginBackfill, startSyncer } from '../../src/features/clouds/sync/index.ts';
import { connectCloudSource } from '../../src/features/store/devices/index.ts';
import { changeUser } from '../../src/features/tenancy/user-core/index.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/log.ts';
import { type RunningService, startService } from '../../src/start-service.ts';
import { createTestUser } from '../../test/support/test-samples.ts';
import { answerParent } from '../support/bench-child.ts';
import { readDatabaseCpuMs } from '../support/database-cpu.ts';
import { makeDataFolder } from '../support/make-data-folder.ts';
import { recordPages } from './recorded-pages.ts';

export type IngestResult = {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Null where it cannot be measured. */
  readonly databaseCpuMs: number | null;
  readonly transactions: number;
  readonly samples: number;
  readonly requests: number;
  readonly bytes: number;
};
export type WebhookFacts = { readonly url: string; readonly body: string; readonly headers: Record<string, string> };

const LOOK_MS = 50;
const DAYS = '365';
/** A fixed clock: all users share the pages built in the first round. */
const NOW = new Date('2026-03-02T12:00:00Z');
const clock: Clock = { now: () => NOW, monotonicMs: () => performance.now() };
const recorded = recordPages(NOW);

let service: RunningService | undefined;

function running(): RunningService {
  if (service === undefined) throw new Error('not started');
  return service;
}

async function connect(services: RunningService['services'], users: number): Promise<void> {
  for (let index = 0; index < users; index += 1) {
    const user = await createTestUser(services.db, 'Europe/Berlin');
    const now = services.clock.now();
    await changeUser(services, user.tenant, user.userId, async (tx) => {
      const source = {
        provider: 'oura',
        id: null,
        name: null,
        model: null,
        deviceClass: 'ring',
        osVersion: null,
      } as const;
      const { id: deviceId } = await connectCloudSource(tx, user, { source, identity: newId() }, now);
      const account = { deviceId, provider: 'oura', appId: 'sandbox', providerUserId: user.userId };
      await connectAccount(services, tx, user, account, {
        accessToken: 'a',
        refreshToken: 'r',
        expiresInSeconds: 86_400,
        providerUserId: null,
        scopes: null,
      });
      await beginBackfill(services, tx, user, deviceId);
    });
  }
}

/** Each statement outside a transaction counts as one transaction. */
async function countTransactions(db: RunningService['services']['db']): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select xact_commit::int as count from pg_stat_database where datname = current_database()',
  );
  return row?.count ?? 0;
}

answerParent(
  {
    async start() {
      const dataDir = await makeDataFolder();
      const config = loadConfig({ PORT: '0', TRIBUTARY_DATA_DIR: dataDir, TRIBUTARY_BACKFILL_DAYS: DAYS });
      service = await startService({ config, role: 'api', clock, log: createLogger('silent'), print: () => undefined });
      return { databaseVersion: service.databaseVersion };
    },
    /** From connecting to the last page of every user's year. */
    async ingest({ users }: { users: number }): Promise<IngestResult> {
      const { services } = running();
      const before = recorded.count();
      const db = createDatabase({ maxConnections: 8, log: services.log });
      const { host, port, user, database } = services.db.pool().options;
      db.attach({ host: String(host), port: Number(port), user: String(user), database: String(database) });
      await connect(services, users);
      const databaseBeforeMs = await readDatabaseCpuMs(services.db);
      const transactionsBefore = await countTransactions(services.db);
      const cpu = process.cpuUsage();
      const startMs = performance.now();
      const syncer = startSyncer({ ...services, db, ownOutbound: recorded.outbound });
      for (;;) {
        const [row] = await services.db.query<{ left: boolean }>(
          `select exists (select from sync_tasks where kind = 'window' and parked_at is null) as left`,
        );
        if (row?.left === false) break;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      const wallMs = performance.now() - startMs;
      const { user: userMicros, system } = process.cpuUsage(cpu);
      const databaseAfterMs = await readDatabaseCpuMs(services.db);
      await syncer.stop();
      await db.close();
      const transactions = (await countTransactions(services.db)) - transactionsBefore;
      const [stored] = await services.db.query<{ samples: number; parked: number }>(
        `select (select coalesce(sum(count), 0)::int from sample_blocks) as samples,
           (select count(*)::int from sync_tasks where parked_at is not null) as parked`,
      );
      if (stored?.parked !== 0) throw new Error('sync tasks were parked');
      // Deletes rows: the role of the service owns no table, so it may not truncate one.
      for (const table of ['synced_devices', 'sync_tasks', 'provider_budgets', 'sample_blocks'])
        await services.db.query(`delete from ${table}`);
      const { requests, bytes } = recorded.count();
      return {
        wallMs,
        cpuMs: (userMicros + system) / 1_000,
        databaseCpuMs:
          databaseBeforeMs === null || databaseAfterMs === null ? null : databaseAfterMs - databaseBeforeMs,
        transactions,
        samples: stored.samples,
        requests: requests - before.requests,
        bytes: bytes - before.bytes,
      };
    },
    async webhook(): Promise<WebhookFacts> {
      const { services } = running();
      const [app] = await listAppsById(services, 'oura', 'sandbox');
      if (app === undefined) throw new Error('no application');
      const body = JSON.stringify({
        event_type: 'update',
        data_type: 'daily_activity',
        object_id: newId(),
        user_id: 'somebody',
        event_time: new Date().toISOString(),
      });
      const time = String(Math.floor(NOW.getTime() / 1_000));
      const signature = createHmac('sha256', app.client.clientSecret).update(time).update(body).digest('hex');
      const headers = { 'x-oura-signature': signature, 'x-oura-timestamp': time, 'content-type': 'application/json' };
      return { url: webhookUrlOf(services, app, FIRST_WEBHOOK_VERSION), body, headers };
    },
    async countWebhooks(): Promise<number> {
      const [row] = await running().services.db.query<{ count: number }>(
        'select count(*)::int as count from provider_webhooks',
      );
      return row?.count ?? 0;
    },
    pool(): pg.PoolConfig {
      const { host, port, user, database } = running().services.db.pool().options;
      return { host, port, user, database } as pg.PoolConfig;
    },
  },
  async () => service?.stop(),
);
