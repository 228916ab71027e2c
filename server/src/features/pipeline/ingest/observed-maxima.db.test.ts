// Stored maxima of days that lost their samples, and the work of a rebuild that stores others than before.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser, insertDevice } from '../../../../test/support/test-samples.ts';
import { traceFrom, workoutAt } from '../../../../test/support/test-sessions.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';
import { columnsOfSamples } from '../../../domain/packed/sample-blocks/index.ts';
import type { EpochMs, Sample, Workout } from '../../../domain/records/records.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { ingest, rebuildUser, removeDeviceData } from './index.ts';

const db = await openTestDatabase({ after });

const NOW = new Date('2026-04-15T12:00:00Z');
const DATE = '2026-03-09' as LocalDate;
const MONTHS_APART = [DATE, addDays(DATE, -31), addDays(DATE, -62), addDays(DATE, -93)];

describe('an observed maximum', () => {
  it('is removed with its device, even if the age formula gives more by now', async () => {
    const user = await createPerson({ birth_date: '1930-01-01' }, [DATE], 149);
    assert.deepEqual(await readMaxima(user), [149]);
    await setProfile(user, { birth_date: '1990-01-01' }); // the rebuild has not run yet
    await removeDevice(user);
    assert.deepEqual(await readMaxima(user), []);
  });

  it('is removed with its device, even if an earlier version stored it below the age formula', async () => {
    const user = await createPerson({}, [DATE], 165);
    await storeMaxima(user, [DATE], 165);
    await removeDevice(user);
    assert.deepEqual(await readMaxima(user), []);
  });
});

describe('a rebuild', () => {
  it('reads every workout once, also if it stores other maxima than before', async () => {
    const user = await createPerson({}, MONTHS_APART, 165);
    await storeMaxima(user, MONTHS_APART, 165);
    assert.equal(await countWorkoutsRead(user), MONTHS_APART.length);
    assert.deepEqual(await readMaxima(user), [], 'the age formula gives more');
    await setProfile(user, { birth_date: '1930-01-01' });
    assert.equal(await countWorkoutsRead(user), MONTHS_APART.length);
    assert.deepEqual(await readMaxima(user), [165, 165, 165, 165]);
  });
});

/** One device with a run and a constant heart rate on each of these days. */
async function createPerson(profile: object, dates: readonly LocalDate[], bpm: number): Promise<UserHandle> {
  const user = await createTestUser(db);
  await setProfile(user, profile);
  await insertDevice(db, user.userId, { number: 1 });
  const samples = columnsOfSamples(dates.toSorted().flatMap((date) => heartRatesOf(date, bpm)));
  await db.transaction(async (tx) => {
    const devices = await listSourceDevices(tx, user);
    const [device] = devices;
    assert.ok(device);
    const batch = { daily: [], sleep: [], deletions: [], workouts: dates.map(runOn) };
    await ingest(
      tx,
      user,
      { device, devices },
      { ...batch, samples: new Map([['heart_rate' as MetricId, samples]]) },
      NOW,
    );
  });
  return user;
}

function heartRatesOf(date: LocalDate, bpm: number): Sample[] {
  return Array.from({ length: 60 }, (_, minute) => {
    const at = (Date.parse(date) + 8 * HOUR_MS + minute * MINUTE_MS) as EpochMs;
    return { start: at, end: at, value: bpm, unit: 'bpm', offsetMinutes: 0, method: 'automatic' };
  });
}

function runOn(date: LocalDate): Workout {
  const start = Date.parse(date) + 17 * HOUR_MS;
  return workoutAt(start, start + HOUR_MS, {
    heartRateSamples: traceFrom(start, [0, 180], [1_800, 180], [3_600, 180]),
  });
}

function setProfile(user: UserHandle, profile: object): Promise<unknown> {
  return db.query('update users set profile = $2 where id = $1', [user.userId, JSON.stringify(profile)]);
}

/** As versions did that stored maxima above 150 bpm for everybody. */
function storeMaxima(user: UserHandle, dates: readonly LocalDate[], bpm: number): Promise<unknown> {
  return db.query('insert into observed_max_heart_rates (user_id, date, bpm) select $1, unnest($2::date[]), $3', [
    user.userId,
    dates,
    bpm,
  ]);
}

async function readMaxima(user: UserHandle): Promise<number[]> {
  const rows = await db.query<{ bpm: number }>('select bpm from observed_max_heart_rates where user_id = $1', [
    user.userId,
  ]);
  return rows.map(({ bpm }) => bpm);
}

async function removeDevice(user: UserHandle): Promise<void> {
  await db.transaction(async (tx) => {
    const [device] = await listSourceDevices(tx, user);
    assert.ok(device);
    await removeDeviceData(tx, user, device, NOW);
  });
}

/** The workouts that a rebuild reads to compute their zones. */
async function countWorkoutsRead(user: UserHandle): Promise<number> {
  let count = 0;
  await db.transaction(async (tx) => {
    const query: Transaction['query'] = async (sent, values) => {
      const rows = await tx.query(sent, values);
      if (typeof sent !== 'string' && sent.name === 'read_workouts_of_dates') count += rows.length;
      return rows as never;
    };
    await rebuildUser({ ...tx, query }, user, NOW);
  });
  return count;
}
