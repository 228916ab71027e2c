// Tests scoring after an upload: when it runs, which days it affects, and which events it emits.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { RING, startPhone, type TestPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const NOON = new Date('2026-03-20T12:00:00Z');
const TODAY = '2026-03-20' as LocalDate;
const clock = createFrozenClock(NOON);
const service = await startTestService({ clock });
after(() => service.stop());
const { db } = service.running.services;

type Row = JsonBody;

const readScores = (userId: string) =>
  db.query<Row>(
    `select date::text as date, recovery_score, strain_score, sleep_score, stress_score, nutrition_score, energy_reserve_score
       from scores where user_id = $1 order by date`,
    [userId],
  );

/** Runs until nothing of the user is due. */
async function settle(userId: string): Promise<void> {
  clock.advance(2 * SECOND_MS);
  await waitUntil('the scores', async () => {
    const rows = await db.query('select 1 from scoring_queue where user_id = $1 and due_at <= $2', [
      userId,
      clock.now(),
    ]);
    return rows.length === 0;
  });
}

const scoreEvents = async (userId: string) =>
  (await readStoredEvents(db, userId)).filter(({ type }) => type === 'score.updated');

/** A night that ends at 07:00 of the date, and a day with a run. */
function makeDay(date: LocalDate, { hrv = 60, resting = 52, asleep = 450, steps = 8_000 } = {}) {
  const evening = `${addDays(date, -1)}T23:00:00Z`;
  return {
    sleep: [
      {
        id: `night-${date}`,
        start: evening,
        end: `${date}T07:00:00Z`,
        asleep_minutes: asleep,
        deep_minutes: 80,
        rem_minutes: 100,
        light_minutes: asleep - 180,
        awake_minutes: 480 - asleep,
        in_bed_minutes: 480,
        heart_rate_variability: hrv,
      },
    ],
    daily: [
      { date, metric: 'resting_heart_rate', value: resting },
      { date, metric: 'steps', value: steps },
    ],
  };
}

async function uploadDays(phone: TestPhone, dates: readonly LocalDate[], extra = {}): Promise<void> {
  const days = dates.map((date) => makeDay(date, extra));
  const body = await phone.upload({
    sleep: days.flatMap(({ sleep }) => sleep),
    daily: days.flatMap(({ daily }) => daily),
  });
  assert.deepEqual(body.rejected, []);
}

const lastDays = (count: number, to = TODAY) =>
  Array.from({ length: count }, (_, days) => addDays(to, days - count + 1));

async function createPhoneUser(fields: object = {}): Promise<{ id: string; phone: TestPhone }> {
  const { id } = await createUser(service.api(), fields);
  return { id, phone: await startPhone(service, id) };
}

/** Returns after the days were rebuilt and scored. */
async function changeZone(id: string, timezone: string): Promise<void> {
  assert.equal((await service.api().patch(`/v1/users/${id}`, { timezone })).status, 200);
  await waitUntil('the rebuild', async () => {
    const jobs = `select 1 from graphile_worker.jobs where task_identifier = 'rebuild_user'`;
    return (await db.query(jobs)).length === 0;
  });
  await settle(id);
}

const valuesOf = async (userId: string, type: string) => (await readScores(userId)).map((row) => row[type]);

describe('scoring', () => {
  it('scores every received day, emits one event, and none if nothing changed', async () => {
    const { id, phone } = await createPhoneUser();
    assert.equal(await statusOf(id), 'calibrating');
    await uploadDays(phone, lastDays(10));
    await settle(id);
    const rows = await readScores(id);
    assert.deepEqual(
      rows.map(({ date }) => date),
      lastDays(10),
    );
    // Baselines exist after five nights.
    assert.deepEqual(
      rows.map(({ recovery_score }) => recovery_score !== null),
      [false, false, false, false, false, true, true, true, true, true],
    );
    assertEvery(rows, ({ sleep_score, strain_score }) => sleep_score !== null && strain_score !== null);
    assertEvery(rows, ({ nutrition_score, stress_score }) => nutrition_score === null && stress_score === null);
    assert.deepEqual(await scoreEvents(id), [
      {
        type: 'score.updated',
        metrics: ['recovery_score', 'strain_score', 'sleep_score', 'energy_reserve_score'],
        from_date: '2026-03-11',
        to_date: '2026-03-20',
      },
    ]);
    assert.equal(await statusOf(id), 'ready');
    await requeue(id, lastDays(9, addDays(TODAY, -1)));
    await settle(id);
    assert.equal((await scoreEvents(id)).length, 1);
    assert.deepEqual(await readScores(id), rows);
  });

  it('a late night updates the baselines of later days, with the same result as in time', async () => {
    const late = addDays(TODAY, -12);
    const odd = { hrv: 95, resting: 47, asleep: 300 };
    const inTime = await createPhoneUser();
    await uploadDays(inTime.phone, [late], odd);
    await uploadDays(inTime.phone, lastDays(12));
    await settle(inTime.id);
    const afterwards = await createPhoneUser();
    await uploadDays(afterwards.phone, lastDays(6));
    await settle(afterwards.id);
    await uploadDays(afterwards.phone, lastDays(6, addDays(TODAY, -6)));
    await settle(afterwards.id);
    const before = await readScores(afterwards.id);
    await uploadDays(afterwards.phone, [late], odd);
    await settle(afterwards.id);
    assert.notDeepEqual((await readScores(afterwards.id)).slice(-12), before);
    clock.advance(4 * HOUR_MS); // energy of the present day is rate-limited
    await settle(afterwards.id);
    await requeue(inTime.id, [TODAY]);
    await settle(inTime.id);
    assert.deepEqual(await withoutTime(afterwards.id), await withoutTime(inTime.id));
    clock.advance(-4 * HOUR_MS);
  });

  it('updates sleep and recovery at once with the night, and scores of the day every four hours and at its end', async () => {
    const started = clock.now().getTime();
    const { id, phone } = await createPhoneUser();
    await uploadDays(phone, lastDays(8));
    await settle(id);
    const first = (await readScores(id)).at(-1);
    await phone.upload({ daily: [{ date: TODAY, metric: 'steps', value: 12_000 }] });
    await settle(id);
    assert.deepEqual((await readScores(id)).at(-1), first, 'more steps are scored later');
    await uploadDays(phone, [TODAY], { asleep: 380, steps: 14_000 });
    await settle(id);
    const second = (await readScores(id)).at(-1);
    assert.ok(second !== undefined && first !== undefined);
    assert.notEqual(second.sleep_score, first.sleep_score);
    assert.notEqual(second.recovery_score, first.recovery_score);
    assert.equal(second.strain_score, first.strain_score);
    assert.equal(second.energy_reserve_score, first.energy_reserve_score);
    clock.advance(4 * HOUR_MS);
    await settle(id);
    const third = (await readScores(id)).at(-1);
    assert.ok(third !== undefined && Number(third.strain_score) > Number(first.strain_score));
    assert.notEqual(third.energy_reserve_score, first.energy_reserve_score);
    clock.advance(8 * HOUR_MS + 25 * MINUTE_MS);
    await settle(id);
    const fourth = (await readScores(id)).at(-1);
    assert.equal(fourth?.strain_score, third.strain_score);
    assert.ok(Number(fourth?.energy_reserve_score) < Number(third.energy_reserve_score), 'awake until midnight');
    const [mark] = await db.query<JsonBody>('select days::text as days, due_at from scoring_queue where user_id = $1', [
      id,
    ]);
    assert.deepEqual(mark, { days: '{}', due_at: null });
    clock.advance(started - clock.now().getTime());
  });

  it('scores food when the day has ended', async () => {
    const { id, phone } = await createPhoneUser({ profile: { weight_kg: 70 } });
    const eaten = {
      dietary_energy: 2_100,
      protein: 100,
      carbohydrates: 240,
      fat: 75,
      fiber: 32,
      sugar: 40,
      sodium: 1_900,
    };
    const foodOf = (date: LocalDate) => Object.entries(eaten).map(([metric, value]) => ({ date, metric, value }));
    await phone.upload({ daily: [addDays(TODAY, -1), TODAY].flatMap(foodOf) });
    await settle(id);
    const values = await valuesOf(id, 'nutrition_score');
    assert.equal(values.length, 1);
    assert.ok(Number(values[0]) > 500);
  });

  it('lists every part of a score: a trend of the last nights without one of tonight, and 0 for parts without effect', async () => {
    const { id, phone } = await createPhoneUser();
    const run = { id: 'run', sport_type: 'running', start: `${TODAY}T10:00:00Z`, end: `${TODAY}T11:00:00Z` };
    await uploadDays(phone, lastDays(10, addDays(TODAY, -1)));
    const [{ heart_rate_variability: _, ...night } = { heart_rate_variability: 0 }] = makeDay(TODAY).sleep;
    const daily = [{ date: TODAY, metric: 'resting_heart_rate', value: 52 }];
    await phone.upload({ sleep: [night], daily, workouts: [{ ...run, heart_rate: { avg_bpm: 150 } }] });
    await settle(id);
    const { data } = (await service.api().get(`/v1/users/${id}/scores`)).body;
    const factorsOf = (type: string) => data.find((score: JsonBody) => score.type === type).factors as JsonBody[];
    assert.deepEqual(
      factorsOf('recovery_score').map(({ name }) => name),
      ['hrv_trend', 'resting_heart_rate', 'sleep', 'previous_day_strain'],
    );
    assert.deepEqual(
      factorsOf('strain_score').map(({ name, contribution }) => [name, contribution > 0]),
      [
        ['high_intensity', false],
        ['moderate_intensity', true],
        ['low_intensity', false],
        ['daily_activity', false],
      ],
    );
    for (const type of ['recovery_score', 'strain_score']) {
      const query = `type=${type}&date=${TODAY}`;
      const { body } = await service.api().get(`/v1/users/${id}/scores/explain?${query}`);
      const listed = body.data.factors.map(({ name, contribution, direction }: JsonBody) => ({
        name,
        contribution,
        direction,
      }));
      assert.deepEqual(listed, factorsOf(type), type);
      const lacks = body.data.missing.map(({ name }: JsonBody) => name);
      assert.ok(lacks.includes(type === 'strain_score' ? 'daily_activity' : 'heart_rate_variability'), type);
    }
  });

  it('follows the profile; a child is not scored', async () => {
    const { id, phone } = await createPhoneUser();
    await uploadDays(phone, lastDays(6));
    await settle(id);
    const before = await valuesOf(id, 'sleep_score');
    assert.equal((await service.api().patch(`/v1/users/${id}`, { profile: { sleep_need_minutes: 560 } })).status, 200);
    await settle(id);
    const after = await valuesOf(id, 'sleep_score');
    assertEvery(after, (value, position) => Number(value) < Number(before[position]));
    assert.equal((await service.api().patch(`/v1/users/${id}`, { profile: { birth_date: '2014-01-01' } })).status, 200);
    await settle(id);
    assert.deepEqual(await readScores(id), []);
  });

  it('removes scores with their data', async () => {
    const { id, phone } = await createPhoneUser();
    await uploadDays(phone, lastDays(6));
    await settle(id);
    assert.equal((await readScores(id)).length, 6);
    const { body } = await service.api().get(`/v1/users/${id}/devices`);
    assert.equal((await service.api().delete(`/v1/users/${id}/devices/${body.data[0].id}`)).status, 204);
    await settle(id);
    assert.deepEqual(await readScores(id), []);
    assert.deepEqual(await db.query('select 1 from score_inputs where user_id = $1', [id]), []);
  });

  it('removes the scores of a day that has not begun in the new time zone, and of its data', async () => {
    const { id, phone } = await createPhoneUser({ timezone: 'Pacific/Auckland' });
    await uploadDays(phone, lastDays(6));
    const start = '2026-03-20T11:05:00Z'; // 21 March, 0:05, in Auckland
    await phone.upload({ samples: [{ metric: 'steps', start, end: '2026-03-20T11:30:00Z', value: 3_000 }] });
    await settle(id);
    assert.equal((await readScores(id)).at(-1)?.date, addDays(TODAY, 1));
    await changeZone(id, 'America/Los_Angeles');
    assert.equal((await readScores(id)).at(-1)?.date, TODAY);
    const { body } = await service.api().get(`/v1/users/${id}/scores`, { headers: { 'api-form': '1' } });
    assertEvery(body.data, ({ date }: JsonBody) => date <= TODAY);
    const range = `start_date=${addDays(TODAY, 1)}&end_date=${addDays(TODAY, 1)}`;
    assert.deepEqual((await service.api().get(`/v1/users/${id}/daily?${range}`)).body.data, []);
    await changeZone(id, 'Pacific/Auckland');
    assert.equal((await readScores(id)).at(-1)?.date, addDays(TODAY, 1));
  });

  it('an observed maximum applies to the days of a year, whenever it arrives, and as long as its device exists', async () => {
    const { id, phone } = await createPhoneUser();
    const run = { id: 'run', sport_type: 'running', start: '2026-03-18T10:00:00Z', end: '2026-03-18T11:00:00Z' };
    await phone.upload({ workouts: [{ ...run, heart_rate: { avg_bpm: 150 } }] });
    await settle(id);
    const [before] = await valuesOf(id, 'strain_score');
    const peak = Array.from({ length: 1_800 }, (_, beat) => ({
      metric: 'heart_rate',
      start: new Date(Date.parse('2025-07-01T10:00:00Z') + 2_000 * beat).toISOString(),
      value: 212,
    }));
    await phone.upload({ source: RING, samples: peak });
    await settle(id);
    const readDay = async () => (await readScores(id)).find(({ date }) => date === '2026-03-18')?.strain_score;
    const after = await readDay();
    assert.ok(Number(after) < Number(before), `${after} after ${before}`);
    const { body } = await service.api().get(`/v1/users/${id}/workouts?from_date=2026-03-18&to_date=2026-03-18`);
    assert.equal(body.data[0].strain * 10, after, 'the workout agrees');
    const devices = await service.api().get(`/v1/users/${id}/devices`);
    const ring = devices.body.data[1];
    assert.equal((await service.api().delete(`/v1/users/${id}/devices/${ring.id}`)).status, 204);
    await settle(id);
    assert.equal(await readDay(), before);
  });

  it('keeps unlisted days together with uploads for them, and after those are deleted', async () => {
    const key = service.keys.sandbox;
    const { id } = await createUser(service.api(key));
    const before = await readScores(id);
    assert.equal(before.length, 7);
    const phone = await startPhone(service, id, { key });
    const start = '2026-03-05T10:00:00Z';
    const source = { provider: 'apple_health', id: 'other', device_class: 'wrist' };
    await phone.upload({ source, samples: [{ metric: 'steps', start, end: '2026-03-05T10:10:00Z', value: 500 }] });
    await settle(id);
    const during = (await readScores(id)).filter(({ date }) => date > '2026-03-05');
    assert.equal(during.length, 7);
    assertEvery(during, ({ recovery_score, stress_score }) => recovery_score !== null && stress_score !== null);
    await phone.upload({ source, deleted: [{ kind: 'samples', metric: 'steps', start, end: start }] });
    await settle(id);
    assert.deepEqual(await readScores(id), before);
  });

  it('computes no stress for a child', async () => {
    const key = service.keys.sandbox;
    const child = await createUser(service.api(key), { profile: { birth_date: '2015-01-01' } });
    assert.deepEqual(await readScores(child.id), []);
    const query = 'metrics=stress_score&start_date=2026-03-14&end_date=2026-03-15';
    assert.deepEqual((await service.api(key).get(`/v1/users/${child.id}/timeseries?${query}`)).body.data, []);
    const { body } = await service.api(key).get(`/v1/users/${child.id}`);
    assert.equal(body.data.score_status, 'calibrating');
  });

  it('compares a night with the nights of the same device', async () => {
    const { id, phone } = await createPhoneUser();
    // The ring measures half of what the watch does; both are worn every night, and the ring ranks first.
    const both = lastDays(10);
    await uploadDays(phone, both, { hrv: 80 });
    const ring = { provider: 'apple_health', id: 'ring-1', device_class: 'ring' };
    const nights = both.slice(0, -1).map((date) => makeDay(date, { hrv: 40 }).sleep[0]);
    await phone.upload({ source: ring, sleep: nights });
    await settle(id);
    const rows = await readScores(id);
    const [usual, today] = [rows.at(-2), rows.at(-1)];
    // Today the ring is charging: a night of 80 ms is as usual for the watch as 40 was for the ring.
    assert.ok(Math.abs(Number(usual?.recovery_score) - Number(today?.recovery_score)) < 60, `${JSON.stringify(rows)}`);
    const [{ inputs } = { inputs: null }] = await db.query<{ inputs: JsonBody }>(
      'select inputs from score_inputs where user_id = $1 and date = $2',
      [id, addDays(TODAY, -1)],
    );
    assert.deepEqual(
      inputs?.hrv.map(({ ms }: JsonBody) => ms),
      [40, 80],
    );
  });

  it('a failed run of one user delays no other user, and is retried later', async () => {
    const broken = await createPhoneUser();
    await uploadDays(broken.phone, lastDays(6));
    await settle(broken.id);
    await db.query(`update score_inputs set inputs = '{"values": null}' where user_id = $1`, [broken.id]);
    await requeue(broken.id, [TODAY]);
    const sound = await createPhoneUser();
    await uploadDays(sound.phone, lastDays(6));
    await settle(broken.id);
    await settle(sound.id);
    assert.equal((await readScores(sound.id)).length, 6);
    const readQueueEntry = () =>
      db.query<JsonBody>(
        'select failures, due_at > $2 as is_later, days::text as days from scoring_queue where user_id = $1',
        [broken.id, clock.now()],
      );
    assert.deepEqual(await readQueueEntry(), [{ failures: 1, is_later: true, days: '{[2026-03-20,2026-03-21)}' }]);
  });
});

/** The waking time of the present day differs between two runs. */
async function withoutTime(userId: string): Promise<Row[]> {
  return (await readScores(userId)).map((row) => (row.date === TODAY ? { ...row, energy_reserve_score: null } : row));
}

async function statusOf(userId: string): Promise<string> {
  return (await service.api().get(`/v1/users/${userId}`)).body.data.score_status;
}

/** Like a change without effect. */
async function requeue(userId: string, dates: readonly LocalDate[]): Promise<void> {
  const days = `{${dates.map((date) => `[${date},${date}]`).join(',')}}`;
  await db.query('update scoring_queue set days = $2::datemultirange, due_at = $3 where user_id = $1', [
    userId,
    days,
    clock.now(),
  ]);
}
