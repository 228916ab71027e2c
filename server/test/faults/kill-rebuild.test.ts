// kill -9 while settings change, days are rebuilt and phones upload: what was acknowledged is stored, the days end as a rebuild
// from nothing makes them, and until then every reader sees a history as one of the settings makes it, never part of two.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HISTORY_RULES } from '../../src/domain/metrics/history-metrics.ts';
import { metricNumberOf } from '../../src/domain/metrics/index.ts';
import { decodeSheet, encodeSheet } from '../../src/domain/packed/month-sheets/index.ts';
import type { UserId } from '../../src/domain/tenancy.ts';
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
import { createRandom, type Random } from './random.ts';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? (process.env.FAULT_LONG ? 200 : 4));
const SEED = Number(process.env.FAULT_SEED ?? 1);
const PEOPLE = 4;
const SETTLE_MS = 60_000; // jobs of a killed worker come back within seconds, and wait for each other
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2024, 0, 1);
const DAYS = 366;
const HISTORY = `from_date=${toDate(0)}&to_date=${toDate(DAYS - 1)}`;

/** A ring and a watch of two providers that never agree. */
const SOURCES = [
  { provider: 'health_connect', id: 'watch', device_class: 'wrist' },
  { provider: 'samsung_health', id: 'ring', device_class: 'ring' },
] as const;
const STATED = ['steps', 'active_calories', 'resting_heart_rate', 'distance', 'floors_climbed', 'weight'] as const;
const READ = [...STATED, 'heart_rate'].join();

/** Each is told whole, so that none depends on the one before; each gives another history. */
const CHANGES = [
  changeTo({ steps: null, active_calories: null }, { health_connect: true, samsung_health: true }),
  changeTo({ steps: 'max', active_calories: 'max' }, { health_connect: true, samsung_health: true }),
  changeTo({ steps: null, active_calories: 'avg' }, { health_connect: false, samsung_health: true }),
  changeTo({ steps: 'avg', active_calories: null }, { health_connect: true, samsung_health: false }),
] as const;

type Person = {
  readonly id: string;
  readonly token: string;
  /** The last change that was answered, and those after it whose answer was lost. */
  stored: number;
  readonly lost: Set<number>;
  changes: number;
  asked: number;
  acknowledged: number;
  /** What was read last, and how often it was another than before. */
  seen: number;
  turns: number;
};
type Scene = {
  readonly key: string;
  readonly people: readonly Person[];
  /** By change: the history that it makes. */
  readonly histories: string[];
  readonly reader: { cursor: string; seen: JsonBody[] };
  readonly random: Random;
};

describe('kill -9 in the middle of a rebuild', () => {
  it(`ends where a rebuild from nothing ends, over ${ROUNDS} kills`, async (t) => {
    const harness = await openServiceHarness(t);
    const random = createRandom(t, SEED);
    let service = await harness.start().ready();
    const key = service.keys.live;
    const people = await Promise.all(Array.from({ length: PEOPLE }, (_, index) => createPerson(service, index)));
    const scene: Scene = { key, people, histories: [], reader: { cursor: '', seen: [] }, random };
    await learnHistories(service, scene);

    let hits = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await killUnderLoad(service, scene, round);
      service = await harness.start().ready();
      hits += (await countLostRebuilds(harness.dataDir)) > 0 ? 1 : 0;
      for (const person of people) await verifySettings(service, key, person);
    }

    await awaitRebuilt(service.dataDir);
    for (const person of people) {
      await verifySettings(service, key, person);
      assert.equal(
        await readHistory(service, scene, person),
        scene.histories[person.stored],
        'the settings that stand',
      );
    }
    await verifyAgainstNothing(service.dataDir, scene);
    await verifyEvents(service, scene);
    const total = (name: 'changes' | 'acknowledged' | 'turns') => people.reduce((sum, one) => sum + one[name], 0);
    t.diagnostic(
      `${hits} of ${ROUNDS} kills met a running rebuild; ${total('changes')} changes, ${total('turns')} seen, ` +
        `${total('acknowledged')} uploads, ${scene.reader.seen.length} events`,
    );
    assert.ok(hits > 0, 'no kill met a rebuild: the test says nothing');
  });
});

function changeTo(methods: Record<string, string | null>, providers: Record<string, boolean>): object {
  const metrics = Object.fromEntries(Object.entries(methods).map(([metric, method]) => [metric, { method }]));
  return { metrics, providers };
}

function toDate(day: number): string {
  return new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);
}

async function createPerson(service: ReadyService, index: number): Promise<Person> {
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
  return { id, token, stored: 0, lost: new Set(), changes: 0, asked: 0, acknowledged: 0, seen: 0, turns: 0 };
}

/** Steps are samples of other quarter hours as well, so that merging has something to do. */
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
        const startMs = FIRST_DAY_MS + day * DAY_MS + hour * 3_600_000;
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

/** In peace: what each of the settings makes of the days. */
async function learnHistories(service: ReadyService, scene: Scene): Promise<void> {
  for (const [index, change] of [...CHANGES.entries()].reverse()) {
    for (const person of scene.people) {
      const answer = await apiOf(service, scene.key).patch(pathOf(person), change);
      assert.equal(answer.status < 300, true, answer.text);
      person.stored = index;
      person.seen = index;
      person.changes += 1;
    }
    await awaitRebuilt(service.dataDir);
    const histories = await Promise.all(scene.people.map((person) => readHistory(service, scene, person)));
    assert.equal(new Set(histories).size, 1, 'all have the same data');
    scene.histories[index] = histories[0] ?? '';
  }
  assert.equal(new Set(scene.histories).size, CHANGES.length, 'each change is seen');
}

function pathOf({ id }: Person): string {
  return `/v1/users/${id}/consolidation`;
}

async function readHistory(service: ReadyService, { key }: Scene, { id }: Person): Promise<string | null> {
  const answer = await apiOf(service, key).get(`/v1/users/${id}/daily?types=${READ}&${HISTORY}`);
  if (answer.status === 200) return JSON.stringify(answer.body.series);
  assert.ok([429, 503].includes(answer.status), answer.text);
  return null;
}

async function awaitRebuilt(dataDir: string): Promise<void> {
  await waitFor('no rebuild is left', SETTLE_MS, async () => {
    const [row] = await queryEmbedded<{ left: number }>(dataDir, COUNT_REBUILDS);
    return row?.left === 0;
  });
}

const COUNT_REBUILDS = `select count(*)::int as left from graphile_worker.jobs where task_identifier = 'rebuild_user'`;

/** Those of the worker that was killed: it is not given back yet. */
async function countLostRebuilds(dataDir: string): Promise<number> {
  const [row] = await queryEmbedded<{ left: number }>(dataDir, `${COUNT_REBUILDS} and locked_at is not null`);
  return row?.left ?? 0;
}

/** Settings change, phones upload and readers read until the service is killed; every second time with its database. */
async function killUnderLoad(service: ReadyService, scene: Scene, round: number): Promise<void> {
  const { people, random } = scene;
  const untilKilled = async (work: () => Promise<unknown>, restMs: () => number) => {
    while (!service.hasExited()) {
      await work().catch(forgiveLostConnection);
      await delay(restMs());
    }
  };
  const loads = people.flatMap((person) => [
    untilKilled(
      () => change(service, scene, person),
      () => random.integer(0, 900),
    ),
    untilKilled(
      () => upload(service, person),
      () => 40,
    ),
    untilKilled(
      () => lookAt(service, scene, person),
      () => 15,
    ),
  ]);
  loads.push(
    untilKilled(
      () => readPage(service, scene),
      () => 20,
    ),
  );
  // By chance, or in the first moments of a rebuild: they are short.
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

async function change(service: ReadyService, { key, random }: Scene, person: Person): Promise<void> {
  const next = (person.stored + random.integer(1, CHANGES.length - 1)) % CHANGES.length;
  person.lost.add(next);
  person.changes += 1;
  const answer = await apiOf(service, key).patch(pathOf(person), CHANGES[next]);
  assert.ok(answer.status < 300 || [429, 503].includes(answer.status), answer.text);
  if (answer.status >= 300) return;
  person.stored = next;
  person.lost.clear();
}

/** Each is of another hour after the history, so that each changes something. */
async function upload(service: ReadyService, person: Person): Promise<void> {
  const start = new Date(FIRST_DAY_MS + DAYS * DAY_MS + person.asked++ * 3_600_000).toISOString();
  const body = { upload_id: randomUUID(), source: SOURCES[0], samples: [{ metric: 'heart_rate', start, value: 60 }] };
  const answer = await createApi(service.url, person.token).post('/v1/sdk/uploads', body);
  if (answer.status === 200) person.acknowledged += 1;
  else assert.ok([429, 503].includes(answer.status), answer.text);
}

async function lookAt(service: ReadyService, scene: Scene, person: Person): Promise<void> {
  const history = await readHistory(service, scene, person);
  if (history === null) return;
  const position = scene.histories.indexOf(history);
  assert.ok(position >= 0, 'a history that none of the settings makes');
  if (position !== person.seen) person.turns += 1;
  person.seen = position;
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

/** What was answered is there; a change whose answer was lost may be. */
async function verifySettings(service: ReadyService, key: string, person: Person): Promise<void> {
  const answer = await apiOf(service, key).get(pathOf(person));
  assert.equal(answer.status, 200, answer.text);
  const isStored = (index: number) => isDeepIn(CHANGES[index] as JsonBody, answer.body);
  const found = [person.stored, ...person.lost].find(isStored);
  assert.ok(found !== undefined, `neither ${person.stored} nor one of ${[...person.lost]}: ${answer.text}`);
  person.stored = found;
  person.lost.clear();
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

/** The chosen days are taken away and made again, of everything that is stored, in a transaction that is taken back. */
async function verifyAgainstNothing(dataDir: string, { people }: Scene): Promise<void> {
  const db = createDatabase({ maxConnections: 1, log: createLogger('silent') });
  db.attach({ host: join(await homeOf(dataDir), 'socket'), port: 5432, user: 'tributary', database: 'tributary' });
  try {
    for (const { id } of people) {
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
        assert.ok(before.length >= 12 * 3, 'a year of both devices and of what was chosen');
        await tx.query('delete from daily_months where user_id = $1', [id]);
        await rebuildUser(tx, locked.handle, new Date());
        assertSameState(await readDays(tx, id), before);
      });
    }
  } finally {
    await db.close();
  }
}

/** Without what scoring adds to the chosen days: a rebuild leaves it alone. */
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

/** None is lost, none comes twice; a change of days that was seen has its event, and no more have than were asked for. */
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
  assertSameState(scene.reader.seen, feed, 'the reader saw what is there, in its order');
  assert.equal(new Set(feed.map(({ event_id }) => event_id)).size, feed.length, 'none twice');
  for (const { id, asked, acknowledged, changes, turns } of scene.people) {
    const count = (type: string) =>
      feed.filter(({ user_id, event_type }) => user_id === id && event_type === type).length;
    // What scoring computes for the days has an event without a device.
    const ofDevices = feed.filter(({ user_id, device_id }) => user_id === id && device_id !== null);
    const updates = ofDevices.filter(({ event_type }) => event_type === 'data.updated').length;
    const first = SOURCES.length; // of the history
    assert.ok(updates >= acknowledged + first && updates <= asked + first, `${updates} of ${acknowledged}`);
    const synced = count('subject.synced');
    assert.ok(synced >= turns && synced <= changes, `${synced} of ${turns} turns and ${changes} changes`);
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
