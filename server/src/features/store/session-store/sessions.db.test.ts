import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { assertEvery } from '../../../../test/support/assert-every.ts';
import { runsOf } from '../../../../test/support/property-runs.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import {
  prepareSessions,
  type ReportedSessions,
  sleepAt,
  traceFrom,
  workoutAt,
} from '../../../../test/support/test-sessions.ts';
import type { DeviceClass } from '../../../domain/metrics/index.ts';
import type { EpochMs, SleepSession } from '../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SourceDevice } from '../devices/index.ts';
import {
  type EpochInterval,
  readSleepsOfDates,
  readWorkout,
  readWorkoutsOfDates,
  reconsolidateSessions,
  removeSessions,
  removeSessionsOfDevice,
  type SessionContext,
  storeSessions,
} from './index.ts';

const db = await openTestDatabase({ after });

const BERLIN = createZone('Europe/Berlin');
const MIDNIGHT = BERLIN.dayOf('2026-03-29' as LocalDate).start;
/** Hours after a midnight in Berlin: 22 in the evening, 31 the next morning. */
const at = (hours: number) => MIDNIGHT + hours * HOUR_MS;

const device = (number: number, deviceClass: DeviceClass): SourceDevice => ({
  id: `device-${number}` as DeviceId,
  number: number as DeviceNumber,
  provider: `provider-${number}`,
  deviceClass,
  transport: 'cloud',
  connectedAt: number as EpochMs,
});
const [RING, WATCH, PHONE] = [device(1, 'ring'), device(2, 'wrist'), device(3, 'phone')] as const;
const CONTEXT: SessionContext = { zone: BERLIN, devices: [RING, WATCH, PHONE], isProviderOn: () => true };

const store = (user: UserHandle, { number }: SourceDevice, batch: ReportedSessions) =>
  db.transaction((tx) => storeSessions(tx, user, number, prepareSessions(batch)));
const consolidate = (user: UserHandle, touched: Parameters<typeof reconsolidateSessions>[3], context = CONTEXT) =>
  db.transaction((tx) => reconsolidateSessions(tx, user, context, touched));
async function report(user: UserHandle, from: SourceDevice, batch: ReportedSessions, atOnce?: number) {
  const { touchedSleep: sleep, touchedWorkouts: workouts } = await store(user, from, batch);
  return db.transaction((tx) => reconsolidateSessions(tx, user, CONTEXT, { sleep, workouts }, atOnce));
}

type Row = { name: string; duplicate_of: string | null; is_main: boolean; date: string };
/** By device and key, as ids are new every time. */
async function flagsOf(user: UserHandle, table: 'sleep_sessions' | 'workouts'): Promise<Row[]> {
  const isMain = table === 'workouts' ? 'false' : 's.is_main';
  return db.query<Row>(
    `select s.device || '/' || s.key as name, o.device || '/' || o.key as duplicate_of, ${isMain} as is_main, s.date::text as date
       from ${table} s left join ${table} o on o.user_id = s.user_id and o.id = s.duplicate_of
      where s.user_id = $1 order by 1`,
    [user.userId],
  );
}
const canonicalOf = async (user: UserHandle) =>
  (await flagsOf(user, 'sleep_sessions')).filter(({ duplicate_of }) => duplicate_of === null).map(({ name }) => name);
const versionsOf = (user: UserHandle) =>
  db.query<{ xmin: string }>(
    'select xmin::text from sleep_sessions where user_id = $1 union all select xmin::text from workouts where user_id = $1',
    [user.userId],
  );

describe('storing sessions', () => {
  it('adds new sessions and writes nothing for equal ones', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    const run = workoutAt(at(10), at(11), { heartRateSamples: traceFrom(at(10), [0, 120], [9.5, 133.3]) });
    const batch = { sleep: [sleepAt(at(22), at(30), { asleepMinutes: -0 })], workouts: [run] };
    const first = await store(user, RING, batch);
    assert.deepEqual([first.added, first.replaced, first.equal, first.deleted], [2, 0, 0, 0]);
    assert.deepEqual(first.touchedSleep, [{ start: at(22), end: at(30) }]);
    assert.deepEqual(first.touchedWorkouts, [{ start: at(10), end: at(11) }]);
    const before = await versionsOf(user);
    const again = await store(user, RING, batch);
    assert.deepEqual(again, {
      added: 0,
      replaced: 0,
      equal: 2,
      deleted: 0,
      moved: 0,
      refusedSleep: 0,
      refusedWorkouts: 0,
      droppedRoutes: 0,
      touchedSleep: [],
      touchedWorkouts: [],
    });
    assert.deepEqual(await versionsOf(user), before);
  });

  it('replaces a changed session, keeps its id, and returns its old and new interval', async () => {
    const user = await createTestUser(db);
    await store(user, RING, { sleep: [sleepAt(at(22), at(30), { key: 'a' })], workouts: [workoutAt(at(1), at(2))] });
    const [before] = await db.query<{ id: string }>('select id from sleep_sessions where user_id = $1', [user.userId]);
    const moved = await store(user, RING, { sleep: [sleepAt(at(21), at(29), { key: 'a' })] });
    assert.deepEqual([moved.replaced, moved.added], [1, 0]);
    assert.deepEqual(moved.touchedSleep, [
      { start: at(22), end: at(30) },
      { start: at(21), end: at(29) },
    ]);
    const rows = await db.query<{ id: string }>('select id from sleep_sessions where user_id = $1', [user.userId]);
    assert.deepEqual(rows, [before]);
    const traced = workoutAt(at(1), at(2), { heartRateSamples: traceFrom(at(1), [0, 100]) });
    assert.equal((await store(user, RING, { workouts: [traced] })).replaced, 1, 'only the trace is new');
    const otherTrace = { ...traced, heartRateSamples: traceFrom(at(1), [1, 100]) };
    assert.equal((await store(user, RING, { workouts: [otherTrace] })).replaced, 1);
  });

  it('rejects the 201st session of a UTC day from any device, and one that moves to a full day', async () => {
    const user = await createTestUser(db);
    const [day, other] = [Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 3)];
    const many = (count: number, name: string, startMs = day) =>
      Array.from({ length: count }, (_, i) =>
        workoutAt(startMs + i * MINUTE_MS, startMs + HOUR_MS * 2, { key: `${name}${i}` }),
      );
    const outcome = ({ added, replaced, equal, refusedWorkouts }: Awaited<ReturnType<typeof store>>) => [
      added,
      replaced,
      equal,
      refusedWorkouts,
    ];
    assert.deepEqual(outcome(await store(user, RING, { workouts: many(150, 'a') })), [150, 0, 0, 0]);
    assert.deepEqual(outcome(await store(user, WATCH, { workouts: many(60, 'b') })), [50, 0, 0, 10]);
    assert.deepEqual(outcome(await store(user, WATCH, { workouts: many(60, 'b') })), [0, 0, 50, 10], 'sent again');
    assert.deepEqual(outcome(await store(user, RING, { workouts: many(1, 'c', other) })), [1, 0, 0, 0]);
    assert.deepEqual(outcome(await store(user, RING, { workouts: many(1, 'c') })), [0, 0, 0, 1], 'moved');
    const later = workoutAt(day + HOUR_MS, day + 3 * HOUR_MS, { key: 'a0' });
    assert.deepEqual(outcome(await store(user, RING, { workouts: [later] })), [0, 1, 0, 0], 'stays on its day');
    assert.equal((await store(user, RING, { deletedWorkouts: ['a1'] })).deleted, 1);
    assert.deepEqual(outcome(await store(user, RING, { workouts: many(2, 'd') })), [1, 0, 0, 1], 'room again');
    assert.equal((await store(user, RING, { sleep: [sleepAt(day, day + HOUR_MS)] })).added, 1, 'counted apart');
  });

  it('stores the same key separately per device, and deletes by key', async () => {
    const user = await createTestUser(db);
    const sleep = sleepAt(at(22), at(30), { key: 'a' });
    for (const from of [RING, WATCH]) assert.equal((await store(user, from, { sleep: [sleep] })).added, 1);
    const gone = await store(user, RING, { deletedSleep: ['a', 'never there'], deletedWorkouts: ['a'] });
    assert.deepEqual([gone.deleted, gone.touchedSleep], [1, [{ start: at(22), end: at(30) }]]);
    assert.deepEqual(await canonicalOf(user), ['2/a']);
  });

  it('keeps the id of a session that is deleted and sent again, and counts it as deleted and replaced', async () => {
    const user = await createTestUser(db);
    const sleep = sleepAt(at(22), at(30), { key: 'a' });
    await store(user, RING, { sleep: [sleep] });
    const [before] = await db.query('select id from sleep_sessions where user_id = $1', [user.userId]);
    const corrected = { ...sleep, heartRate: 50 };
    const answer = await store(user, RING, { sleep: [corrected], deletedSleep: ['a'] });
    assert.deepEqual([answer.deleted, answer.replaced, answer.added, answer.equal], [1, 1, 0, 0]);
    const [after] = await db.query('select id from sleep_sessions where user_id = $1', [user.userId]);
    assert.deepEqual(after, before);
    const same = await store(user, RING, { sleep: [corrected], deletedSleep: ['a'] });
    assert.deepEqual([same.deleted, same.replaced, same.touchedSleep], [1, 1, []]);
  });

  it('returns the stored sessions with their traces', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    const heartRateSamples = traceFrom(at(10), [-0.5, 90], [0, 120], [60, 131.25], [3_600.9, 99]);
    const run = workoutAt(at(10), at(11), { heartRateSamples, distanceKm: 10.01, name: 'Łäuf "1" \\ 🏃' });
    const night = sleepAt(at(22), at(30), {
      stages: [{ stage: 'deep', start: (at(22) + 1) as EpochMs, end: at(23) as EpochMs }],
    });
    await report(user, WATCH, { workouts: [run], sleep: [night] });
    const date = '2026-03-29' as LocalDate;
    const [workout] = (await readWorkoutsOfDates(db, user, [date])).get(date) ?? [];
    assert.deepEqual(workout?.session, { ...run, heartRateSamples: null });
    assert.deepEqual([workout?.device, workout?.duplicateOf, workout?.isMain], [2, null, false]);
    assert.deepEqual((await readWorkout(db, user, workout?.id ?? ''))?.trace, heartRateSamples);
    const next = '2026-03-30' as LocalDate;
    const sleeps = await readSleepsOfDates(db, user, ['2020-01-01' as LocalDate, next, date]);
    assert.deepEqual([...sleeps.keys()], [next]);
    assert.deepEqual([sleeps.get(next)?.[0]?.session, sleeps.get(next)?.[0]?.isMain], [night, true]);
  });

  it('changes nothing for an empty batch', async () => {
    const user = await createTestUser(db);
    const counts = {
      added: 0,
      replaced: 0,
      equal: 0,
      deleted: 0,
      moved: 0,
      refusedSleep: 0,
      refusedWorkouts: 0,
      droppedRoutes: 0,
    };
    assert.deepEqual(await store(user, RING, {}), { ...counts, touchedSleep: [], touchedWorkouts: [] });
    const untouched = await consolidate(user, { sleep: [], workouts: [] });
    assert.deepEqual([untouched.sleepDates.size, untouched.workoutDates.size, untouched.changed], [0, 0, false]);
    assert.equal((await consolidate(user, 'all')).changed, false);
    assert.equal((await readSleepsOfDates(db, user, [])).size, 0);
  });
});

describe('reconsolidating sessions', () => {
  it('links duplicates, and makes them canonical when the canonical session is removed', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    await report(user, WATCH, { sleep: [sleepAt(at(22), at(30), { key: 'w' })] });
    const better = await report(user, RING, { sleep: [sleepAt(at(22.2), at(30.2), { key: 'r' })] });
    assert.deepEqual([...better.sleepDates], ['2026-03-30']);
    assert.equal(better.changed, true);
    assert.deepEqual(await flagsOf(user, 'sleep_sessions'), [
      { name: '1/r', duplicate_of: null, is_main: true, date: '2026-03-30' },
      { name: '2/w', duplicate_of: '1/r', is_main: false, date: '2026-03-30' },
    ]);
    const touched = await db.transaction((tx) => removeSessionsOfDevice(tx, user, RING.number));
    assert.deepEqual(touched, { sleep: [{ start: at(22.2), end: at(30.2) }], workouts: [] });
    const after = await consolidate(user, touched);
    assert.deepEqual([[...after.sleepDates], after.changed], [['2026-03-30'], true]);
    assert.deepEqual(await flagsOf(user, 'sleep_sessions'), [
      { name: '2/w', duplicate_of: null, is_main: true, date: '2026-03-30' },
    ]);
  });

  it('updates the main sleep when a longer sleep arrives, or when parts of a night are joined', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    await report(user, RING, { sleep: [sleepAt(at(24), at(27), { key: 'first' })] });
    await report(user, RING, { sleep: [sleepAt(at(36), at(40), { key: 'nap' })] });
    const mains = async () =>
      (await flagsOf(user, 'sleep_sessions')).filter(({ is_main }) => is_main).map(({ name }) => name);
    assert.deepEqual(await mains(), ['1/nap']);
    const joined = await report(user, RING, { sleep: [sleepAt(at(27.5), at(30), { key: 'second' })] });
    assert.deepEqual(await mains(), ['1/first', '1/second']);
    assert.deepEqual([...joined.sleepDates], ['2026-03-30']);
  });

  it('counts a night with a break around midnight toward one day, also after deletions and corrections of its parts', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    // The clocks go forward that night: 22:30 to 23:42, and 00:30 to 07:00.
    const [evening, morning] = [sleepAt(at(21.5), at(22.7), { key: 'a' }), sleepAt(at(23.5), at(30), { key: 'b' })];
    const read = async () =>
      (await flagsOf(user, 'sleep_sessions')).map(({ name, date, is_main }) => [name, date.slice(8), is_main]);
    const both = [
      ['1/a', '30', true],
      ['1/b', '30', true],
    ];
    await report(user, RING, { sleep: [evening] });
    assert.deepEqual(await read(), [['1/a', '29', true]]);
    const joined = await report(user, RING, { sleep: [morning] });
    assert.deepEqual(await read(), both);
    assert.deepEqual([...joined.sleepDates].sort(), ['2026-03-29', '2026-03-30']);
    const split = await report(user, RING, { deletedSleep: ['b'] });
    assert.deepEqual(await read(), [['1/a', '29', true]]);
    assert.deepEqual([...split.sleepDates].sort(), ['2026-03-29', '2026-03-30']);
    await report(user, RING, { sleep: [morning] });
    const later = await report(user, RING, { sleep: [sleepAt(at(25), at(30), { key: 'b' })] });
    assert.deepEqual(await read(), [
      ['1/a', '29', true],
      ['1/b', '30', true],
    ]);
    assert.deepEqual([...later.sleepDates].sort(), ['2026-03-29', '2026-03-30']);
    await report(user, RING, { sleep: [morning] });
    const rest = await report(user, RING, { deletedSleep: ['a'] });
    assert.deepEqual(await read(), [['1/b', '30', true]]);
    assert.ok(rest.sleepDates.has('2026-03-30' as LocalDate), 'the day that the deleted part counted toward');
    await report(user, WATCH, { sleep: [evening] });
    assert.deepEqual(
      await read(),
      [
        ['1/b', '30', true],
        ['2/a', '29', true],
      ],
      'sleeps of two devices are not joined',
    );
  });

  it('returns both days of a sleep that moved to another day', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    await report(user, RING, {
      sleep: [sleepAt(at(22), at(30), { key: 'a' })],
      workouts: [workoutAt(at(10), at(11), { key: 'w' })],
    });
    const moved = await report(user, RING, {
      sleep: [sleepAt(at(-2), at(6), { key: 'a' })],
      workouts: [workoutAt(at(58), at(59), { key: 'w' })],
    });
    assert.deepEqual([...moved.sleepDates].sort(), ['2026-03-29', '2026-03-30']);
    assert.deepEqual([...moved.workoutDates].sort(), ['2026-03-29', '2026-03-31']);
  });

  it('returns the days of both canonical sleeps if a duplicate of one becomes a duplicate of the other', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    const nap = sleepAt('2026-03-27T18:30Z', '2026-03-27T20:30Z', { key: 'nap', asleepMinutes: 96 });
    const night = sleepAt('2026-03-27T21:00Z', '2026-03-28T00:30Z', { key: 'night', asleepMinutes: 180 });
    const bed = sleepAt('2026-03-27T15:00Z', '2026-03-28T01:00Z', { key: 'bed', heartRate: 60 });
    const stages = [{ stage: 'in_bed', start: bed.start, end: bed.end } as const];
    const canonicalOfBed = async () =>
      (await flagsOf(user, 'sleep_sessions')).find(({ name }) => name === '3/bed')?.duplicate_of;
    await report(user, RING, { sleep: [nap] });
    await report(user, PHONE, { sleep: [{ ...bed, stages }] });
    assert.equal(await canonicalOfBed(), '1/nap');
    const hidden = { ...CONTEXT, isProviderOn: (provider: string) => provider !== 'provider-2' };
    const changes = [
      { change: () => report(user, WATCH, { sleep: [night] }), canonical: '2/night' },
      { change: () => consolidate(user, 'all', hidden), canonical: '1/nap' },
      { change: () => consolidate(user, 'all'), canonical: '2/night' },
      { change: () => report(user, WATCH, { deletedSleep: ['night'] }), canonical: '1/nap' },
    ];
    for (const { change, canonical } of changes) {
      const { sleepDates } = await change();
      assert.equal(await canonicalOfBed(), canonical);
      assert.deepEqual([...sleepDates].sort(), ['2026-03-27', '2026-03-28'], `now a duplicate of ${canonical}`);
    }
  });

  it('hides the nights of a disabled provider but not its workouts, and restores them', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    await report(user, RING, {
      sleep: [sleepAt(at(22), at(30), { key: 'r' })],
      workouts: [workoutAt(at(10), at(11), { key: 'r' })],
    });
    await report(user, WATCH, { sleep: [sleepAt(at(22), at(29), { key: 'w' })] });
    const isProviderOn = (provider: string) => provider !== 'provider-1';
    const off = await consolidate(user, 'all', { ...CONTEXT, isProviderOn });
    assert.deepEqual([[...off.sleepDates], [...off.workoutDates], off.changed], [['2026-03-30'], [], true]);
    assert.deepEqual(await canonicalOf(user), ['2/w']);
    assert.equal((await flagsOf(user, 'workouts'))[0]?.duplicate_of, null);
    assert.equal((await consolidate(user, 'all')).changed, true);
    assert.deepEqual(await canonicalOf(user), ['1/r']);
  });

  it('moves all sessions to the days of a new time zone', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    const nights = Array.from({ length: 800 }, (_, day) => sleepAt(at(day * 24 - 12), at(day * 24 - 1.5)));
    await report(user, RING, { sleep: nights, workouts: [workoutAt(at(20), at(20.5))] });
    const moved = await consolidate(user, 'all', { ...CONTEXT, zone: createZone('Asia/Kathmandu') });
    assert.equal(moved.sleepDates.size, 801, 'each old day and each new one');
    assert.deepEqual([...moved.workoutDates].sort(), ['2026-03-29', '2026-03-30']);
    const flags = await flagsOf(user, 'sleep_sessions');
    assertEvery(flags, ({ is_main, duplicate_of }) => is_main && duplicate_of === null);
    assert.deepEqual(await consolidate(user, 'all', { ...CONTEXT, zone: createZone('Asia/Kathmandu') }), {
      sleepDates: new Set(),
      workoutDates: new Set(),
      intervals: { sleep: [], workouts: [] },
      changed: false,
    });
  });

  it('handles a chain of overlapping sleeps over months as one cluster', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    // Each sleep overlaps the next by more than half: the first decides about the second, the second about the third, and so on.
    const chain = Array.from({ length: 300 }, (_, i) => sleepAt(at(i * 9), at(i * 9 + 20), { key: String(i) }));
    await report(user, WATCH, { sleep: chain });
    const alternate = await flagsOf(user, 'sleep_sessions');
    await store(user, WATCH, { deletedSleep: ['0'] });
    await consolidate(user, { sleep: [{ start: at(0), end: at(20) } as EpochInterval], workouts: [] });
    const shifted = await flagsOf(user, 'sleep_sessions');
    assert.equal(alternate.find(({ name }) => name === '2/299')?.duplicate_of === null, false);
    assert.equal(shifted.find(({ name }) => name === '2/299')?.duplicate_of, null);
    assert.equal((await consolidate(user, 'all')).changed, false);
  });

  it('divides a chain of more than 300 sleeps by day, with the same result for any order of arrival', async () => {
    const [user, other] = [await createTestUser(db, 'Europe/Berlin'), await createTestUser(db, 'Europe/Berlin')];
    const chain = Array.from({ length: 700 }, (_, i) => sleepAt(at(i), at(i + 8), { key: String(i) }));
    await report(user, WATCH, { sleep: chain });
    for (const part of [chain.slice(200, 400), chain.slice(400), chain.slice(0, 200)])
      await report(other, WATCH, { sleep: part });
    const flags = await flagsOf(user, 'sleep_sessions');
    assert.equal(flags.length, 700);
    assert.deepEqual(await flagsOf(other, 'sleep_sessions'), flags);
    assert.equal((await consolidate(user, 'all')).changed, false);
  });

  it('reads only the sessions around a change, however long the chain of overlapping or adjacent sessions', async () => {
    const [every, days] = [24 / 200, 40];
    const chainOf = (hours: number) =>
      Array.from({ length: 200 * days }, (_, i) => [at(i * every), at(i * every + hours), { key: String(i) }] as const);
    for (const hours of [8, every / 2]) {
      const user = await createTestUser(db, 'Europe/Berlin');
      const chain = chainOf(hours);
      await store(user, WATCH, {
        sleep: chain.map((one) => sleepAt(...one)),
        workouts: chain.map((one) => workoutAt(...one)),
      });
      await consolidate(user, 'all');
      const changed = { start: at(days * 12), end: at(days * 12 + hours) } as EpochInterval;
      let rows = 0;
      await db.transaction(async (tx) => {
        const query = async (...args: Parameters<typeof tx.query>) => {
          const result = await tx.query(...args);
          rows += result.length;
          return result;
        };
        const counting = { ...tx, query } as typeof tx;
        await reconsolidateSessions(counting, user, CONTEXT, { sleep: [changed], workouts: [changed] });
      });
      assert.ok(rows > 0 && rows < 200 * 20, `${rows} of ${2 * 200 * days} sessions read`);
    }
  });

  it('gives the same result for changes at the border of a small and a large chain as for all sessions at once', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    // Sleeps of 8 hours, one per hour: 180 and 180 that a sleep between them joins into a large cluster.
    const chain = (first: number, count: number) =>
      Array.from({ length: count }, (_, i) => sleepAt(at(first + i), at(first + i + 8), { key: String(first + i) }));
    await report(user, WATCH, { sleep: [...chain(0, 180), ...chain(190, 180)] });
    const link = sleepAt(at(185), at(195), { key: 'link' });
    const apart = await flagsOf(user, 'sleep_sessions');
    await report(user, RING, { sleep: [link] });
    const joined = await flagsOf(user, 'sleep_sessions');
    assert.equal((await consolidate(user, 'all')).changed, false);
    await report(user, RING, { deletedSleep: ['link'] });
    assert.deepEqual(await flagsOf(user, 'sleep_sessions'), apart);
    assert.equal((await consolidate(user, 'all')).changed, false);
    const links = (rows: readonly Row[]) => new Map(rows.map(({ name, duplicate_of }) => [name, duplicate_of]));
    const differing = apart.filter(({ name, duplicate_of }) => links(joined).get(name) !== duplicate_of);
    assert.ok(differing.length > 100, `${differing.length} sleeps are decided differently in a large cluster`);
  });

  it('gives the same result for more changes than one query reads as for all sessions at once', async () => {
    const user = await createTestUser(db, 'Europe/Berlin');
    const day = (number: number, hours: number) => Date.UTC(2026, 2, number + 1) + hours * HOUR_MS;
    const chain = (name: string, startMs: number, count: number, [every, hours]: readonly [number, number]) =>
      Array.from({ length: count }, (_, i) => {
        const start = startMs + i * every * HOUR_MS;
        return workoutAt(start, start + hours * HOUR_MS, { key: `${name}${i}` });
      });
    // A chain of 244 workouts over days 10 to 12. On its own it is decided as a whole: the one before midnight is a duplicate.
    await report(user, RING, {
      workouts: [
        workoutAt(day(9, 20), day(10, 1), { key: 'first' }),
        ...chain('early', day(10, 0.5), 80, [0.29, 0.3]),
        workoutAt(day(10, 23.66), day(11, 0.9), { key: 'across midnight' }),
        ...chain('late', day(11, 0.88), 160, [0.29, 0.3]),
        workoutAt(day(12, 22.5), day(13, 12), { key: 'last' }),
      ],
    });
    await report(user, WATCH, { workouts: [workoutAt(day(11, 0.05), day(11, 0.85), { key: 'after midnight' })] });
    const old = chain('old', day(0, 0), 291, [0.15, 0.08]);
    await report(user, PHONE, { workouts: old });
    const acrossMidnight = async () =>
      (await flagsOf(user, 'workouts')).find(({ name }) => name === '1/across midnight')?.duplicate_of;
    assert.equal(await acrossMidnight(), '2/after midnight');
    // Of the 441 changes the first 366 extend the chain at its start, the rest at its end: now it is decided day by day.
    await report(user, PHONE, {
      workouts: [...chain('before', day(9, 12), 75, [0.11, 0.12]), ...chain('behind', day(13, 11), 75, [0.11, 0.12])],
      deletedWorkouts: old.map(({ key }) => key),
    });
    assert.equal(await acrossMidnight(), null);
    assert.equal((await consolidate(user, 'all')).changed, false);
  });

  it('removes all sessions of a user, and of no other', async () => {
    const [user, other] = [await createTestUser(db), await createTestUser(db)];
    for (const one of [user, other])
      await report(one, RING, { sleep: [sleepAt(at(22), at(30))], workouts: [workoutAt(at(1), at(2))] });
    await db.transaction((tx) => removeSessions(tx, user));
    assert.deepEqual([(await versionsOf(user)).length, (await versionsOf(other)).length], [0, 2]);
  });
});

type Step = { device: number; key: number; start: number; hours: number; isDeletion: boolean };
const anyStep: fc.Arbitrary<Step> = fc.record({
  device: fc.integer({ min: 1, max: 3 }),
  key: fc.nat(5),
  start: fc.integer({ min: 0, max: 440 }).map((quarters) => quarters / 4),
  // Includes short sessions: a night in parts, with breaks of any length.
  hours: fc.oneof(
    fc.integer({ min: 1, max: 23 }),
    fc.integer({ min: 1, max: 16 }).map((quarters) => quarters / 4),
  ),
  isDeletion: fc.boolean(),
});
const anyUploads = fc.array(fc.array(anyStep, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });

/** Sleeps with and without the time asleep, and records of the time in bed, which become duplicates of any sleep that they overlap. */
function detailOf(key: number, start: number, end: number): Partial<SleepSession> {
  if (key % 3 === 0) return {};
  if (key % 3 === 1) return { asleepMinutes: (0.8 * (end - start)) / MINUTE_MS };
  return { stages: [{ stage: 'in_bed', start: start as EpochMs, end: end as EpochMs }] };
}

function toBatch(steps: readonly Step[]): ReportedSessions {
  const sent = new Map<string, Step>();
  const deleted: string[] = [];
  for (const step of steps) {
    if (step.isDeletion && step.key % 3 === 0) deleted.push(String(step.key));
    else sent.set(String(step.key), step);
  }
  const intervals = [...sent].map(([key, { start, hours }]) => [key, at(start), at(start + hours)] as const);
  return {
    sleep: intervals.map(([key, start, end]) => sleepAt(start, end, { key, ...detailOf(Number(key), start, end) })),
    workouts: intervals.map(([key, start, end]) => workoutAt(start, end, { key })),
    deletedSleep: deleted,
    deletedWorkouts: deleted,
  };
}

describe('the canonical sessions depend only on the set of sessions', () => {
  it('gives the same result for uploads, corrections and deletions in any order as for all sessions at once', async () => {
    await fc.assert(
      fc.asyncProperty(anyUploads, fc.constantFrom(1, 2, undefined), async (uploads, atOnce) => {
        const user = await createTestUser(db, 'Europe/Berlin');
        for (const steps of uploads) {
          for (const from of [RING, WATCH, PHONE]) {
            const ofDevice = steps.filter(({ device }) => device === from.number);
            if (ofDevice.length > 0) await report(user, from, toBatch(ofDevice), atOnce);
          }
        }
        const tables = ['sleep_sessions', 'workouts'] as const;
        const step = await Promise.all(tables.map((table) => flagsOf(user, table)));
        assert.equal((await consolidate(user, 'all')).changed, false);
        await db.query(
          `update sleep_sessions set duplicate_of = null, is_main = false, date = '2000-01-01' where user_id = $1`,
          [user.userId],
        );
        await db.query(`update workouts set duplicate_of = null, date = '2000-01-01' where user_id = $1`, [
          user.userId,
        ]);
        await consolidate(user, 'all');
        assert.deepEqual(await Promise.all(tables.map((table) => flagsOf(user, table))), step);
      }),
      { numRuns: runsOf(100) },
    );
  });

  it('returns every date whose sessions changed', async () => {
    // Each sleep also with its duplicates, which fill in its values and may count toward another day.
    const byDate = async (user: UserHandle) =>
      Map.groupBy(
        await db.query<{ date: string }>(
          `select s.device, s.key, s.start_at, s.end_at, s.duplicate_of, s.is_main, s.date::text as date,
                  array(select d.device || '/' || d.key from sleep_sessions d
                         where d.user_id = s.user_id and d.duplicate_of = s.id and d.id <> s.id order by 1) as duplicates
             from sleep_sessions s where s.user_id = $1 order by 1, 2`,
          [user.userId],
        ),
        ({ date }) => date,
      );
    await fc.assert(
      fc.asyncProperty(anyUploads, async (uploads) => {
        const user = await createTestUser(db, 'Europe/Berlin');
        for (const steps of uploads) {
          const from = [RING, WATCH, PHONE][(steps[0]?.device ?? 1) - 1] as SourceDevice;
          const before = await byDate(user);
          const { sleepDates } = await report(user, from, toBatch(steps));
          const after = await byDate(user);
          for (const date of new Set([...before.keys(), ...after.keys()])) {
            if (sleepDates.has(date as LocalDate)) continue;
            assert.deepEqual(after.get(date), before.get(date), `${date} changed but was not returned`);
          }
        }
      }),
      { numRuns: runsOf(200) },
    );
  });
});
