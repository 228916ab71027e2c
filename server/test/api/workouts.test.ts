// Tests workouts: the list in both forms, and the detail.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Workout } from '../../src/domain/records/records.ts';
import type { DeviceNumber } from '../../src/domain/tenancy.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { insertDevice, openTestUser } from '../support/test-samples.ts';
import { startTestService } from '../support/test-service.ts';
import { reportSessions, traceFrom, workoutAt } from '../support/test-sessions.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-10T12:00:00Z')) });
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;

type Person = { id: string; devices: Record<'watch' | 'phone', { id: string; number: DeviceNumber }> };

async function createPerson(fields: object = {}): Promise<Person> {
  const { id } = await createUser(api, { timezone: 'Europe/Berlin', ...fields });
  const watch = await insertDevice(db, id, { number: 1, provider: 'garmin', deviceClass: 'wrist' });
  const phone = await insertDevice(db, id, { number: 2, provider: 'polar', deviceClass: 'phone' });
  return { id, devices: { watch, phone } };
}

async function report(person: Person, device: 'watch' | 'phone', ...workouts: Workout[]): Promise<void> {
  await reportSessions(db, await openTestUser(db, person.id), person.devices[device].number, { workouts });
}

const RANGE = { 1: 'start_date=2026-03-01&end_date=2026-03-09', 2: 'from_date=2026-03-01&to_date=2026-03-09' } as const;
const list = (id: string, query: string) => api.get(`/v1/users/${id}/workouts?${query}`);
const detail = (id: string, workoutId: string, form = '2') =>
  api.get(`/v1/users/${id}/workouts/${workoutId}`, { headers: { 'api-form': form } });
const onlyId = async (person: Person): Promise<string> => (await list(person.id, RANGE[2])).body.data[0].id;

const START = '2026-03-02T17:00:00Z';
/** Zones of a user without a profile: from 60 to 190, a tenth of the reserve is 13. */
const RUN = workoutAt(START, '2026-03-02T17:50:00Z', {
  key: 'run',
  distanceKm: 10.00049,
  activeCalories: 612.4,
  steps: 9_100,
  elevationGainM: 85.26,
  durationMinutes: 48,
  heartRateSamples: traceFrom(START, [0, 100], [10, 110], [60, 130], [120, 145.5], [180, 171], [210, 100]),
});

describe('GET /v1/users/{id}/workouts', () => {
  it('200 Form 1: an envelope with meta, UTC timestamps and zones', async () => {
    const person = await createPerson();
    await report(person, 'watch', RUN);
    const { status, body, headers } = await list(person.id, RANGE[1]);
    assert.equal(status, 200);
    assert.equal(headers.get('api-form'), '1');
    const [{ id, ...run }] = body.data;
    assert.equal(id, await onlyId(person));
    assert.deepEqual(body.meta, { page: 1, per_page: 20, total: 1 });
    assert.deepEqual(run, {
      sport_type: 'running',
      start: '2026-03-02T17:00:00Z',
      end: '2026-03-02T17:50:00Z',
      duration: 48,
      distance: 10,
      active_calories: 612,
      // 10 s at 100, 50 at 110, 60 at 130, 60 at 145.5, 30 at 171; the last one lasts as long as the one before it.
      heart_rate_avg: 129.8,
      heart_rate_max: 171,
      heart_rate_zones: { zone_1: 1, zone_2: 1, zone_3: 0, zone_4: 0.5, zone_5: 0 },
      elevation_gain: 85.3,
    });
  });

  it('200 Form 2: local time of the user, the source, and the strain', async () => {
    const person = await createPerson();
    await report(person, 'watch', RUN);
    const { body, headers } = await list(person.id, RANGE[2]);
    assert.equal(headers.get('api-form'), '2');
    const [{ id, ...run }] = body.data;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      { ...body, data: [run] },
      {
        from_date: '2026-03-01',
        to_date: '2026-03-09',
        data: [
          {
            type: 'running',
            start_time: '2026-03-02T18:00:00',
            duration_minutes: 48,
            calories: 612,
            distance_km: 10,
            source: 'garmin',
            avg_heart_rate: 129.8,
            max_heart_rate: 171,
            // The trace covers 4 of 48 minutes, so the average is used: 53.7 % of the reserve, a load of 50.7.
            strain: 36.8,
          },
        ],
        next_cursor: null,
      },
    );
  });

  it('200 a call without parameters returns Form 2, for the last 30 days', async () => {
    const person = await createPerson();
    await report(person, 'watch', RUN, workoutAt('2026-02-01T10:00:00Z', '2026-02-01T11:00:00Z'));
    const { body, headers } = await api.get(`/v1/users/${person.id}/workouts`);
    assert.equal(headers.get('api-form'), '2');
    assert.deepEqual([body.from_date, body.to_date, body.data.length], ['2026-02-09', '2026-03-10', 1]);
  });

  it('200 null for values that the source did not supply, 0 for a measured 0', async () => {
    const person = await createPerson();
    await report(
      person,
      'watch',
      workoutAt(START, '2026-03-02T17:30:00Z', { activeCalories: 0, sportType: 'quidditch' }),
    );
    const [one] = (await list(person.id, RANGE[1])).body.data;
    assert.deepEqual(
      [
        one.sport_type,
        one.duration,
        one.distance,
        one.active_calories,
        one.heart_rate_avg,
        one.heart_rate_zones,
        one.elevation_gain,
      ],
      ['other', 30, null, 0, null, null, null],
    );
    const [two] = (await list(person.id, RANGE[2])).body.data;
    assert.deepEqual(
      [two.type, two.calories, two.distance_km, two.avg_heart_rate, two.max_heart_rate],
      ['other', 0, null, null, null],
    );
  });

  it('200 heart-rate values reported by the source win over its trace', async () => {
    const person = await createPerson();
    await report(person, 'watch', { ...RUN, avgHeartRate: 140, maxHeartRate: 180 });
    const [one] = (await list(person.id, RANGE[1])).body.data;
    assert.deepEqual([one.heart_rate_avg, one.heart_rate_max, one.heart_rate_zones.zone_1], [140, 180, 1]);
  });

  it('200 units: km and miles, metres for swimming, feet for elevation; Form 2 is metric', async () => {
    const person = await createPerson();
    const swim = workoutAt('2026-03-03T17:00:00Z', '2026-03-03T18:00:00Z', {
      sportType: 'pool_swimming',
      distanceKm: 1.525,
    });
    await report(person, 'watch', RUN, swim);
    const distances = async (query: string) =>
      (await list(person.id, query)).body.data.map((one: JsonBody) => [one.distance, one.elevation_gain]);
    assert.deepEqual(await distances(RANGE[1]), [
      [1_525, null],
      [10, 85.3],
    ]);
    assert.deepEqual(await distances(`${RANGE[1]}&unit_system=imperial`), [
      [0.948, null],
      [6.214, 279.7],
    ]);
    const kilometres = (await list(person.id, RANGE[2])).body.data.map((one: JsonBody) => one.distance_km);
    assert.deepEqual(kilometres, [1.525, 10]);
  });

  it('200 include_sources names the device in both forms', async () => {
    const person = await createPerson();
    await report(person, 'phone', RUN);
    const [one] = (await list(person.id, `${RANGE[1]}&include_sources=true`)).body.data;
    assert.deepEqual(one.source, { provider: 'polar', device_id: person.devices.phone.id });
    const [two] = (await list(person.id, `${RANGE[2]}&include_sources=true`)).body.data;
    assert.deepEqual(two.source_detail, {
      provider: 'polar',
      device_id: person.devices.phone.id,
      model: null,
      name: null,
    });
  });

  it('200 zones follow the maximum of the profile, and the age on the day of the workout', async () => {
    const [entered, aged] = [
      await createPerson({ profile: { max_heart_rate: 160 } }),
      await createPerson({ profile: { birth_date: '1946-03-03' } }),
    ];
    const onBirthday = {
      ...RUN,
      key: 'next',
      start: (RUN.start + DAY_MS) as Workout['start'],
      end: (RUN.end + DAY_MS) as Workout['end'],
    };
    const next = {
      ...onBirthday,
      heartRateSamples:
        RUN.heartRateSamples?.map(({ time, bpm }) => ({ time: (time + DAY_MS) as Workout['start'], bpm })) ?? null,
    };
    for (const person of [entered, aged]) await report(person, 'watch', RUN, next);
    const zonesOf = async (person: Person) =>
      (await list(person.id, RANGE[1])).body.data.map((one: JsonBody) => Object.values(one.heart_rate_zones));
    const ofTen = [0.8, 0, 1, 1, 0.5]; // 60 to 160: 110 is the border of zone 1
    assert.deepEqual(await zonesOf(entered), [ofTen, ofTen]);
    // 208 − 0.7 × 79 = 152.7 before the birthday, 152 on it: both above 145.5 and below 171.
    assert.deepEqual(await zonesOf(aged), [
      [0.8, 0, 1, 0, 1.5],
      [0.8, 0, 1, 0, 1.5],
    ]);
    const [later, earlier] = (await list(aged.id, RANGE[2])).body.data;
    const maxOf = async (id: string) => (await detail(aged.id, id)).body.heart_rate.zones[4].max_bpm;
    assert.deepEqual([await maxOf(earlier.id), await maxOf(later.id)], [152.7, 152]);
  });

  it('200 the day is that of the start, in the user’s zone', async () => {
    const person = await createPerson({ timezone: 'Asia/Kathmandu' });
    await report(person, 'watch', workoutAt('2026-03-04T18:10:00Z', '2026-03-04T19:00:00Z'));
    const ofDay = async (date: string) => (await list(person.id, `from_date=${date}&to_date=${date}`)).body.data;
    const [late] = await ofDay('2026-03-04');
    assert.equal(late.start_time, '2026-03-04T23:55:00');
    assert.deepEqual(await ofDay('2026-03-05'), []);
  });

  it('200 one workout if two devices recorded it', async () => {
    const person = await createPerson();
    await report(person, 'phone', workoutAt('2026-03-02T16:58:00Z', '2026-03-02T17:51:00Z', { key: 'p' }));
    await report(person, 'watch', RUN);
    assert.equal((await list(person.id, RANGE[1])).body.meta.total, 1);
    assert.deepEqual(
      (await list(person.id, RANGE[2])).body.data.map(({ source }: JsonBody) => source),
      ['garmin'],
    );
  });

  it('200 pages by number in Form 1, with the total', async () => {
    const person = await createPerson();
    const hours = Array.from({ length: 5 }, (_, day) =>
      workoutAt(`2026-03-0${day + 2}T10:00:00Z`, `2026-03-0${day + 2}T11:00:00Z`),
    );
    await report(person, 'watch', ...hours);
    const page = async (number: number) => (await list(person.id, `${RANGE[1]}&per_page=2&page=${number}`)).body;
    assert.deepEqual(
      (await page(1)).data.map(({ start }: JsonBody) => start.slice(8, 10)),
      ['06', '05'],
    );
    assert.deepEqual(
      (await page(3)).data.map(({ start }: JsonBody) => start.slice(8, 10)),
      ['02'],
    );
    assert.deepEqual((await page(4)).data, []);
    assert.deepEqual((await page(3)).meta, { page: 3, per_page: 2, total: 5 });
    assert.equal((await list(person.id, `${RANGE[1]}&per_page=101`)).status, 400);
  });

  it('200 pages by cursor in Form 2, stable while workouts arrive', async () => {
    const person = await createPerson();
    const hours = Array.from({ length: 6 }, (_, day) =>
      workoutAt(`2026-03-0${day + 2}T10:00:00Z`, `2026-03-0${day + 2}T11:00:00Z`),
    );
    await report(person, 'watch', ...hours.slice(0, 5));
    const first = (await list(person.id, `${RANGE[2]}&limit=3`)).body;
    await report(person, 'watch', ...hours);
    const second = (await list(person.id, `${RANGE[2]}&limit=1&cursor=${first.next_cursor}`)).body;
    const third = (await list(person.id, `${RANGE[2]}&cursor=${second.next_cursor}`)).body;
    const days = [first, second, third].map(({ data }) => data.map((one: JsonBody) => one.start_time.slice(8, 10)));
    assert.deepEqual(days, [['06', '05', '04'], ['03'], ['02']]);
    assert.equal(third.next_cursor, null);
  });

  it('200 both forms return the same workouts', async () => {
    const person = await createPerson();
    await report(
      person,
      'watch',
      RUN,
      workoutAt('2026-03-05T10:00:00Z', '2026-03-05T10:20:30Z', { distanceKm: 3.3333, avgHeartRate: 99.95 }),
    );
    const [one, two] = [(await list(person.id, RANGE[1])).body.data, (await list(person.id, RANGE[2])).body.data];
    assert.deepEqual(
      one.map((run: JsonBody) => [
        run.id,
        run.sport_type,
        run.duration,
        run.distance,
        run.active_calories,
        run.heart_rate_avg,
        run.heart_rate_max,
      ]),
      two.map((run: JsonBody) => [
        run.id,
        run.type,
        run.duration_minutes,
        run.distance_km,
        run.calories,
        run.avg_heart_rate,
        run.max_heart_rate,
      ]),
    );
  });

  it('304 until something changes, including the profile that zones depend on', async () => {
    const person = await createPerson();
    await report(person, 'watch', RUN);
    const path = `/v1/users/${person.id}/workouts?${RANGE[1]}`;
    const headers = { 'if-none-match': (await api.get(path)).headers.get('etag') ?? '' };
    assert.equal((await api.get(path, { headers })).status, 304);
    await api.patch(`/v1/users/${person.id}`, { profile: { max_heart_rate: 200 } });
    assert.equal((await api.get(path, { headers })).status, 200);
  });

  it('400 for invalid ranges and cursors', async () => {
    const { id } = await createPerson();
    const codeOf = async (query: string) => (await list(id, query)).body.error;
    assert.equal(await codeOf('start_date=2024-01-01&end_date=2026-01-01'), 'range_too_long');
    assert.equal(await codeOf('from_date=2024-01-01&to_date=2026-01-01'), 'invalid_range');
    assert.equal(await codeOf('from_date=2026-01-02&to_date=2026-01-01'), 'invalid_range');
    assert.equal(await codeOf('cursor=abc'), 'invalid_cursor');
    assert.equal(await codeOf('end_date=2026-01-01'), 'invalid_parameter');
  });

  it('404 for an unknown user; a user token reads only its own', async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    await report(person, 'watch', RUN);
    assert.equal((await list(ABSENT_ID, RANGE[2])).status, 404);
    const tokenOf = async (id: string) => (await api.post('/v1/auth/user-token', { user_id: id })).body.token;
    const read = async (id: string) => service.api(await tokenOf(id)).get(`/v1/users/${person.id}/workouts`);
    assert.equal((await read(person.id)).body.data.length, 1);
    assert.equal((await read(other.id)).body.error, 'wrong_user');
  });
});

describe('GET /v1/users/{id}/workouts/{workout_id}', () => {
  it('200 the list item, name, metrics, heart rate and duplicates, in both forms', async () => {
    const person = await createPerson();
    await report(person, 'phone', workoutAt('2026-03-02T16:58:00Z', '2026-03-02T17:51:00Z', { key: 'p' }));
    await report(person, 'watch', { ...RUN, avgMets: 9.87, weatherTemperatureC: -3.5, weatherHumidityPct: 81 });
    const [item] = (await list(person.id, RANGE[2])).body.data;
    const { status, body } = await detail(person.id, item.id);
    assert.equal(status, 200);
    const { name, metrics, heart_rate, source_detail, copy_of, copies, ...listed } = body;
    const { heart_rate_zones, heart_rate_zones_from, ...rest } = listed;
    assert.equal(copy_of, null);
    assert.deepEqual(heart_rate_zones, { zone_1: 1, zone_2: 1, zone_3: 0, zone_4: 0.5, zone_5: 0 });
    assert.equal(heart_rate_zones_from, 'trace');
    assert.deepEqual(rest, item);
    assert.equal(name, 'Running');
    assert.deepEqual(metrics, {
      elevation_meters: 85.3,
      steps: 9_100,
      avg_speed_kmh: 12.5,
      avg_pace_seconds_per_km: 288,
      avg_mets: 9.9,
      weather_temperature_c: -3.5,
      weather_humidity_pct: 81,
      swimming_stroke_count: null,
      swimming_lap_length_m: null,
    });
    assert.deepEqual(heart_rate, {
      avg_bpm: 129.8,
      max_bpm: 171,
      zones: [
        { zone: 1, min_bpm: 125, max_bpm: 138, minutes: 1 },
        { zone: 2, min_bpm: 138, max_bpm: 151, minutes: 1 },
        { zone: 3, min_bpm: 151, max_bpm: 164, minutes: 0 },
        { zone: 4, min_bpm: 164, max_bpm: 177, minutes: 0.5 },
        { zone: 5, min_bpm: 177, max_bpm: 190, minutes: 0 },
      ],
      samples: [
        { timestamp: '2026-03-02T18:00:00', bpm: 105 },
        { timestamp: '2026-03-02T18:01:00', bpm: 130 },
        { timestamp: '2026-03-02T18:02:00', bpm: 145.5 },
        { timestamp: '2026-03-02T18:03:00', bpm: 171 },
        { timestamp: '2026-03-02T18:03:30', bpm: 100 },
      ],
    });
    assert.equal(source_detail.device_id, person.devices.watch.id);
    assert.deepEqual(
      copies.map(({ id, ...copy }: JsonBody) => [typeof id, copy]),
      [
        [
          'string',
          {
            source: 'polar',
            device_id: person.devices.phone.id,
            start_time: '2026-03-02T17:58:00',
            duration_minutes: 53,
            re_export_of: null,
          },
        ],
      ],
    );
    const other = await detail(person.id, item.id, '1');
    assert.equal(other.headers.get('api-form'), '1');
    const [form1Item] = (await list(person.id, RANGE[1])).body.data;
    assert.deepEqual(other.body, { ...body, ...form1Item });
  });

  it('200 heart_rate is null without a trace, even if average and maximum are known', async () => {
    const person = await createPerson();
    await report(person, 'watch', {
      ...RUN,
      heartRateSamples: null,
      avgHeartRate: 140,
      maxHeartRate: 170,
      name: 'Hausrunde',
    });
    const { body } = await detail(person.id, await onlyId(person));
    assert.deepEqual(
      [body.heart_rate, body.avg_heart_rate, body.max_heart_rate, body.name, body.copies],
      [null, 140, 170, 'Hausrunde', []],
    );
    assert.deepEqual([body.heart_rate_zones, body.heart_rate_zones_from], [null, null]);
  });

  it('200 zones reported by the source without a trace, and their origin', async () => {
    const person = await createPerson();
    const sourceZones = { minutes: [6, 14, 26, 12, 2], isApproximate: false };
    const start = '2026-03-04T17:00:00Z';
    const counted = workoutAt(start, '2026-03-04T18:00:00Z', { key: 'counted', sourceZones });
    const approximate = { ...sourceZones, isApproximate: true };
    const early = workoutAt('2026-03-03T07:00:00Z', '2026-03-03T08:00:00Z', { key: 'e', sourceZones: approximate });
    const traced = { ...RUN, sourceZones: { minutes: [0, 0, 0, 0, 9], isApproximate: false } };
    await report(person, 'watch', counted, early, traced);
    const listed = (await list(person.id, `${RANGE[1]}&include_sources=true`)).body.data;
    const given = { zone_1: 6, zone_2: 14, zone_3: 26, zone_4: 12, zone_5: 2 };
    assert.deepEqual(
      listed.map((one: JsonBody) => [one.heart_rate_zones, one.heart_rate_zones_from]),
      [
        [given, 'source'],
        [given, 'source_approximate'],
        [{ zone_1: 1, zone_2: 1, zone_3: 0, zone_4: 0.5, zone_5: 0 }, 'trace'],
      ],
    );
    const [plain] = (await list(person.id, RANGE[1])).body.data;
    assert.ok(!('heart_rate_zones_from' in plain), 'only with include_sources');
    const { body } = await detail(person.id, listed[0].id);
    assert.deepEqual([body.heart_rate, body.heart_rate_zones, body.heart_rate_zones_from], [null, given, 'source']);
    // A load of 127.8, as for any reported zones: 6 × 1.107 + 14 × 1.566 + 26 × 2.162 + 12 × 2.932 + 2 × 3.921.
    assert.equal(body.strain, 58.2);
  });

  it('200 samples are means of 15, 30 or 60 seconds, depending on the length of the workout', async () => {
    const person = await createPerson();
    const long = (minutes: number, day: string) => {
      const start = `2026-03-${day}T08:00:00Z`;
      const beat = Array.from({ length: 121 }, (_, second): [number, number] => [second, 100 + (second % 2)]);
      const end = Date.parse(start) + minutes * MINUTE_MS;
      return workoutAt(start, end, { heartRateSamples: traceFrom(start, ...beat) });
    };
    await report(person, 'watch', long(60, '03'), long(61, '04'), long(121, '05'));
    const ids = (await list(person.id, RANGE[2])).body.data.map(({ id }: JsonBody) => id);
    const seconds = await Promise.all(
      ids.map(async (id: string) => {
        const { samples } = (await detail(person.id, id)).body.heart_rate;
        return samples.slice(0, 3).map(({ timestamp }: JsonBody) => timestamp.slice(14));
      }),
    );
    assert.deepEqual(seconds, [
      ['00:00', '01:00', '02:00'],
      ['00:00', '00:30', '01:00'],
      ['00:00', '00:15', '00:30'],
    ]);
  });

  it('304 until something changes', async () => {
    const person = await createPerson();
    await report(person, 'watch', RUN);
    const path = `/v1/users/${person.id}/workouts/${await onlyId(person)}`;
    const headers = { 'if-none-match': (await api.get(path)).headers.get('etag') ?? '' };
    assert.equal((await api.get(path, { headers })).status, 304);
    await report(person, 'watch', { ...RUN, steps: 1 });
    assert.equal((await api.get(path, { headers })).status, 200);
  });

  it('200 a user token reads its own', async () => {
    const person = await createPerson();
    await report(person, 'watch', RUN);
    const { token } = (await api.post('/v1/auth/user-token', { user_id: person.id })).body;
    const answer = await service.api(token).get(`/v1/users/${person.id}/workouts/${await onlyId(person)}`);
    assert.equal(answer.status, 200);
  });

  it('404 workout_not_found: unknown, invalid UUID, of another user', async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    await report(person, 'watch', RUN);
    const id = await onlyId(person);
    for (const [user, workout] of [
      [person.id, ABSENT_ID],
      [person.id, 'first'],
      [other.id, id],
    ] as const) {
      const answer = await detail(user, workout);
      assert.deepEqual([answer.status, answer.body.error], [404, 'workout_not_found']);
      assert.deepEqual(answer.body.details, { workout_id: workout });
      assert.equal(answer.headers.get('etag'), null);
    }
  });

  it('200 a copy has its own values and names the canonical workout, in both forms', async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    await report(person, 'watch', RUN);
    await report(person, 'phone', { ...RUN, key: 'p', distanceKm: 9.5, heartRateSamples: null });
    const id = await onlyId(person);
    const canonical = (await detail(person.id, id)).body;
    assert.equal(canonical.copy_of, null);
    const copyId = canonical.copies[0].id;
    for (const form of ['1', '2'] as const) {
      const { status, body } = await detail(person.id, copyId, form);
      assert.equal(status, 200);
      assert.deepEqual(
        [body.id, body.copy_of, body.copies, body.distance_km, body.heart_rate, body.source_detail.device_id],
        [copyId, id, [], 9.5, null, person.devices.phone.id],
      );
      assert.equal((await detail(other.id, copyId, form)).status, 404);
    }
  });

  it('404 not_found for an unknown user', async () => {
    const answer = await detail(ABSENT_ID, ABSENT_ID);
    assert.deepEqual([answer.status, answer.body.error], [404, 'not_found']);
  });
});
