// How many user-years a rebuild works out in a minute: every value of every day again, as after a change of settings, and what
// devices said of those days too, as after a change of the time zone.
import { rm } from 'node:fs/promises';
import { changeSettings, NO_SETTINGS } from '../src/domain/consolidate/consolidation-rules.ts';
import { type RebuildScope, rebuildUser } from '../src/features/pipeline/ingest/index.ts';
import { lockUser, saveConsolidation } from '../src/features/tenancy/user-core/index.ts';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import { loadMigrations, migrate } from '../src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import { createYear, METRIC_COUNT } from './rebuild/create-years.ts';
import { createPeople, type People } from './storage/run-month.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';

const USERS = 12;
const AIM = 200;
const MINUTE_MS = 60_000;
const NOW = new Date('2026-03-02T00:00:00Z');
/** Each changes what is chosen of many values; the last one brings the first state back. */
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
    const people = await createPeople(db, USERS);
    for (let place = 0; place < USERS; place += 1) await createYear(db, people, place);
    const rows: string[][] = [];
    let settings = NO_SETTINGS;
    for (const [scope, name] of SCOPES) {
      for (const [index, change] of ROUNDS.entries()) {
        settings = changeSettings(settings, change);
        rows.push([`${name}, round ${index + 1}`, ...(await rebuildAll(db, people, settings, scope))]);
      }
    }
    return [
      `Rebuild: ${USERS} people, 365 days, ${METRIC_COUNT} metrics (3 of them as samples every quarter hour), 3 devices; one process. ${describeMachine()}`,
      '',
      presentTable(['', 'user-years/min', 'aim', 'share of the aim', 'ms a user-year', 'CPU ms'], rows),
      '',
      'CPU is that of the process that rebuilds, without the database.',
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
  people: People,
  settings: typeof NO_SETTINGS,
  scope: RebuildScope,
): Promise<string[]> {
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  let next = 0;
  const work = async () => {
    for (let userId = people.userIds[next++]; userId !== undefined; userId = people.userIds[next++]) {
      const id = userId;
      await db.transaction(async (tx) => {
        const locked = await lockUser(tx, people.tenant, id);
        if (!locked) throw new Error('no such user');
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
