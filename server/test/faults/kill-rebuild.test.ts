// kill -9 while settings change, days are rebuilt and phones upload: acknowledged data is stored, the days end as after a full
// rebuild, and until then every reader sees the history of one of the settings, never a mix of two.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HISTORY_RULES } from '../../src/domain/metrics/history-metrics.ts';
import { metricNumberOf } from '../../src/domain/metrics/index.ts';
import { decodeSheet, encodeSheet } from '../../src/domain/packed/month-sheets/index.ts';
import type { UserId } from '../../src/domain/tenancy.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time/durations.ts';
import { rebuildUser } from '../../src/features/pipeline/ingest/index.ts';
import { lockUser } from '../../src/features/tenancy/user-core/index.ts';
import { createDatabase, type Transaction } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/log.ts';
import { assertSameState } from '../support/assert-same-state.ts';
import {
  apiOf,
  homeOf,
  listDatabasePids,
  openServiceHarness,
  queryEmbedded,
  type ReadyService,
  waitFor,
} from '../support/service-process.ts';
import { createApi, type JsonBody } from '../support/test-api.ts';
import { planKills } from './kill-plan.ts';
import { createRandom, type Random } from './random.ts';

const KILLS = planKills({ inProof: 200 });
const SEED = Number(process.env.FAULT_SEED ?? 1);
const USERS = 4;
const SETTLE_MS = 60_000; // jobs of a killed worker are retried within seconds, and wait for each other
const FIRST_DAY_MS = Date.UTC(2024, 0, 1);
const DAYS = 366;
const HISTORY = `from_date=${toDate(0)}&to_date=${toDate(DAYS - 1)}`;

/** A ring and a watch of two providers that always disagree. */
const SOURCES = [
  { provider: 'health_connect', id: 'watch', device_class: 'wrist' },
  { provider: 'samsung_health', id: 'ring', device_class: 'ring' },
] as const;
const STATED = ['steps', 'active_calories', 'resting_heart_rate', 'distance', 'floors_climbed', 'weight'] as const;
const READ = [...STATED, 'heart_rate'].join();

/** Each sets every field, so that none depends on the one before; each gives another history. */
const CHANGES = [
  changeTo({ steps: null, active_calories: null }, { health_connect: true, samsung_health: true }),
  changeTo({ steps: 'max', active_calories: 'max' }, { health_connect: true, samsung_health: true }),
  changeTo({ steps: null, active_calories: 'avg' }, { health_connect: false, samsung_health: true }),
  changeTo({ steps: 'avg', active_calories: null }, { health_connect: true, samsung_health: false }),
] as const;

type TestUser = {
  readonly id: string;
  readonly token: string;
  /** The last acknowledged change, and later ones whose response was lost. */
  stored: number;
  readonly lost: Set<number>;
  changes: number;
  requested: number;
  acknowledged: number;
  /** The last history read, and how often it differed from the one before. */
  seen: number;
  observed: number;
};
type Scene = {
  readonly key: string;
  readonly users: readonly TestUser[];
  /** The history that each change gives. */
  readonly histories: string[];
  readonly reader: { cursor: string; seen: JsonBody[] };
  readonly random: Random;
};

describe('kill -9 during a rebuild', () => {
  it(`ends with the result of a full rebuild, over ${KILLS.description}`, async (t) => {
    const harness = await openServiceHarness(t);
    const random = createRandom(t, SEED);
    let service = await harness.start().ready();
    const key = service.keys.live;
    const users = await Promise.all(Array.from({ length: USERS }, (_, index) => createTestUser(service, index)));
    const scene: Scene = { key, users, histories: [], reader: { cursor: '', seen: [] }, random };
    await learnHistories(service, scene);

    for (let round = 0; KILLS.goesOn(); round += 1) {
      await killUnderLoad(service, scene, round);
      service = await harness.start().ready();
      KILLS.count((await countLostRebuilds(harness.dataDir)) > 0);
      for (const user of users) await verifySettings(service, key, user);
    }

    await awaitRebuilt(service.dataDir);
    for (const user of users) {
      await verifySettings(service, key, user);
      assert.equal(await readHistory(service, scene, user), scene.histories[user.stored], 'the stored settings');
    }
    await verifyAgainstNothing(service.dataDir, scene);
    await verifyEvents(service, scene);
    const total = (name: 'changes' | 'acknowledged' | 'observed') => users.reduce((sum, one) => sum + one[name], 0);
    t.diagnostic(
      `${KILLS.hits()} kills met a running rebuild; ${total('changes')} changes, ${total('observed')} seen, ` +
        `${total('acknowledged')} uploads, ${scene.reader.seen.length} events`,
    );
    KILLS.assertHit();
  });
});

function changeTo(methods: Record<string, string | null>, providers: Record<string, boolean>): object {
  const metrics = Object.fromEntries(Object.entries(methods).map(([metric, method]) => [metric, { method }]));
  return { metrics, providers };
}

function toDate(day: number): string {
  return new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);
}

async function createTestUser(service: ReadyService, index: number): Promise<TestUser> {
  const api = apiOf(service);
  const user = await api.post('/v1/users', { reference_id: `person ${index}` });
  assert.equal(user.status, 201, user.text);
  const { id } = user.body.data;
  const session = await api.post(
    `/v1/users/${id}/sdk-sessions`,
    { installation_id: randomUUID(), platform: 'android' },
    { headers: { 'idempotency-key': randomUUID() } },
  );
  const exchanged = await apiOf(service, null).post('/v1/sdk/sessions/exchange', {
    client_token: session.body.client_token,
  });
  assert.equal(exchanged.status, 200, exchanged.text);
  const token = exchanged.body.access_token;
  for (const position of SOURCES.keys()) {
    const made = await createApi(service.url, token).post('/v1/sdk/uploads', makeHistory(position));
    assert.equal(made.status, 200, made.text);
  }
  return { id, token, stored: 0, lost: new Set(), changes: 0, requested: 0, acknowledged: 0, seen: 0, observed: 0 };
}

/** Steps have samples in different quarter hours, so that merging has an effect. */
function makeHistory(position: number): object {
  const days = Array.from({ length: DAYS }, (_, day) => day);
  return {
    upload_id: randomUUID(),
    source: SOURCES[position],
    daily: days.flatMap((day) =>
      STATED.filter((metric) => metric !== 'steps').map((metric, index) => ({
        date: toDate(day),
        metric,
        value: 60 + position * 7 + index + (day % 11),
      })),
    ),
    samples: days.flatMap((day) =>
      [8, 9 + position, 20].flatMap((hour) => {
        const startMs = FIRST_DAY_MS + day * DAY_MS + hour * HOUR_MS;
        const start = new Date(startMs).toISOString();
        const end = new Date(startMs + 900_000).toISOString();
        return [
          { metric: 'steps', start, end, value: 100 + position * 31 + (day % 13) + hour },
          { metric: 'heart_rate', start, value: 60 + position * 5 + (day % 7) },
        ];
      }),
    ),
  };
}

/** Without kills: the days that each of the settings gives. */
async function learnHistories(service: ReadyService, scene: Scene): Promise<void> {
  for (const [index, change] of [...CHANGES.entries()].reverse()) {
    for (const user of scene.users) {
      const answer = await apiOf(service, scene.key).patch(pathOf(user), change);
      assert.equal(answer.status < 300, true, answer.text);
      user.stored = index;
      user.seen = index;
      user.changes += 1;
    }
    await awaitRebuilt(service.dataDir);
    const histories = await Promise.all(scene.users.map((user) => readHistory(service, scene, user)));
    assert.equal(new Set(histories).size, 1, 'all have the same data');
    scene.histories[index] = histories[0] ?? '';
  }
  assert.equal(new Set(scene.histories).size, CHANGES.length, 'each change has an effect');
}

function pathOf({ id }: TestUser): string {
  return `/v1/users/${id}/consolidation`;
}

async function readHistory(service: ReadyService, { key }: Scene, { id }: TestUser): Promise<string | null> {
  const answer = await apiOf(service, key).get(`/v1/users/${id}/daily?types=${READ}&${HISTORY}`);
  if (answer.status === 200) return JSON.stringify(answer.body.series);
  assert.ok([429, 503].includes(answer.status), answer.text);
  return null;
}

async function awaitRebuilt(dataDir: string): Promise<void> {
  let left: RebuildJob[] = [];
  await waitFor('no rebuild is left', SETTLE_MS, async () => {
    left = await listRebuilds(dataDir);
    return left.length === 0;
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(left)}`);
  });
}

/** Jobs of the killed worker, which are not released yet. */
async function countLostRebuilds(dataDir: string): Promise<number> {
  return (await listRebuilds(dataDir)).filter(({ is_locked }) => is_locked).length;
}

type RebuildJob = { is_locked: boolean };

/** With what says why a job waits. */
function listRebuilds(dataDir: string): Promise<RebuildJob[]> {
  return queryEmbedded(
    dataDir,
    `select attempts, max_attempts, key is not null as has_key, locked_at is not null as is_locked,
            extract(epoch from run_at - now())::int as due_in_seconds, last_error
       from graphile_worker.jobs where task_identifier = 'rebuild_user'`,
  );
}

/** Settings change, phones upload and readers read until the service is killed; every second time with its database. */
async function killUnderLoad(service: ReadyService, scene: Scene, round: number): Promise<void> {
  const { users, random } = scene;
  const untilKilled = async (work: () => Promise<unknown>, restMs: () => number) => {
    while (!service.hasExited()) {
      await work().catch(forgiveLostConnection);
      await delay(restMs());
    }
  };
  const loads = users.flatMap((user) => [
    untilKilled(
      () => change(service, scene, user),
      () => random.integer(0, 900),
    ),
    untilKilled(
      () => upload(service, user),
      () => 40,
    ),
    untilKilled(
      () => lookAt(service, scene, user),
      () => 15,
    ),
  ]);
  loads.push(
    untilKilled(
      () => readPage(service, scene),
      () => 20,
    ),
  );
  // At random, or in the first moments of a rebuild, because rebuilds are short.
  await delay(random.integer(0, 1_500));
  if (round % 4 !== 0)
    await waitFor('a rebuild runs', SETTLE_MS, async () => (await countLostRebuilds(service.dataDir)) > 0);
  await delay(random.integer(0, 120));
  const database = round % 2 === 1 ? await listDatabasePids(service.dataDir) : [];
  service.signal('SIGKILL');
  for (const pid of database) killIfThere(pid);
  await service.exited;
  await Promise.all(loads);
}

async function change(service: ReadyService, { key, random }: Scene, user: TestUser): Promise<void> {
  const next = (user.stored + random.integer(1, CHANGES.length - 1)) % CHANGES.length;
  user.lost.add(next);
  user.changes += 1;
  const answer = await apiOf(service, key).patch(pathOf(user), CHANGES[next]);
  assert.ok(answer.status < 300 || [429, 503].includes(answer.status), answer.text);
  if (answer.status >= 300) return;
  user.stored = next;
  user.lost.clear();
}

/** Each is for another hour after the history, so that each changes something. */
async function upload(service: ReadyService, user: TestUser): Promise<void> {
  const start = new Date(FIRST_DAY_MS + DAYS * DAY_MS + user.requested++ * HOUR_MS).toISOString();
  const body = { upload_id: randomUUID(), source: SOURCES[0], samples: [{ metric: 'heart_rate', start, value: 60 }] };
  const answer = await createApi(service.url, user.token).post('/v1/sdk/uploads', body);
  if (answer.status === 200) user.acknowledged += 1;
  else assert.ok([429, 503].includes(answer.status), answer.text);
}

async function lookAt(service: ReadyService, scene: Scene, user: TestUser): Promise<void> {
  const history = await readHistory(service, scene, user);
  if (history === null) return;
  const position = scene.histories.indexOf(history);
  assert.ok(position >= 0, 'a history that none of the settings gives');
  if (position !== user.seen) user.observed += 1;
  user.seen = position;
}

async function readPage(service: ReadyService, { key, reader }: Scene): Promise<boolean> {
  const query = reader.cursor === '' ? '' : `&cursor=${reader.cursor}`;
  const answer = await apiOf(service, key).get(`/v1/events?limit=100${query}`);
  if (answer.status !== 200) {
    assert.ok([429, 503].includes(answer.status), answer.text);
    return true;
  }
  reader.seen.push(...answer.body.events);
  reader.cursor = answer.body.cursor;
  return answer.body.has_more;
}

/** Acknowledged changes must be present; a change whose response was lost may be. */
async function verifySettings(service: ReadyService, key: string, user: TestUser): Promise<void> {
  const answer = await apiOf(service, key).get(pathOf(user));
  assert.equal(answer.status, 200, answer.text);
  const isStored = (index: number) => isDeepIn(CHANGES[index] as JsonBody, answer.body);
  const found = [user.stored, ...user.lost].find(isStored);
  assert.ok(found !== undefined, `neither ${user.stored} nor one of ${[...user.lost]}: ${answer.text}`);
  user.stored = found;
  user.lost.clear();
}

function isDeepIn({ metrics, providers }: JsonBody, configuration: JsonBody): boolean {
  const areOn = configuration.providers.every(
    ({ provider, enabled }: { provider: string; enabled: boolean }) => providers[provider] === enabled,
  );
  return (
    areOn &&
    configuration.metrics.every(
      ({ key, method, default_method }: { key: string; method: string; default_method: string }) =>
        !(key in metrics) || method === (metrics[key].method ?? default_method),
    )
  );
}

/** Deletes the canonical days and rebuilds them from all stored data, in a transaction that is rolled back. */
async function verifyAgainstNothing(dataDir: string, { users }: Scene): Promise<void> {
  const db = createDatabase({ maxConnections: 1, log: createLogger('silent') });
  db.attach({ host: join(await homeOf(dataDir), 'socket'), port: 5432, user: 'tributary', database: 'tributary' });
  try {
    for (const { id } of users) {
      await db.dryRun(async (tx) => {
        const [row] = await tx.query<{ account_id: never; environment: never }>(
          'select account_id, environment from users where id = $1',
          [id],
        );
        assert.ok(row);
        const tenant = { accountId: row.account_id, environment: row.environment };
        const locked = await lockUser(tx, tenant, id as UserId);
        assert.ok(locked);
        const before = await readDays(tx, id);
        assert.ok(before.length >= 12 * 3, 'a year of both devices and of canonical values');
        await tx.query('delete from daily_months where user_id = $1', [id]);
        await rebuildUser(tx, locked.handle, new Date());
        assertSameState(await readDays(tx, id), before);
      });
    }
  } finally {
    await db.close();
  }
}

/** Without the values that scoring adds to the canonical days, which a rebuild does not change. */
async function readDays(tx: Transaction, id: string): Promise<object[]> {
  const rows = await tx.query<{ month: number; device: number; payload: Buffer }>(
    `select month, 0 as device, payload from daily_months where user_id = $1
     union all select month, device, payload from device_months where user_id = $1 order by month, device`,
    [id],
  );
  return rows.map(({ month, device, payload }) => {
    const sheet = decodeSheet(payload);
    for (const metric of HISTORY_RULES.keys()) sheet.columns.delete(metricNumberOf(metric));
    return { month, device, payload: Buffer.from(encodeSheet(sheet)).toString('hex') };
  });
}

/** None is lost or repeated; every observed change of days has its event, and there are no more events than changes. */
async function verifyEvents(service: ReadyService, scene: Scene): Promise<void> {
  await waitFor('all events are published', SETTLE_MS, async () => {
    const sql = 'select exists (select from event_outbox) as waits';
    const [row] = await queryEmbedded<{ waits: boolean }>(service.dataDir, sql);
    return row?.waits === false;
  });
  while (await readPage(service, scene)) await delay(10);
  const whole = { ...scene, reader: { cursor: '', seen: [] as JsonBody[] } };
  while (await readPage(service, whole)) await delay(10);
  const feed = whole.reader.seen;
  assertSameState(scene.reader.seen, feed, 'the reader saw all events in order');
  assert.equal(new Set(feed.map(({ event_id }) => event_id)).size, feed.length, 'no duplicates');
  for (const { id, requested, acknowledged, changes, observed } of scene.users) {
    const count = (type: string) =>
      feed.filter(({ user_id, event_type }) => user_id === id && event_type === type).length;
    // Values that scoring computes have an event without a device.
    const ofDevices = feed.filter(({ user_id, device_id }) => user_id === id && device_id !== null);
    const updates = ofDevices.filter(({ event_type }) => event_type === 'data.updated').length;
    const first = SOURCES.length; // events of the history
    assert.ok(updates >= acknowledged + first && updates <= requested + first, `${updates} of ${acknowledged}`);
    const synced = count('subject.synced');
    assert.ok(synced >= observed && synced <= changes, `${synced} of ${observed} observed and ${changes} changes`);
  }
}

function forgiveLostConnection(error: unknown): void {
  if (error instanceof assert.AssertionError) throw error;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
