// Any order, split or repetition of uploads gives the same result as a rebuild from the normalized layer.

import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { assertSameState } from '../../../../test/support/assert-same-state.ts';
import { type History, type HistoryItem, historyArbitrary } from '../../../../test/support/generate-history.ts';
import {
  atAnyTime,
  inManyPieces,
  inOnePiece,
  type Piece,
  type TimedPiece,
} from '../../../../test/support/split-history.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import { traceFrom, workoutAt } from '../../../../test/support/test-sessions.ts';
import { CONSOLIDATION_KEYS } from '../../../domain/consolidate/consolidation-keys.ts';
import type { ConsolidationSettings } from '../../../domain/consolidate/consolidation-rules.ts';
import { type MetricId, metricIdOf } from '../../../domain/metrics/index.ts';
import { dateOf, type MonthSheet } from '../../../domain/packed/month-sheets/index.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import { type DayInputs, NOTHING as NOTHING_OF_DAY, nameHrvSeries } from '../../../domain/scores/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { listStoredMonths, loadDailySheets, readDeviceMonths } from '../../store/daily-store/index.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import { inspectBlock } from '../../store/samples/index.ts';
import { lockUser, saveConsolidation, type UserHandle } from '../../tenancy/user-core/index.ts';
import { queueEveryDay, readScoredDays, saveHiddenInputs, scoreQueuedDays } from '../scoring/index.ts';
import type { Deletion } from './batch.ts';
import { ingest, rebuildUser, removeDeviceData } from './index.ts';

const HISTORIES = Number(process.env.FAULT_ROUNDS ?? (process.env.FAULT_LONG === '1' ? 5_000 : 50));
/** Four of ten have such a night, so fewer histories may have none by chance. */
const ENOUGH_HISTORIES = 50;
const SEED = process.env.FAULT_SEED === undefined ? undefined : Number(process.env.FAULT_SEED);
const REMOVALS = Math.ceil(HISTORIES / 6);
const REBUILDS = Math.ceil(HISTORIES / 6);
const ZONES = [null, 'Pacific/Kiritimati', 'America/St_Johns', 'Pacific/Pago_Pago', 'Asia/Kathmandu'] as const;
const PROVIDERS = ['apple_health', 'health_connect', 'samsung_health'] as const;
const NOW = new Date('2026-04-15T12:00:00Z');

const db = await openTestDatabase({ after });

/** Devices exist before the first upload, because the time of connection does not depend on the order of uploads. */
async function createPerson({ timezone, from, devices }: History): Promise<UserHandle> {
  const user = await createTestUser(db, timezone);
  const ids = devices.map(() => newId<string>()).sort();
  for (const [index, { deviceClass, connectedAt }] of devices.entries()) {
    await db.query(
      `insert into devices (user_id, id, number, provider, status, transport, device_class, created_at, connected_at)
       values ($1, $2, $3, $6, 'active', 'sdk', $4, $5, $5)`,
      [user.userId, ids[index], index + 1, deviceClass, connectedAt, PROVIDERS[index % PROVIDERS.length]],
    );
  }
  await setProfile(user, { birth_date: '1950-01-01' }); // the age formula gives less than the highest generated heart rates
  await db.transaction((tx) => saveHiddenInputs(tx, user, hiddenDaysBefore(from)));
  return user;
}

/** Enough days for baselines, so that every day can affect later days. */
function hiddenDaysBefore(from: LocalDate): Map<LocalDate, DayInputs> {
  return new Map(
    Array.from({ length: 20 }, (_, days) => [
      addDays(from, -days - 1),
      {
        ...NOTHING_OF_DAY,
        values: {
          resting_heart_rate: 55 + (days % 3),
          sleep_respiratory_rate: 14 + (days % 2),
          asleep: 420 + 10 * (days % 5),
          sleep_midpoint: 180 + 7 * (days % 6),
        },
        mainSleep: { asleep: 420, inBed: 480, awake: 20, deep: 80, rem: 90, wokeAt: 0 as EpochMs },
        sleepIntervals: [[-60 + 7 * (days % 6), 420 + 7 * (days % 6)]],
        hrv: [1, 2, 3].map((device) => ({
          series: nameHrvSeries('sleep_rmssd', device as DeviceNumber),
          ms: 50 + (days % 7),
        })),
        still: [[days, 70 + (days % 4), 40]],
        carried: { strain: 40 + (days % 6), energyReserve: 50 },
      },
    ]),
  );
}

/** Like an upload: one transaction, with the current state of the user. */
function asUpload<Result>(
  user: UserHandle,
  work: (tx: Transaction, locked: UserHandle) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const locked = await lockUser(tx, user.tenant, user.userId);
    assert.ok(locked);
    return work(tx, locked.handle);
  });
}

async function uploadAll(
  user: UserHandle,
  pieces: readonly Piece[],
  scoreEvery = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index % scoreEvery === scoreEvery - 1) await score(user, NOW);
    await upload(user, piece, NOW);
  }
}

async function uploadInTime(user: UserHandle, pieces: readonly TimedPiece[]): Promise<void> {
  for (const { arrivesAt, scoredAt, ...piece } of pieces) {
    await upload(user, piece, arrivesAt);
    if (scoredAt !== null) await score(user, scoredAt);
  }
}

function upload(user: UserHandle, { device: index, batch }: Piece, now: Date): Promise<void> {
  return asUpload(user, async (tx, locked) => {
    const devices = await listSourceDevices(tx, locked);
    const device = devices[index];
    assert.ok(device);
    await ingest(tx, locked, { device, devices }, batch, now);
  });
}

function score(user: UserHandle, now: Date): Promise<void> {
  return asUpload(user, (tx, locked) => scoreQueuedDays(tx, locked, now));
}

const providersOff = fc.subarray([...PROVIDERS], { maxLength: 1 });
const settingsArbitrary: fc.Arbitrary<ConsolidationSettings> = fc.record({
  providersOff,
  metrics: fc
    .array(
      fc
        .constantFrom(...CONSOLIDATION_KEYS.filter(({ category }) => category !== 'nutrition'))
        .chain(({ key, allowedMethods }) =>
          fc.tuple(
            fc.constant(key),
            fc.record({ method: fc.option(fc.constantFrom(...allowedMethods)), providersOff }),
          ),
        ),
      { minLength: 5, maxLength: 40 },
    )
    .map((entries) => Object.fromEntries(entries)),
});

function saveSettings(user: UserHandle, settings: ConsolidationSettings): Promise<void> {
  return asUpload(user, (tx, locked) => saveConsolidation(tx, locked, settings));
}

function reverseClasses(history: History): History {
  const classes = history.devices.map(({ deviceClass }) => deviceClass).reverse();
  const devices = history.devices.map((device, at) => ({ ...device, deviceClass: classes[at] ?? device.deviceClass }));
  return { ...history, devices };
}

async function setClasses(user: UserHandle, { devices }: History): Promise<void> {
  for (const [at, { deviceClass }] of devices.entries())
    await db.query('update devices set device_class = $3 where user_id = $1 and number = $2', [
      user.userId,
      at + 1,
      deviceClass,
    ]);
}

/** The zones of workouts depend on it. */
async function setProfile(user: UserHandle, profile: object): Promise<void> {
  await db.query('update users set profile = $2 where id = $1', [user.userId, profile]);
}

type SessionRow = { device: number; key: string; original: string | null; trace: string | null };
type BlockRow = { metric: number; block: number; device: number; payload: Buffer };

type State = { readonly scores: readonly object[]; readonly daily: readonly string[] } & object;

/** All stored data of a user except ids, revisions and times of computation: devices by number, sessions by device and key. */
async function readState(user: UserHandle): Promise<State> {
  return asUpload(user, async (tx, locked) => {
    await scoreQueuedDays(tx, locked, NOW);
    const months = await listStoredMonths(tx, user);
    const blocks = await tx.query<BlockRow>(
      `select metric, block, device, min, max, sum, count, first_ms, last_ms, reach_seconds, payload from sample_blocks
        where user_id = $1 order by metric, block, device`,
      [user.userId],
    );
    return {
      inputs: await tx.query('select date::text as date, inputs from score_inputs where user_id = $1 order by date', [
        user.userId,
      ]),
      scores: await readScores(tx, user),
      daily: [...(await loadDailySheets(tx, user, months))].flatMap(([month, sheet]) => listCells(month, sheet)),
      deviceValues: [...(await readDeviceMonths(tx, user, months))].flatMap(([month, sheets]) =>
        [...sheets].flatMap(([device, sheet]) => listCells(month, sheet).map((cell) => `device ${device}: ${cell}`)),
      ),
      sleeps: await readSessions(tx, user, 'sleep_sessions', 's.is_main'),
      workouts: await readSessions(tx, user, 'workouts', `encode(s.trace, 'hex') as trace`),
      maxima: await tx.query(
        'select date::text as date, bpm from observed_max_heart_rates where user_id = $1 order by date',
        [user.userId],
      ),
      blocks: blocks.map(({ payload, ...row }) => {
        const { runs, samples } = inspectBlock(payload);
        return { ...row, metric: metricIdOf(row.metric), runs, samples };
      }),
    };
  });
}

/** With explanations, but without the time of the run. */
async function readScores(tx: Transaction, user: UserHandle): Promise<object[]> {
  const days = await readScoredDays(tx, user, '2000-01-01' as LocalDate, '2100-01-01' as LocalDate);
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, { scores, stressSeries }]) => ({
      date,
      stressSeries,
      scores: Object.fromEntries([...scores].map(([type, { computedAt: _, ...score }]) => [type, score])),
    }));
}

function listCells(month: Parameters<typeof dateOf>[0], sheet: MonthSheet): string[] {
  return sheet
    .metrics()
    .flatMap((metric) =>
      [...sheet.cells(metric)].map(
        ([day, { value, note }]) => `${metricIdOf(metric)} ${dateOf(month, day)} = ${value} (${note})`,
      ),
    );
}

function readSessions(
  tx: Transaction,
  user: UserHandle,
  table: 'sleep_sessions' | 'workouts',
  columns: string,
): Promise<SessionRow[]> {
  return tx.query<SessionRow>(
    `select s.device, s.key, s.start_at, s.end_at, s.date::text as date, s.record, o.device || '/' || o.key as original, ${columns}
       from ${table} s left join ${table} o on o.user_id = s.user_id and o.id = s.duplicate_of
      where s.user_id = $1 order by s.device, s.key`,
    [user.userId],
  );
}

async function rebuildChangesNothing(user: UserHandle, state: object): Promise<void> {
  const changed = await asUpload(user, (tx, locked) => rebuildUser(tx, locked, NOW));
  assertSameState(await readState(user), state, 'a rebuild ends where the uploads ended');
  assert.deepEqual([...changed], [], 'and says so');
}

/** Shrinking a history takes minutes; a build prints the seed instead. */
function drawn(t: TestContext, histories: number): fc.Parameters<unknown> {
  t.diagnostic(`${histories} histories`);
  return {
    numRuns: histories,
    endOnFailure: process.env.FAULT_LONG !== '1',
    ...(SEED !== undefined && { seed: SEED }),
  };
}

describe('the canonical layer', () => {
  it('depends only on the final records, for any order, split and repetition of uploads', async (t) => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, fc.nat(), async (history, seed) => {
        const whole = await createPerson(history);
        const split = await createPerson(history);
        await Promise.all([uploadAll(whole, inOnePiece(history)), uploadAll(split, inManyPieces(history, seed), 5)]);
        const state = await readState(whole);
        assertSameState(await readState(split), state, 'in many pieces as in one');
        await Promise.all([rebuildChangesNothing(split, state), rebuildChangesNothing(whole, state)]);
      }),
      drawn(t, HISTORIES),
    );
  });

  it('is the same if scoring runs at any time in between, even before a night that began on the scored day arrives', async (t) => {
    const nights = { beforeMidnight: 0, scored: 0 };
    await fc.assert(
      fc.asyncProperty(historyArbitrary, fc.nat(), async (history, seed) => {
        const [whole, live] = [await createPerson(history), await createPerson(history)];
        const beginsMs = Date.parse(addDays(history.from, 10));
        const pieces = atAnyTime(inManyPieces(history, seed), beginsMs, LIVED_MS, seed);
        await Promise.all([uploadAll(whole, inOnePiece(history)), uploadInTime(live, pieces)]);
        const state = await readState(whole);
        assertSameState(await readState(live), state, 'scored in between as scored at the end');
        countNights(nights, history, state);
      }),
      drawn(t, HISTORIES),
    );
    if (HISTORIES < ENOUGH_HISTORIES) return;
    assert.ok(nights.beforeMidnight >= HISTORIES / 10, 'nights that begin before midnight are drawn');
    assert.ok(nights.scored >= HISTORIES / 10, 'and days with scores');
  });

  it('is the same for any order of zeros, counts and heart rates around a midnight within a UTC hour', async () => {
    for (const { parts, expected } of WORN_SIDES) {
      const states: object[] = [];
      for (const order of listOrders(parts)) {
        const user = await createPerson(SPLIT_HOUR);
        await uploadAll(user, order, 1);
        const state = await readState(user);
        assert.deepEqual(
          state.daily.filter((cell) => cell.startsWith('steps ')).map((cell) => cell.replace(/ \(.*/, '')),
          expected,
        );
        if (states.length === 0) await rebuildChangesNothing(user, state);
        states.push(state);
      }
      assert.ok(states.length >= 6);
      for (const state of states) assertSameState(state, states[0]);
    }
  });

  it('is the same after a rebuild with another time zone, other device classes and another profile as if they had always been set', async (t) => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, fc.nat(), fc.constantFrom(...ZONES), async (history, seed, timezone) => {
        const moved: History = { ...reverseClasses(history), timezone };
        const always = await createPerson(moved);
        await setProfile(always, { max_heart_rate: 171 });
        await uploadAll(always, inOnePiece(moved));
        const user = await createPerson(history);
        await uploadAll(user, inManyPieces(history, seed), 7);
        await setProfile(user, { max_heart_rate: 171 });
        await db.query('update user_zones set zone = $2 where user_id = $1', [user.userId, timezone]);
        await setClasses(user, moved);
        await asUpload(user, async (tx, locked) => {
          await rebuildUser(tx, locked, NOW);
          await queueEveryDay(tx, locked, NOW);
        });
        assertSameState(await readState(user), await readState(always));
      }),
      drawn(t, REBUILDS),
    );
  });

  it('is the same after a rebuild of scope choice with other settings and device classes as if they had always been set', async (t) => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, fc.nat(), settingsArbitrary, async (history, seed, settings) => {
        const moved = reverseClasses(history);
        const always = await createPerson(moved);
        await saveSettings(always, settings);
        await uploadAll(always, inManyPieces(moved, seed));
        const user = await createPerson(history);
        await uploadAll(user, inOnePiece(history));
        await score(user, NOW);
        await saveSettings(user, settings);
        await setClasses(user, moved);
        await asUpload(user, async (tx, locked) => {
          await rebuildUser(tx, locked, NOW, 'choice');
          await queueEveryDay(tx, locked, NOW);
        });
        const state = await readState(user);
        assertSameState(await readState(always), state);
        await Promise.all([rebuildChangesNothing(always, state), rebuildChangesNothing(user, state)]);
      }),
      drawn(t, REBUILDS),
    );
  });

  it('is the same after the removal of a device as if it had never existed', async (t) => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, fc.nat(), async (history, seed) => {
        const gone = history.devices.length - 1;
        const without = { ...history, devices: history.devices.map((one, at) => (at === gone ? NOTHING(one) : one)) };
        const other = await createPerson(without);
        await uploadAll(other, inOnePiece(without));
        const user = await createPerson(history);
        await uploadAll(user, inManyPieces(history, seed));
        await score(user, NOW);
        await asUpload(user, async (tx, locked) => {
          const device = (await listSourceDevices(tx, locked))[gone];
          assert.ok(device);
          await removeDeviceData(tx, locked, device, NOW);
        });
        assertSameState(await readState(user), await readState(other));
      }),
      drawn(t, REMOVALS),
    );
  });
});

describe('a long sample across midnight', () => {
  it('counts whole again on both days when the only other device is removed', async () => {
    const evening = Date.parse('2026-03-09T16:30:00Z'); // two hours before midnight in the zone of SPLIT_HOUR
    const toItem = (start: number, hours: number, value: number): HistoryItem => ({
      kind: 'sample',
      metric: 'steps' as MetricId,
      sample: {
        start: start as EpochMs,
        end: (start + hours * HOUR_MS) as EpochMs,
        value,
        unit: 'count',
        offsetMinutes: 330,
        method: 'automatic',
      },
    });
    const items = [[toItem(evening, 4, 1_000)], [toItem(evening, 1, 600)]];
    const history = {
      ...SPLIT_HOUR,
      devices: SPLIT_HOUR.devices.map((one, at) => ({ ...one, items: items[at] ?? [] })),
    };
    const user = await createPerson(history);
    await uploadAll(user, inOnePiece(history));
    const readSteps = async () =>
      (await readState(user)).daily
        .filter((cell) => cell.startsWith('steps '))
        .map((cell) => cell.replace(/ \(.*/, ''));
    assert.deepEqual(await readSteps(), [
      'steps 2026-03-09 = 733.3333333333334',
      'steps 2026-03-10 = 266.6666666666667',
    ]);
    await asUpload(user, async (tx, locked) => {
      const phone = (await listSourceDevices(tx, locked))[1];
      assert.ok(phone);
      await removeDeviceData(tx, locked, phone, NOW);
    });
    assert.deepEqual(await readSteps(), ['steps 2026-03-09 = 500', 'steps 2026-03-10 = 500']);
  });
});

describe('days of a long history', () => {
  it('are the same after one deletion over years as after deletions of each day, with one event and the same counts', async () => {
    const [atOnce, byDay] = [await createPerson(LONG_HISTORY), await createPerson(LONG_HISTORY)];
    for (const user of [atOnce, byDay]) await uploadAll(user, inOnePiece(LONG_HISTORY));
    const events = await countEvents(atOnce);
    const { deleted, largestRead } = await removeAndWatch(atOnce, LONG_DELETIONS);
    assert.equal(await countEvents(atOnce), events + 1);
    assert.equal(deleted, LONG_DELETIONS.length * LONG_DAYS.length);
    assert.ok(largestRead > 0 && largestRead <= MOST_BLOCKS, `read ${largestRead} blocks at once`);
    let deletedByDay = 0;
    for (const dayMs of LONG_DAYS) {
      const ofDay = LONG_DELETIONS.map((deletion) => ({ ...deletion, start: dayMs, end: (dayMs + DAY_MS) as EpochMs }));
      deletedByDay += (await removeAndWatch(byDay, ofDay)).deleted;
    }
    assert.equal(deletedByDay, deleted);
    const state = await readState(byDay);
    assertSameState(await readState(atOnce), state);
    await rebuildChangesNothing(atOnce, state);
  });

  it('are read a few at a time when a device is removed', async () => {
    const user = await createPerson(LONG_HISTORY);
    await uploadAll(user, inOnePiece(LONG_HISTORY));
    const largestRead = await asUpload(user, async (tx, locked) => {
      const watched = watchReads(tx);
      const device = (await listSourceDevices(tx, locked))[1];
      assert.ok(device);
      await removeDeviceData(watched.tx, locked, device, NOW);
      return watched.largest();
    });
    assert.ok(largestRead > 0 && largestRead <= MOST_BLOCKS / 2, `read ${largestRead} blocks at once`);
  });
});

/** Longer than the generated days, so that scoring runs both before and after data of the following days arrives. */
const LIVED_MS = 6 * DAY_MS;

function countNights(
  nights: { beforeMidnight: number; scored: number },
  { devices, timezone }: History,
  state: { readonly scores: readonly object[] },
): void {
  const zone = createZone(timezone);
  const sleeps = devices.flatMap(({ items }) => items.filter((item) => item.kind === 'sleep'));
  const begins = sleeps.some(({ session: { start, end } }) => zone.dayAt(start).date !== zone.dayAt(end).date);
  if (begins) nights.beforeMidnight += 1;
  if (state.scores.length > 0) nights.scored += 1;
}

/** The day begins at 18:30 UTC: heart rates of the hour from 18:00 count only on their side of midnight. */
const SPLIT_HOUR: History = {
  timezone: 'Asia/Kolkata',
  from: '2026-03-01' as LocalDate,
  to: '2026-03-20' as LocalDate,
  devices: (['wrist', 'phone'] as const).map((deviceClass) => ({
    deviceClass,
    connectedAt: '2026-01-01T00:00:00Z',
    items: [],
    noise: [],
  })),
};
const SPLIT_HOUR_QUARTERS = ['18:00', '18:15', '18:30', '18:45'];

function pieceOfSplitHour(
  device: number,
  metric: string,
  unit: string,
  value: number,
  times: readonly string[],
): Piece {
  const items = times.map((time): HistoryItem => {
    const start = Date.parse(`2026-03-09T${time}:00Z`) as EpochMs;
    const end = (metric === 'steps' ? start + 900_000 : start) as EpochMs;
    const sample = { start, end, value, unit, offsetMinutes: 330, method: 'automatic' as const };
    return { kind: 'sample', metric: metric as MetricId, sample };
  });
  const devices = SPLIT_HOUR.devices.map((one, index) => (index === device ? { ...one, items } : one));
  const piece = inOnePiece({ ...SPLIT_HOUR, devices })[device];
  assert.ok(piece);
  return piece;
}

const WRIST_ZEROS = pieceOfSplitHour(0, 'steps', 'count', 0, SPLIT_HOUR_QUARTERS);
const PHONE_COUNTS = pieceOfSplitHour(1, 'steps', 'count', 300, SPLIT_HOUR_QUARTERS);
const WORN_BEFORE = pieceOfSplitHour(0, 'heart_rate', 'bpm', 60, ['18:10', '18:29']);
const WORN_AFTER = pieceOfSplitHour(0, 'heart_rate', 'bpm', 60, ['18:30', '18:50']);
const WORN_SIDES = [
  { parts: [WRIST_ZEROS, PHONE_COUNTS, WORN_BEFORE], expected: ['steps 2026-03-09 = 0', 'steps 2026-03-10 = 600'] },
  { parts: [WRIST_ZEROS, PHONE_COUNTS, WORN_AFTER], expected: ['steps 2026-03-09 = 600', 'steps 2026-03-10 = 0'] },
  {
    parts: [WRIST_ZEROS, PHONE_COUNTS, WORN_BEFORE, WORN_AFTER],
    expected: ['steps 2026-03-09 = 0', 'steps 2026-03-10 = 0'],
  },
];

function listOrders<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  return list.flatMap((one, index) => listOrders(list.toSpliced(index, 1)).map((rest) => [one, ...rest]));
}

/** Every sixth day of three years. */
const LONG_DAYS = Array.from({ length: 100 }, (_, index) => (Date.UTC(2023, 0, 1) + index * 6 * DAY_MS) as EpochMs);
/** A group has 31 days; each day has two devices with three metrics, in one block each. Half of the blocks belong to one device. */
const MOST_BLOCKS = 31 * 2 * 3;
const LONG_METRICS = [
  { metric: 'steps', unit: 'count', value: 400 },
  { metric: 'resting_heart_rate', unit: 'bpm', value: 50 },
  { metric: 'heart_rate', unit: 'bpm', value: 196 },
].map((one) => ({ ...one, metric: one.metric as MetricId }));

/** The zones of the first device's workouts depend on the resting heart rates and the maximum of both devices. */
const LONG_HISTORY: History = {
  timezone: 'Europe/Berlin',
  from: '2023-01-01' as LocalDate,
  to: '2025-12-31' as LocalDate,
  devices: [0, 1].map((position) => ({
    deviceClass: position === 0 ? 'phone' : 'wrist',
    connectedAt: '2022-12-01T00:00:00Z',
    items: [
      ...LONG_DAYS.flatMap((dayMs, index) => listLongSamples(dayMs, index, position)),
      ...(position === 0 ? LONG_DAYS.map(toWorkoutItem) : []),
    ],
    noise: [],
  })),
};

const LONG_DELETIONS = LONG_METRICS.map(({ metric }) => ({
  kind: 'samples' as const,
  metric,
  start: Date.UTC(1900, 0, 1) as EpochMs,
  end: Date.UTC(2100, 0, 1) as EpochMs,
}));

function listLongSamples(dayMs: number, index: number, position: number): HistoryItem[] {
  return LONG_METRICS.map(({ metric, unit, value }) => ({
    kind: 'sample',
    metric,
    sample: {
      start: (dayMs + 8 * HOUR_MS) as EpochMs,
      end: (dayMs + (metric === 'steps' ? 9 : 8) * HOUR_MS) as EpochMs,
      value: value + ((index * 7) % 11) - position * 6,
      unit,
      offsetMinutes: 60,
      method: 'automatic',
    },
  }));
}

function toWorkoutItem(dayMs: number): HistoryItem {
  const start = dayMs + 16 * HOUR_MS;
  const heartRateSamples = traceFrom(start, [0, 110], [600, 135], [1200, 155], [1800, 172]);
  return { kind: 'workout', session: workoutAt(start, start + 2_400_000, { heartRateSamples }) };
}

function removeAndWatch(
  user: UserHandle,
  deletions: readonly Deletion[],
): Promise<{ deleted: number; largestRead: number }> {
  return asUpload(user, async (tx, locked) => {
    const watched = watchReads(tx);
    const devices = await listSourceDevices(tx, locked);
    const device = devices[1];
    assert.ok(device);
    const batch = { samples: new Map(), daily: [], sleep: [], workouts: [], deletions };
    const { deleted } = await ingest(watched.tx, locked, { device, devices }, batch, NOW);
    return { deleted, largestRead: watched.largest() };
  });
}

/** The largest number of sample blocks that one statement read into memory. */
function watchReads(tx: Transaction): { readonly tx: Transaction; largest(): number } {
  let largest = 0;
  const query: Transaction['query'] = async (requested, values) => {
    const rows = await tx.query<Record<string, unknown>>(requested, values);
    if (typeof requested !== 'string' && requested.name === 'read_sample_blocks_within')
      largest = Math.max(largest, rows.length);
    return rows as never;
  };
  return { tx: { ...tx, query }, largest: () => largest };
}

async function countEvents(user: UserHandle): Promise<number> {
  const rows = await db.query('select 1 as one from event_outbox where user_id = $1', [user.userId]);
  return rows.length;
}

const NOTHING = (device: History['devices'][number]) => ({ ...device, items: [], noise: [] });
