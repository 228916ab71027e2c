// Tests the list of sleeps in both forms.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { EpochMs, SleepSession } from '../../src/domain/records/records.ts';
import type { DeviceNumber } from '../../src/domain/tenancy.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { insertDevice, openTestUser } from '../support/test-samples.ts';
import { startTestService } from '../support/test-service.ts';
import { reportSessions, sleepAt } from '../support/test-sessions.ts';
import { ABSENT_ID, createUser, issuePaths } from '../support/test-users.ts';

const clock = createFrozenClock(new Date('2026-03-10T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;

type Person = { id: string; devices: Record<'ring' | 'watch', { id: string; number: DeviceNumber }> };

async function createPerson(timezone: string | null = 'Europe/Berlin'): Promise<Person> {
  const { id } = await createUser(api, { timezone });
  const ring = await insertDevice(db, id, { number: 1, provider: 'oura', deviceClass: 'ring' });
  const watch = await insertDevice(db, id, { number: 2, provider: 'garmin', deviceClass: 'wrist' });
  return { id, devices: { ring, watch } };
}

async function report(person: Person, device: 'ring' | 'watch', ...sleep: SleepSession[]): Promise<void> {
  await reportSessions(db, await openTestUser(db, person.id), person.devices[device].number, { sleep });
}

const RANGE = { 1: 'start_date=2026-03-01&end_date=2026-03-09', 2: 'from_date=2026-03-01&to_date=2026-03-09' } as const;
const form1 = (id: string, query: string = RANGE[1]) => api.get(`/v1/users/${id}/sleep?${query}`);
const form2 = (id: string, query: string = RANGE[2]) => api.get(`/v1/users/${id}/sleep?${query}`);

const NIGHT = sleepAt('2026-03-02T22:10:00Z', '2026-03-03T06:10:00Z', {
  key: 'night',
  asleepMinutes: 431.5,
  deepMinutes: 80,
  lightMinutes: 240.4,
  remMinutes: 111.1,
  awakeMinutes: 0,
  inBedMinutes: 480,
  heartRate: 51.26,
  heartRateVariability: 64.4,
  respiratoryRate: 14.25,
  bloodOxygen: 96.66,
  bodyTemperature: 36.6,
  skinTemperature: 34,
});

describe('GET /v1/users/{id}/sleep', () => {
  it('200 Form 1: minutes, vitals and UTC timestamps, null for values that were not reported', async () => {
    const person = await createPerson();
    await report(person, 'ring', NIGHT);
    const { status, body, headers } = await form1(person.id);
    assert.equal(status, 200);
    assert.equal(headers.get('api-form'), '1');
    const [{ id, ...night }] = body.data;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.deepEqual(
      { ...body, data: [night] },
      {
        data: [
          {
            date: '2026-03-03',
            start: '2026-03-02T22:10:00Z',
            end: '2026-03-03T06:10:00Z',
            asleep: 432,
            time_awake: 0,
            light_sleep: 240,
            deep_sleep: 80,
            REM: 111,
            restorative_sleep: 191,
            time_in_bed: 480,
            sleep_efficiency: 89.9,
            sleep_heart_rate: 51.3,
            sleep_heart_rate_variability: 64,
            hrv_kind: 'rmssd',
            sleep_respiratory_rate: 14.3,
            sleep_blood_oxygen: 96.7,
            sleep_body_temperature: 36.6,
            sleep_skin_temperature: 34,
            sleep_wrist_temperature: null,
            is_main_sleep: true,
            source: { provider: 'oura', device_id: person.devices.ring.id },
          },
        ],
      },
    );
  });

  it('200 Form 2: local time of the user, the day of the end, the source', async () => {
    const person = await createPerson();
    await report(person, 'ring', NIGHT);
    const { status, body, headers } = await form2(person.id);
    assert.equal(status, 200);
    assert.equal(headers.get('api-form'), '2');
    const [{ id, ...night }] = body.data;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.deepEqual(
      { ...body, data: [night] },
      {
        from_date: '2026-03-01',
        to_date: '2026-03-09',
        data: [
          {
            date: '2026-03-03',
            start_time: '2026-03-02T23:10:00',
            end_time: '2026-03-03T07:10:00',
            duration_minutes: 480,
            is_main_sleep: true,
            source: 'oura',
            asleep_minutes: 432,
            deep_minutes: 80,
            light_minutes: 240,
            rem_minutes: 111,
            awake_minutes: 0,
            in_bed_minutes: 480,
            efficiency_pct: 89.9,
          },
        ],
        next_cursor: null,
      },
    );
  });

  it('200 a call without parameters returns Form 2, for the last 30 days', async () => {
    const person = await createPerson('America/Los_Angeles');
    const { status, body, headers } = await api.get(`/v1/users/${person.id}/sleep`);
    assert.equal(status, 200);
    assert.equal(headers.get('api-form'), '2');
    assert.deepEqual(body, { from_date: '2026-02-09', to_date: '2026-03-10', data: [], next_cursor: null });
  });

  it('200 a sleep with nothing but its times has nulls, never 0', async () => {
    const person = await createPerson();
    await report(person, 'watch', sleepAt('2026-03-04T12:00:00.250Z', '2026-03-04T12:30:00Z'));
    const [one] = (await form1(person.id)).body.data;
    const { id, date, is_main_sleep, source, start, end, ...measured } = one;
    assert.deepEqual([start, end], ['2026-03-04T12:00:00.250Z', '2026-03-04T12:30:00Z']);
    for (const value of Object.values(measured)) assert.equal(value, null);
    const [two] = (await form2(person.id)).body.data;
    assert.deepEqual([id, date, is_main_sleep], [two.id, two.date, two.is_main_sleep]);
    assert.equal(source.provider, two.source);
    assert.equal(two.start_time, '2026-03-04T13:00:00.250');
    assert.deepEqual(
      [two.duration_minutes, two.asleep_minutes, two.in_bed_minutes, two.efficiency_pct],
      [30, null, null, null],
    );
  });

  it('200 uses the stages if no minutes were given', async () => {
    const person = await createPerson();
    const at = (minutes: number) => (Date.parse('2026-03-05T00:00:00Z') + minutes * MINUTE_MS) as EpochMs;
    const stages = [
      { stage: 'light', start: at(0), end: at(100) },
      { stage: 'awake', start: at(100), end: at(110) },
      { stage: 'deep', start: at(110), end: at(170.5) },
    ] as const;
    await report(person, 'ring', sleepAt(at(0), at(180), { stages }));
    const [one] = (await form2(person.id)).body.data;
    assert.deepEqual(
      [one.asleep_minutes, one.light_minutes, one.deep_minutes, one.rem_minutes, one.awake_minutes, one.in_bed_minutes],
      [161, 100, 61, null, 10, 180],
    );
  });

  it('200 temperatures in °F with unit_system=imperial', async () => {
    const person = await createPerson();
    await report(person, 'ring', NIGHT);
    const [one] = (await form1(person.id, `${RANGE[1]}&unit_system=imperial`)).body.data;
    assert.deepEqual([one.sleep_body_temperature, one.sleep_skin_temperature], [97.9, 93.2]);
    assert.equal(one.asleep, 432);
  });

  it('200 include_sources names the device in both forms', async () => {
    const person = await createPerson();
    await report(person, 'ring', NIGHT);
    await db.query(`update devices set model = 'Gen 4', name = 'My ring' where id = $1`, [person.devices.ring.id]);
    const [one] = (await form1(person.id, `${RANGE[1]}&include_sources=true`)).body.data;
    assert.deepEqual(one.source, { provider: 'oura', device_id: person.devices.ring.id });
    const [two] = (await form2(person.id, `${RANGE[2]}&include_sources=true`)).body.data;
    assert.equal(two.source, 'oura');
    assert.deepEqual(two.source_detail, {
      provider: 'oura',
      device_id: person.devices.ring.id,
      model: 'Gen 4',
      name: 'My ring',
    });
  });

  it('200 one sleep if two devices recorded it, the ring’s before the watch’s', async () => {
    const person = await createPerson();
    await report(person, 'watch', sleepAt('2026-03-02T22:20:00Z', '2026-03-03T06:00:00Z', { key: 'w' }));
    assert.deepEqual(
      (await form2(person.id)).body.data.map(({ source }: JsonBody) => source),
      ['garmin'],
    );
    await report(person, 'ring', NIGHT);
    assert.deepEqual(
      (await form2(person.id)).body.data.map(({ source }: JsonBody) => source),
      ['oura'],
    );
    assert.equal((await form1(person.id)).body.data.length, 1);
  });

  it('200 all parts of a split night are main, a nap is not, and the newest comes first', async () => {
    const person = await createPerson();
    await report(
      person,
      'ring',
      sleepAt('2026-03-06T23:00:00Z', '2026-03-07T02:00:00Z'),
      sleepAt('2026-03-07T02:50:00Z', '2026-03-07T06:00:00Z'),
      sleepAt('2026-03-07T13:00:00Z', '2026-03-07T17:00:00Z'),
    );
    const { data } = (await form2(person.id)).body;
    assert.deepEqual(
      data.map(({ start_time, is_main_sleep }: JsonBody) => [start_time.slice(11, 16), is_main_sleep]),
      [
        ['14:00', false],
        ['03:50', true],
        ['00:00', true],
      ],
    );
  });

  it('200 dates are days of the user’s zone: Kathmandu, and UTC by default', async () => {
    const nap = sleepAt('2026-03-04T17:00:00Z', '2026-03-04T18:20:00Z');
    const [east, none] = [await createPerson('Asia/Kathmandu'), await createPerson(null)];
    for (const person of [east, none]) await report(person, 'ring', nap);
    const ofDay = async (person: Person, date: string) =>
      (await form2(person.id, `from_date=${date}&to_date=${date}`)).body.data.map(
        ({ date: day, start_time, end_time }: JsonBody) => [day, start_time, end_time],
      );
    assert.deepEqual(await ofDay(east, '2026-03-05'), [['2026-03-05', '2026-03-04T22:45:00', '2026-03-05T00:05:00']]);
    assert.deepEqual(await ofDay(east, '2026-03-04'), []);
    assert.deepEqual(await ofDay(none, '2026-03-04'), [['2026-03-04', '2026-03-04T17:00:00', '2026-03-04T18:20:00']]);
    const form1Of = (date: string) => form1(east.id, `start_date=${date}&end_date=${date}`);
    assert.deepEqual(
      [(await form1Of('2026-03-05')).body.data.length, (await form1Of('2026-03-04')).body.data.length],
      [1, 0],
    );
  });

  it('200 nights with a clock change have their real duration', async () => {
    const person = await createPerson();
    await report(
      person,
      'ring',
      sleepAt('2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'),
      sleepAt('2025-10-25T21:00:00Z', '2025-10-26T06:00:00Z'),
    );
    const { data } = (await form2(person.id, 'from_date=2025-10-01&to_date=2026-04-01')).body;
    assert.deepEqual(
      data.map(({ start_time, end_time, duration_minutes, date }: JsonBody) => [
        start_time,
        end_time,
        duration_minutes,
        date,
      ]),
      [
        ['2026-03-28T23:00:00', '2026-03-29T07:00:00', 420, '2026-03-29'],
        ['2025-10-25T23:00:00', '2025-10-26T07:00:00', 540, '2025-10-26'],
      ],
    );
  });

  it('200 both forms return the same sleeps', async () => {
    const person = await createPerson();
    await report(person, 'ring', NIGHT, sleepAt('2026-03-05T13:00:00Z', '2026-03-05T13:40:00Z', { asleepMinutes: 30 }));
    await report(
      person,
      'watch',
      sleepAt('2026-03-07T23:00:00Z', '2026-03-08T05:00:00Z', { inBedMinutes: 360, asleepMinutes: 300 }),
    );
    const [one, two] = [(await form1(person.id)).body.data, (await form2(person.id)).body.data];
    assert.deepEqual(
      one.map((sleep: JsonBody) => [sleep.asleep, sleep.REM, sleep.time_in_bed, sleep.sleep_efficiency]),
      two.map((sleep: JsonBody) => [
        sleep.asleep_minutes,
        sleep.rem_minutes,
        sleep.in_bed_minutes,
        sleep.efficiency_pct,
      ]),
    );
    assert.equal(one.length, 3);
  });

  it('200 a user token reads its own sleeps', async () => {
    const person = await createPerson();
    await report(person, 'ring', NIGHT);
    const { token } = (await api.post('/v1/auth/user-token', { user_id: person.id })).body;
    const { status, body } = await service.api(token).get(`/v1/users/${person.id}/sleep?${RANGE[2]}`);
    assert.deepEqual([status, body.data.length], [200, 1]);
  });

  it('304 until something changes, then 200', async () => {
    const person = await createPerson();
    await report(person, 'ring', NIGHT);
    for (const read of [RANGE[1], RANGE[2], '']) {
      const path = `/v1/users/${person.id}/sleep?${read}`;
      const etag = (await api.get(path)).headers.get('etag') ?? '';
      assert.match(etag, /^W\//);
      const headers = { 'if-none-match': etag };
      assert.equal((await api.get(path, { headers })).status, 304);
      await report(person, 'ring', { ...NIGHT, heartRate: 40 + Math.random() });
      assert.equal((await api.get(path, { headers })).status, 200);
    }
  });

  it('400 range_too_long in Form 1 beyond 366 days, invalid_range in Form 2', async () => {
    const { id } = await createPerson();
    assert.equal((await form1(id, 'start_date=2025-03-02&end_date=2026-03-02')).status, 200);
    const long = await form1(id, 'start_date=2025-03-01&end_date=2026-03-02');
    assert.deepEqual([long.status, long.body.error], [400, 'range_too_long']);
    assert.equal((await form2(id, 'from_date=2025-03-02&to_date=2026-03-02')).status, 200);
    for (const query of ['from_date=2025-03-01&to_date=2026-03-02', 'from_date=2026-03-02&to_date=2026-03-01']) {
      const answer = await form2(id, query);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_range'], query);
    }
    const backwards = await form1(id, 'start_date=2026-03-02&end_date=2026-03-01');
    assert.deepEqual([backwards.status, issuePaths(backwards.body)], [400, ['end_date']]);
  });

  it('400 for missing or invalid dates, and limits out of bounds', async () => {
    const { id } = await createPerson();
    for (const query of [
      'start_date=2026-03-01',
      'start_date=2026-03-01&end_date=2026-02-30',
      'from_date=yesterday',
      'limit=0',
      'limit=101',
      'limit=ten',
      `${RANGE[1]}&page=2`,
    ]) {
      const answer = await api.get(`/v1/users/${id}/sleep?${query}`);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_parameter'], query);
    }
    const mixed = await api.get(`/v1/users/${id}/sleep?start_date=2026-03-01&to_date=2026-03-02`);
    assert.equal(mixed.body.error, 'mixed_forms');
  });

  it('200 at the ends of the calendar', async () => {
    const { id } = await createPerson();
    for (const day of ['1900-01-01', '9999-12-31'])
      assert.deepEqual((await form1(id, `start_date=${day}&end_date=${day}`)).body, { data: [] }, day);
  });

  it('404 for an unknown user, 403 for the token of another', async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    assert.equal((await form2(ABSENT_ID)).status, 404);
    const { token } = (await api.post('/v1/auth/user-token', { user_id: other.id })).body;
    const answer = await service.api(token).get(`/v1/users/${person.id}/sleep`);
    assert.deepEqual([answer.status, answer.body.error], [403, 'wrong_user']);
  });
});

describe('pages of sleeps', () => {
  const naps = Array.from({ length: 9 }, (_, day) =>
    sleepAt(`2026-03-0${day + 1}T12:00:00Z`, `2026-03-0${day + 1}T13:00:00Z`),
  );
  const follow = async (id: string, query: string, limits: number[]): Promise<string[][]> => {
    const pages: string[][] = [];
    let cursor = '';
    for (const limit of limits) {
      const { status, body, text } = await api.get(`/v1/users/${id}/sleep?${query}&limit=${limit}${cursor}`);
      assert.equal(status, 200, text);
      pages.push(body.data.map(({ date }: JsonBody) => date.slice(8)));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    return pages;
  };

  it('200 follow each other to the end, also with another limit', async () => {
    const person = await createPerson();
    await report(person, 'ring', ...naps);
    assert.deepEqual(await follow(person.id, RANGE[2], [4, 2, 3, 5]), [
      ['09', '08', '07', '06'],
      ['05', '04'],
      ['03', '02', '01'],
    ]);
  });

  it('200 neither skip nor repeat a sleep while newer and older ones arrive', async () => {
    const person = await createPerson();
    await report(person, 'ring', ...naps.slice(2, 8));
    const first = (await form2(person.id, `${RANGE[2]}&limit=3`)).body;
    await report(person, 'ring', ...naps);
    const second = (await form2(person.id, `${RANGE[2]}&limit=3&cursor=${first.next_cursor}`)).body;
    const third = (await form2(person.id, `${RANGE[2]}&limit=3&cursor=${second.next_cursor}`)).body;
    const days = [first, second, third].map(({ data }) => data.map(({ date }: JsonBody) => date.slice(8)));
    assert.deepEqual(days, [
      ['08', '07', '06'],
      ['05', '04', '03'],
      ['02', '01'],
    ]);
    assert.equal(third.next_cursor, null);
  });

  it('400 invalid_cursor: damaged, of another user, of another list, with other dates', async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    for (const one of [person, other]) await report(one, 'ring', ...naps);
    const { next_cursor: cursor } = (await form2(person.id, `${RANGE[2]}&limit=2`)).body;
    for (const path of [
      `/v1/users/${person.id}/sleep?${RANGE[2]}&cursor=${cursor.slice(0, -2)}`,
      `/v1/users/${person.id}/sleep?${RANGE[2]}&cursor=nonsense`,
      `/v1/users/${other.id}/sleep?${RANGE[2]}&cursor=${cursor}`,
      `/v1/users/${person.id}/workouts?${RANGE[2]}&cursor=${cursor}`,
      `/v1/users/${person.id}/sleep?from_date=2026-03-02&to_date=2026-03-09&cursor=${cursor}`,
      `/v1/users/${person.id}/sleep?from_date=2026-03-01&to_date=2026-03-08&cursor=${cursor}`,
    ]) {
      const answer = await api.get(path);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_cursor'], path);
    }
  });

  it('200 keep their range when the dates were defaults (runs last, because it moves the clock)', async () => {
    const person = await createPerson();
    await report(person, 'ring', ...naps);
    const first = (await api.get(`/v1/users/${person.id}/sleep?limit=5`)).body;
    clock.advance(35 * DAY_MS);
    const second = (await api.get(`/v1/users/${person.id}/sleep?limit=5&cursor=${first.next_cursor}`)).body;
    assert.deepEqual([second.from_date, second.to_date, second.data.length], [first.from_date, first.to_date, 4]);
  });
});
