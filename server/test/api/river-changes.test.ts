// Tests changes to existing data: another time zone, a deleted device, a deleted user.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { formatInstant } from '../../src/domain/time/calendar.ts';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { IPHONE, startPhone, type TestPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date('2026-03-10T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;

const DAYS_1 = 'start_date=2026-03-07&end_date=2026-03-10';
const DAYS_2 = 'from_date=2026-03-07&to_date=2026-03-10';

async function get(userId: string, path: string): Promise<JsonBody> {
  const answer = await api.get(`/v1/users/${userId}${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** The canonical values of the days 7 to 10. */
async function readAll(userId: string) {
  const { series } = await get(userId, `/daily?${DAYS_2}&types=steps,asleep,exercise,heart_rate,resting_heart_rate`);
  const { data: samples } = await get(userId, `/timeseries?${DAYS_1}&metrics=steps,heart_rate`);
  const { data: sleeps } = await get(userId, `/sleep?${DAYS_2}`);
  const { data: workouts } = await get(userId, `/workouts?${DAYS_2}`);
  return {
    ...series,
    samples: samples.map(({ timestamp, value }: JsonBody) => `${timestamp} ${value}`),
    sleeps: sleeps.map(({ date, start_time, is_main_sleep }: JsonBody) => [date, start_time, is_main_sleep]),
    workouts: workouts.map(({ start_time, calories }: JsonBody) => [start_time, calories]),
  };
}

const NOTHING = {
  steps: [null, null, null, null],
  asleep: [null, null, null, null],
  exercise: [null, null, null, null],
  heart_rate: [null, null, null, null],
  resting_heart_rate: [null, null, null, null],
  samples: [],
  sleeps: [],
  workouts: [],
};

/** 20:30 UTC on the 8th is the 9th in Kathmandu. */
const EVENING = {
  samples: [
    { metric: 'steps', start: '2026-03-08T20:30:00Z', end: '2026-03-08T20:40:00Z', value: 500 },
    { metric: 'heart_rate', start: '2026-03-08T20:30:00Z', value: 90 },
  ],
  daily: [{ date: '2026-03-08', metric: 'resting_heart_rate', value: 52 }],
  sleep: [{ id: 's', start: '2026-03-08T13:00:00Z', end: '2026-03-08T20:00:00Z', asleep_minutes: 400 }],
  workouts: [
    {
      id: 'w',
      sport_type: 'running',
      start: '2026-03-08T20:30:00Z',
      end: '2026-03-08T21:00:00Z',
      active_calories: 200,
    },
  ],
};

const eventsOf = (userId: string) => readStoredEvents(db, userId);

async function revisionOf(userId: string): Promise<number> {
  const [row] = await db.query<{ revision: string }>('select data_revision as revision from users where id = $1', [
    userId,
  ]);
  return Number(row?.revision);
}

describe('PATCH /v1/users/{id} with another time zone', () => {
  it('200, then values from samples and sessions move to their new days, and subject.synced is emitted', async () => {
    const { id } = await createUser(api);
    await (await startPhone(service, id)).upload(EVENING);
    const before = await readAll(id);
    assert.deepEqual(before, {
      steps: [null, 500, null, null],
      asleep: [null, 400, null, null],
      exercise: [null, 30, null, null],
      heart_rate: [null, 90, null, null],
      resting_heart_rate: [null, 52, null, null],
      samples: ['2026-03-08T20:30:00Z 500', '2026-03-08T20:30:00Z 90'],
      sleeps: [['2026-03-08', '2026-03-08T13:00:00', true]],
      workouts: [['2026-03-08T20:30:00', 200]],
    });

    assert.equal((await api.patch(`/v1/users/${id}`, { timezone: 'Asia/Kathmandu' })).status, 200);
    const synced = await waitUntil('subject.synced', async () =>
      (await eventsOf(id)).find(({ type }) => type === 'subject.synced'),
    );
    assert.deepEqual(await readAll(id), {
      ...before,
      steps: [null, null, 500, null],
      asleep: [null, null, 400, null],
      exercise: [null, null, 30, null],
      heart_rate: [null, null, 90, null],
      resting_heart_rate: [null, 52, null, null], // the device reported it for that date, in whichever zone
      sleeps: [['2026-03-09', '2026-03-08T18:45:00', true]],
      workouts: [['2026-03-09T02:15:00', 200]],
    });
    assert.deepEqual([synced.from_date, synced.to_date], ['2026-03-08', '2026-03-09']);
    for (const metric of ['steps', 'heart_rate', 'asleep', 'exercise', 'sleep_end', 'workout_count'])
      assert.ok(synced.metrics.includes(metric), metric);
    assert.ok(!synced.metrics.includes('resting_heart_rate'));
  });

  it('200 and no event if nothing moves: reported daily values, and the same zone', async () => {
    const { id } = await createUser(api, { timezone: 'Europe/Berlin' });
    await (await startPhone(service, id)).upload({ daily: EVENING.daily });
    const [before, revision] = [await eventsOf(id), await revisionOf(id)];
    assert.equal((await api.patch(`/v1/users/${id}`, { timezone: 'Europe/Berlin' })).status, 200);
    assert.equal(await revisionOf(id), revision);
    assert.equal((await api.patch(`/v1/users/${id}`, { timezone: 'America/St_Johns' })).status, 200);
    await waitUntil('the rebuild is done', async () => {
      const [row] = await db.query<{ left: number }>(
        `select count(*)::int as left from graphile_worker.jobs where task_identifier = 'rebuild_user'`,
      );
      return row?.left === 0;
    });
    assert.deepEqual(await eventsOf(id), before);
  });
});

/** Steps, a night and a run of this device. */
const fromIphone = {
  source: IPHONE,
  samples: [{ metric: 'steps', start: '2026-03-09T08:00:00Z', end: '2026-03-09T08:15:00Z', value: 300 }],
  daily: [{ date: '2026-03-10', metric: 'resting_heart_rate', value: 55 }],
  sleep: [{ start: '2026-03-08T13:05:00Z', end: '2026-03-08T20:05:00Z', asleep_minutes: 390 }],
  workouts: [
    { sport_type: 'running', start: '2026-03-08T20:31:00Z', end: '2026-03-08T21:00:00Z', active_calories: 190 },
  ],
};

async function devicesOf(userId: string): Promise<string[]> {
  return (await get(userId, '/devices')).data.map(({ id }: JsonBody) => id);
}

async function disconnect(userId: string, deviceId: string | undefined): Promise<void> {
  assert.equal((await api.delete(`/v1/users/${userId}/devices/${deviceId}`)).status, 204);
}

describe('DELETE /v1/users/{id}/devices/{device_id}', () => {
  it('204 removes its values from days, timeseries, sleep and workouts; duplicates of other devices become canonical', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    await phone.upload(fromIphone);
    const alone = await readAll(id);
    await phone.upload(EVENING);
    const both = await readAll(id);
    assert.deepEqual([both.asleep, both.workouts], [[null, 400, null, null], [['2026-03-08T20:30:00', 200]]]);
    const [, watch] = await devicesOf(id);
    await disconnect(id, watch);
    assert.deepEqual(await readAll(id), alone);
    assert.deepEqual([alone.steps, alone.workouts], [[null, null, 300, null], [['2026-03-08T20:31:00', 190]]]);
    const events = await eventsOf(id);
    assert.deepEqual(
      events.slice(-2).map(({ type }) => type),
      ['data.updated', 'device.disconnected'],
    );
    const [raw] = await db.query<{ count: number }>(
      'select count(*)::int as count from raw_payloads where user_id = $1 and device = 2',
      [id],
    );
    assert.equal(raw?.count, 0);
    assert.equal((await api.delete(`/v1/users/${id}/devices/${watch}`)).status, 404);
  });

  it('204 blocks the source and rejects each item by name, until a new session; then it is a new device', async () => {
    const { id } = await createUser(api);
    const installationId = randomUUID();
    const phone = await startPhone(service, id, { installationId });
    await phone.upload(EVENING);
    const syncedAt = formatInstant(clock.now());
    const [first] = await devicesOf(id);
    clock.advance(MINUTE_MS);
    await disconnect(id, first);
    assert.deepEqual(await readAll(id), NOTHING);

    await expectBarred(phone);
    const recovered = await startPhone(service, id, { installationId });
    assert.equal(recovered.sessionId, phone.sessionId);
    await expectBarred(recovered);
    assert.deepEqual(await readAll(id), NOTHING);
    assert.deepEqual(await devicesOf(id), []);
    const { last_sync_at } = (await api.get(`/v1/users/${id}`, { headers: { 'api-form': '2' } })).body;
    assert.equal(last_sync_at, syncedAt, 'a rejected upload does not count as a sync');
    const { accepted } = await recovered.upload(fromIphone);
    assert.equal(accepted, 4, 'another source of the same phone is not blocked');

    clock.advance(MINUTE_MS);
    assert.equal((await api.delete(`/v1/users/${id}/sdk-sessions/${phone.sessionId}`)).status, 204);
    const again = await startPhone(service, id, { installationId });
    assert.equal((await again.upload(EVENING)).accepted, 5);
    const devices = await devicesOf(id);
    assert.equal(devices.length, 2);
    assert.ok(!devices.includes(first ?? ''));
    assert.deepEqual((await readAll(id)).asleep, [null, 400, null, null]);
  });
});

async function expectBarred(phone: TestPhone): Promise<void> {
  const { accepted, rejected, rejected_count } = await phone.upload({
    ...EVENING,
    deleted: [{ kind: 'sleep', id: 's' }],
  });
  assert.deepEqual([accepted, rejected_count], [0, 6]);
  assert.deepEqual(
    rejected.map(({ path, error }: JsonBody) => [path, error]),
    ['samples[0]', 'samples[1]', 'daily[0]', 'sleep[0]', 'workouts[0]', 'deleted[0]'].map((path) => [
      path,
      'device_disconnected',
    ]),
  );
}

describe('DELETE /v1/users/{id} of a user with data', () => {
  it('202 and no row of the user is left in any table', async () => {
    const { id } = await createUser(api, { timezone: 'Europe/Berlin' });
    const phone = await startPhone(service, id);
    await phone.upload(EVENING);
    await phone.upload(fromIphone);
    const holders = await db.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id'`,
    );
    const filled = await listFilled(holders, id);
    for (const name of HEALTH_TABLES) assert.ok(filled.includes(name), `${name} has a row before`);

    assert.equal((await api.delete(`/v1/users/${id}`)).status, 202);
    const refused = await phone.send({ upload_id: randomUUID(), source: IPHONE, samples: [] });
    assert.equal(refused.status, 401);
    await waitUntil('the erasure', async () => {
      const [row] = await db.query<{ count: number }>('select count(*)::int as count from users where id = $1', [id]);
      return row?.count === 0;
    });
    assert.deepEqual(await listFilled(holders, id), []);
  });
});

const HEALTH_TABLES = [
  'sample_blocks',
  'device_months',
  'daily_months',
  'sleep_sessions',
  'workouts',
  'uploads',
  'raw_payloads',
  'scoring_queue',
  'devices',
  'sdk_sessions',
];

/** Only the fact of the deletion may remain. */
const BUT_THE_NEWS = `to_jsonb(t)::text not like '%user.deleted%'`;

async function listFilled(tables: readonly { name: string }[], userId: string): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of tables)
    if ((await db.query(`select 1 from ${name} t where user_id = $1 and ${BUT_THE_NEWS} limit 1`, [userId])).length > 0)
      filled.push(name);
  return filled;
}
