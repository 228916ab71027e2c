// Workouts with a recording (Wahoo, Suunto): fetched one by one, kept without positions unless the account keeps routes, not fetched again
// while they are unchanged, and deleted when a list no longer has them.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { unpack } from '../../src/platform/zstd.ts';
import { writeFitRecording } from '../../src/simulator/write-fit-recording.ts';
import { assertEvery } from '../support/assert-every.ts';
import { type Connected, openTestCloud } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '30' });
const { stub, clock } = cloud;

type Run = { readonly id: string; readonly at: string; readonly meters: number };
const SECONDS = 1_800;
let runs: Run[] = [];
const run = (id: string, at: string): Run => ({ id, at, meters: 5_000 });
const FILE = { 'content-type': 'application/octet-stream' };

function answerFile(id: string) {
  const found = runs.find((one) => one.id === id);
  if (found === undefined) return { status: 404 };
  const startMs = Date.parse(found.at);
  const times = { startMs, endMs: startMs + SECONDS * 1_000 };
  return { headers: FILE, text: writeFitRecording({ ...times, sport: 1, meters: found.meters, bpmAt: () => 140 }) };
}

function answerOne(id: string, write: (run: Run) => unknown) {
  const found = runs.find((one) => one.id === id);
  return found === undefined ? { status: 404, json: {} } : { json: write(found) };
}

const newestFirst = () => runs.toSorted((one, other) => other.at.localeCompare(one.at));

const asWahoo = ({ id, at, meters }: Run) => ({
  id: Number(id),
  starts: at,
  name: 'Run',
  workout_type_id: 1,
  workout_summary: {
    duration_total_accum: String(SECONDS),
    distance_accum: String(meters),
    file: { url: `https://cdn.wahooligan.com/uploads/${id}.fit` },
  },
});

const asSuunto = ({ id, at, meters }: Run) => ({
  workoutKey: id,
  activityId: 1,
  startTime: Date.parse(at),
  stopTime: Date.parse(at) + SECONDS * 1_000,
  totalTime: SECONDS,
  totalDistance: meters,
  startPosition: { x: 48.1234, y: 2.5678 },
});

const PROVIDERS = [
  {
    provider: 'wahoo',
    list: '/wahoo/v1/workouts',
    isDetail: (path: string) => /\/v1\/workouts\/|\/uploads\//.test(path),
    prepare() {
      stub.answer('/wahoo/v1/workouts', ({ path }) => {
        const [, id] = /\/workouts\/(\w+)$/.exec(path) ?? [];
        if (id !== undefined) return answerOne(id, asWahoo);
        return { json: { workouts: newestFirst().map(asWahoo), total: runs.length, page: 1, per_page: 30 } };
      });
      stub.answer('/wahoo/uploads/', ({ path }) => answerFile(/(\w+)\.fit$/.exec(path)?.[1] ?? ''));
    },
  },
  {
    provider: 'suunto',
    list: '/suunto/v3/workouts',
    isDetail: (path: string) => /\/v3\/workouts\/./.test(path),
    prepare() {
      stub.answer('/suunto/247samples/', { json: [] });
      stub.answer('/suunto/v3/workouts', ({ path, query }) => {
        const [, id, isFile] = /\/workouts\/(\w+)(\/fit)?$/.exec(path) ?? [];
        if (id !== undefined) return isFile ? answerFile(id) : answerOne(id, (one) => ({ payload: asSuunto(one) }));
        const found = newestFirst().filter(({ at }) => Date.parse(at) >= Number(query.get('since')));
        return { json: { error: null, payload: found.map(asSuunto) } };
      });
    },
  },
] as const;

const readStored = ({ user }: Connected) =>
  cloud.query<{ key: string; traced: boolean; km: number }>(
    `select key, trace is not null as traced, (record->>'distanceKm')::float8 as km
       from workouts where user_id = $1 order by key`,
    [user.userId],
  );
const countRoutes = async ({ user }: Connected) =>
  (await cloud.query('select 1 from workout_routes where user_id = $1', [user.userId])).length;

async function poll(): Promise<void> {
  stub.requests.length = 0;
  clock.advance(HOUR_MS);
  await cloud.runDue();
}

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_accounts', 'provider_budgets'])
    await cloud.query(`delete from ${table}`);
});

for (const { provider, list, isDetail, prepare } of PROVIDERS)
  describe(`workouts of ${provider}`, () => {
    const countDetails = () => stub.requests.filter(({ path }) => isDetail(path)).length;
    const connect = async (keepsRoutes = false) => {
      runs = [run('1', '2026-02-20T06:00:00Z'), run('2', '2026-02-28T06:00:00Z')];
      prepare();
      const connected = await cloud.connect(provider);
      await cloud.query('update accounts set keep_routes = $2 where id = $1', [
        connected.user.tenant.accountId,
        keepsRoutes,
      ]);
      await cloud.runDue();
      return connected;
    };

    it('have heart rates, and no positions anywhere unless the account keeps routes', async () => {
      const connected = await connect();
      assert.deepEqual(
        (await readStored(connected)).map(({ key, traced }) => [key, traced]),
        [
          ['1', true],
          ['2', true],
        ],
      );
      assert.equal(await countRoutes(connected), 0);
      const raw = await cloud.query<{ payload: Buffer; context: { parts: { isFile?: true }[] } }>(
        'select payload, context from raw_payloads where user_id = $1',
        [connected.user.userId],
      );
      assert.ok(raw.length > 0);
      for (const { payload, context } of raw) {
        assert.doesNotMatch(Buffer.from(await unpack(payload)).toString('latin1'), /48\.1234|\.FIT/);
        assertEvery(context.parts, ({ isFile }) => isFile === undefined);
      }
    });

    it('have routes and laps if it does', async () => {
      const connected = await connect(true);
      assert.equal(await countRoutes(connected), 2);
    });

    it('are fetched again by a poll only if they changed', async () => {
      const connected = await connect();
      await poll();
      assert.ok(stub.at(list).length > 0);
      assert.equal(countDetails(), 0);
      runs = runs.map((one) => (one.id === '2' ? { ...one, meters: 8_000 } : one));
      await poll();
      assert.equal(countDetails(), 2);
      assert.deepEqual(
        (await readStored(connected)).map(({ km, traced }) => [km, traced]),
        [
          [5, true],
          [8, true],
        ],
      );
    });

    it('are deleted by a poll that no longer finds them, but not because a list fails', async () => {
      const connected = await connect();
      const keys = async () => (await readStored(connected)).map(({ key }) => key);
      stub.answer(list, { status: 404 });
      await poll();
      assert.deepEqual(await keys(), ['1', '2']);
      prepare();
      runs = runs.filter(({ id }) => id === '1');
      await poll();
      assert.deepEqual(await keys(), ['1']);
    });
  });
