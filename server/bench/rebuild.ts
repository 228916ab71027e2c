// Measures how many user-years a rebuild computes per minute: all values of all days, as after a change of settings, and
// with device values too, as after a change of the time zone.

import { rm } from 'node:fs/promises';
import { changeSettings, NO_SETTINGS } from '../src/domain/consolidate/consolidation-rules.ts';
import { MINUTE_MS } from '../src/domain/time/durations.ts';
import { type RebuildScope, rebuildUser } from '../src/features/pipeline/ingest/index.ts';
import { lockUser, saveConsolidation } from '../src/features/tenancy/user-core/index.ts';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import { loadMigrations, migrate } from '../src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import { createYear, METRIC_COUNT } from './rebuild/create-years.ts';
import { type BenchUsers, createUsers } from './storage/run-month.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';

const USERS = 12;
const AIM = 200;
const NOW = new Date('2026-03-02T00:00:00Z');
/** Each change affects many consolidated values; the last one restores the first state. */
const ROUNDS = [
  { metrics: { steps: { method: 'max' as const }, active_calories: { method: 'avg' as const } }, providers: {} },
  { metrics: { steps: { method: null } }, providers: { apple_health: false } },
  { metrics: { active_calories: { method: null } }, providers: { apple_health: true } },
];

const SCOPES: readonly (readonly [RebuildScope, string])[] = [
  ['choice', 'settings'],
  ['all', 'everything'],
];

export async function benchRebuild(): Promise<string> {
  const dataDir = await makeDataFolder();
  const log = createLogger('silent');
  const server = await startEmbeddedPostgres({ dataDir, print: () => undefined, log });
  const db = createDatabase({ maxConnections: 3, log });
  try {
    db.attach(server.connection);
    await migrate(db, loadMigrations());
    const users = await createUsers(db, USERS);
    for (let userIndex = 0; userIndex < USERS; userIndex += 1) await createYear(db, users, userIndex);
    const rows: string[][] = [];
    let settings = NO_SETTINGS;
    for (const [scope, name] of SCOPES) {
      for (const [index, change] of ROUNDS.entries()) {
        settings = changeSettings(settings, change);
        rows.push([`${name}, round ${index + 1}`, ...(await rebuildAll(db, users, settings, scope))]);
      }
    }
    return [
      `Rebuild: ${USERS} users, 365 days, ${METRIC_COUNT} metrics (3 of them as samples every quarter hour), 3 devices; one process. ${describeMachine()}`,
      '',
      presentTable(['', 'user-years/min', 'aim', 'share of the aim', 'ms per user-year', 'CPU ms'], rows),
      '',
      'CPU time of the rebuilding process, without the database.',
    ].join('\n');
  } finally {
    await db.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Two at a time: while one waits for the database the other computes. */
async function rebuildAll(
  db: Database,
  users: BenchUsers,
  settings: typeof NO_SETTINGS,
  scope: RebuildScope,
): Promise<string[]> {
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  let next = 0;
  const work = async () => {
    for (let userId = users.userIds[next++]; userId !== undefined; userId = users.userIds[next++]) {
      const id = userId;
      await db.transaction(async (tx) => {
        const locked = await lockUser(tx, users.tenant, id);
        if (!locked) throw new Error('user not found');
        await saveConsolidation(tx, locked.handle, settings);
        await rebuildUser(tx, { ...locked.handle, consolidation: settings }, NOW, scope);
      });
    }
  };
  await Promise.all([work(), work()]);
  const eachMs = (performance.now() - startMs) / USERS;
  const { user, system } = process.cpuUsage(startCpu);
  const perMinute = MINUTE_MS / eachMs;
  return [
    perMinute.toFixed(0),
    `≥ ${AIM}`,
    (perMinute / AIM).toFixed(2),
    eachMs.toFixed(0),
    ((user + system) / 1_000 / USERS).toFixed(0),
  ];
}
