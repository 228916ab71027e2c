// Workouts, nights and days that reach the service several times, through provider accounts and phones: each counts once, from
// the device that recorded it.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import type { SampleColumns } from '../../src/domain/packed/sample-blocks/index.ts';
import type { DailyValue, EpochMs, Workout } from '../../src/domain/records/records.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import {
  COPY_COUNT,
  createCopiedWeek,
  type SimulatedRecord,
  SOURCES,
  type SourceName,
  WORKOUT_COUNT,
} from '../../src/domain/workouts/copied-week.simulation.ts';
import { type Batch, ingest } from '../../src/features/pipeline/ingest/index.ts';
import { listSourceDevices } from '../../src/features/store/devices/index.ts';
import { changeUser } from '../../src/features/tenancy/user-core/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone, type TestPhone } from '../support/test-phone.ts';
import { insertDevice, openTestUser } from '../support/test-samples.ts';
import { startTestService } from '../support/test-service.ts';
import { sleepAt, workoutAt } from '../support/test-sessions.ts';
import { createUser } from '../support/test-users.ts';

const NOW = new Date('2026-03-09T20:00:00Z');
const WEEK = Date.parse('2026-03-02T00:00:00Z');
const service = await startTestService({ clock: createFrozenClock(NOW) });
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;

type Records = Partial<Omit<Batch, 'deletions'>>;
type Person = {
  readonly id: string;
  readonly phones: Readonly<Record<string, TestPhone>>;
  /** Stores what a connected account sent, like a sync run. */
  send(account: string, records: Records): Promise<void>;
};

async function createPerson(accounts: readonly SourceName[]): Promise<Person> {
  const { id } = await createUser(api, { timezone: 'UTC' });
  const ids = new Map<string, string>();
  for (const [index, name] of accounts.entries()) {
    const { provider, deviceClass } = SOURCES[name];
    ids.set(name, (await insertDevice(db, id, { number: index + 1, provider, deviceClass })).id);
  }
  const phones = {
    apple_health: await startPhone(service, id),
    health_connect: await startPhone(service, id, { platform: 'android' }),
  };
  const send = async (account: string, { samples = new Map(), sleep = [], workouts = [], daily = [] }: Records) => {
    const { tenant, userId } = await openTestUser(db, id);
    await changeUser(service.running.services, tenant, userId, async (tx, locked) => {
      assert.ok(locked !== null);
      const devices = await listSourceDevices(tx, locked.handle);
      const device = devices.find((one) => one.id === ids.get(account)) ?? assert.fail(account);
      const batch = { samples, sleep, workouts, daily, deletions: [] };
      await ingest(tx, locked.handle, { device, devices }, batch, NOW);
    });
  };
  return { id, phones, send };
}

const FORM2 = { headers: { 'api-form': '2' } };
const iso = (ms: number) => new Date(ms).toISOString();
const appOf = (name: SourceName): string | null =>
  'app' in SOURCES[name] ? (SOURCES[name] as { app: string }).app : null;

async function report(person: Person, source: SourceName, records: readonly SimulatedRecord[]): Promise<void> {
  const app = appOf(source);
  const { provider, deviceClass } = SOURCES[source];
  if (app === null) {
    const workouts = records.map((one) => workoutAt(one.start, one.end, one as unknown as Partial<Workout>));
    return person.send(source, { workouts });
  }
  const workouts = records.map(({ key, sportType, start, end }) => ({
    id: key,
    sport_type: sportType,
    start: iso(start),
    end: iso(end),
  }));
  const answer = await person.phones[provider]?.upload({
    source: { provider, id: app, device_class: deviceClass },
    workouts,
  });
  assert.deepEqual(answer?.rejected, []);
}

const CLOUDS = Object.keys(SOURCES).filter((name) => appOf(name as SourceName) === null) as SourceName[];

describe('a week of 22 workouts with 191 copies', () => {
  it('200 is 22 workouts, each from its original device, and every copy can be read', async () => {
    const person = await createPerson(CLOUDS);
    const records = createCopiedWeek(1, WEEK);
    for (const [source, some] of Map.groupBy(records, ({ source }) => source)) await report(person, source, some);
    const path = `/v1/users/${person.id}/workouts`;
    const { body } = await api.get(
      `${path}?start_date=2026-03-01&end_date=2026-03-09&per_page=100&include_sources=true`,
    );
    const expected = records
      .filter(({ key, original }) => key === original)
      .sort((a, b) => b.start - a.start)
      .map(({ start, source }) => [iso(start).replace('.000', ''), SOURCES[source].provider]);
    assert.equal(expected.length, WORKOUT_COUNT);
    assert.deepEqual(
      body.data.map((one: JsonBody) => [one.start, one.source.provider]),
      expected,
    );
    const details = await Promise.all(body.data.map(({ id }: JsonBody) => api.get(`${path}/${id}`)));
    const copies = details.flatMap((detail) =>
      detail.body.copies.map((copy: JsonBody) => ({ ...copy, of: detail.body.id })),
    );
    assert.equal(copies.length, COPY_COUNT);
    assertEvery(copies, ({ re_export_of }) => re_export_of !== null);
    for (const { id, of, device_id } of copies.filter((_, index) => index % 10 === 0)) {
      const copy = await api.get(`${path}/${id}`);
      assert.deepEqual([copy.status, copy.body.copy_of, copy.body.source_detail.device_id], [200, of, device_id]);
    }
    const days = await api.get(
      `/v1/users/${person.id}/daily?start_date=2026-03-02&end_date=2026-03-08&metrics=workout_count`,
    );
    const counts = days.body.data.map(({ value }: JsonBody) => value);
    assert.deepEqual(counts, [3, 3, 3, 3, 3, 3, 4]);
  });

  it('200 explain names the original of a copy; without the original device a copy is listed', async () => {
    const person = await createPerson(['garmin', 'strava']);
    const [start, end] = [iso(WEEK + 600 * MINUTE_MS), iso(WEEK + 660 * MINUTE_MS)];
    await person.send('garmin', { workouts: [workoutAt(start, end, { key: '77' })] });
    const recordedBy = { vendor: 'garmin', id: '77' };
    await person.send('strava', { workouts: [workoutAt(start, end, { key: 'activity', recordedBy })] });
    const explained = await api.get(`/v1/users/${person.id}/daily/explain?metric=exercise&date=2026-03-02`, FORM2);
    const [original, copy] = explained.body.records;
    assert.deepEqual([original.outcome, original.original_id], ['used', null]);
    assert.deepEqual([copy.outcome, copy.original_id], ['re_export', original.id]);
    assert.match(copy.reason, /re-export of a workout from Garmin/);
    assert.equal((await api.delete(`/v1/users/${person.id}/devices/${original.device_id}`)).status, 204);
    const path = `/v1/users/${person.id}/workouts`;
    assert.equal((await api.get(`${path}/${original.id}`)).status, 404);
    const { body } = await api.get(`${path}/${copy.id}`, FORM2);
    assert.deepEqual([body.source, body.copy_of, body.copies], ['strava', null, []]);
  });
});

describe('nights and days that Apple Health and Health Connect re-export', () => {
  const DATES = Array.from({ length: 7 }, (_, day) => iso(WEEK + day * DAY_MS).slice(0, 10) as LocalDate);
  const nightOf = (day: number) => ({
    start: WEEK + day * DAY_MS - 90 * MINUTE_MS,
    end: WEEK + day * DAY_MS + 400 * MINUTE_MS,
  });
  const MINUTES = { asleep_minutes: 430, deep_minutes: 80, light_minutes: 250, rem_minutes: 100 };

  for (const order of ['accounts first', 'phones first'] as const)
    it(`200 count once, from the account, by every method (${order})`, async () => {
      const person = await createPerson(['garmin', 'polar']);
      const accounts = () =>
        person.send('garmin', {
          sleep: DATES.map((_, day) =>
            sleepAt(nightOf(day).start as EpochMs, nightOf(day).end as EpochMs, {
              key: `night ${day}`,
              asleepMinutes: 430,
              deepMinutes: 80,
              lightMinutes: 250,
              remMinutes: 100,
            }),
          ),
          daily: DATES.flatMap((date) => [
            toDaily(date, 'resting_heart_rate', 50, 'bpm'),
            toDaily(date, 'steps', 9_000, 'count'),
          ]),
        });
      const phones = async () => {
        for (const [provider, id] of [
          ['apple_health', 'com.garmin.connect.mobile'],
          ['health_connect', 'com.garmin.android.apps.connectmobile'],
        ] as const)
          await person.phones[provider]?.upload({
            source: { provider, id, device_class: 'wrist' },
            sleep: DATES.map((_, day) => ({
              id: `${provider} ${day}`,
              start: iso(nightOf(day).start + 2 * MINUTE_MS),
              end: iso(nightOf(day).end - 3 * MINUTE_MS),
              ...MINUTES,
            })),
            daily: DATES.flatMap((date) => [
              { date, metric: 'resting_heart_rate', value: 51 },
              { date, metric: 'steps', value: 9_100 },
            ]),
            samples: DATES.map((_, day) => ({
              metric: 'steps',
              start: iso(WEEK + day * DAY_MS + 600 * MINUTE_MS),
              end: iso(WEEK + day * DAY_MS + 610 * MINUTE_MS),
              value: 900,
            })),
          });
      };
      for (const part of order === 'accounts first' ? [accounts, phones] : [phones, accounts]) await part();
      const nights = await api.get(
        `/v1/users/${person.id}/sleep?start_date=2026-03-01&end_date=2026-03-09&include_sources=true`,
      );
      assert.deepEqual(
        nights.body.data.map((one: JsonBody) => one.source.provider),
        DATES.map(() => 'garmin'),
      );
      const last = await api.get(
        `/v1/users/${person.id}/sleep?start_date=2026-03-08&end_date=2026-03-08&include=copies`,
      );
      const described = last.body.data[0].copies.map((copy: JsonBody) => [copy.source, copy.re_export_of, copy.start]);
      const start = iso(nightOf(6).start + 2 * MINUTE_MS).replace('.000', '');
      assert.deepEqual(described.sort(), [
        ['apple_health', 'garmin', start],
        ['health_connect', 'garmin', start],
      ]);
      const both = 'from_date=2026-03-08&to_date=2026-03-08&include=stages,copies';
      const [night] = (await api.get(`/v1/users/${person.id}/sleep?${both}`)).body.data;
      assert.deepEqual(
        [night.stages, night.copies.map((copy: JsonBody) => [copy.duration_minutes, copy.asleep_minutes])],
        [null, [485, 485].map((minutes) => [minutes, 430])],
      );
      assertEvery(nights.body.data, (one: JsonBody) => one.copies === undefined);
      const query = 'start_date=2026-03-02&end_date=2026-03-08&metrics=steps,resting_heart_rate,asleep';
      const days = await api.get(`/v1/users/${person.id}/daily?${query}&include_sources=true`);
      assert.deepEqual(
        days.body.data.map((one: JsonBody) => [one.metric, one.value, one.source.provider]),
        DATES.flatMap(() => [
          ['steps', 9_000, 'garmin'],
          ['resting_heart_rate', 50, 'garmin'],
          ['asleep', 430, 'garmin'],
        ]),
      );
      for (const method of ['sum', 'avg', 'max']) {
        await setMethod(person.id, 'steps', method);
        const { body } = await api.get(`/v1/users/${person.id}/daily/explain?metric=steps&date=2026-03-04`, FORM2);
        assert.deepEqual(
          [body.method, body.value, body.candidates.map(({ outcome }: JsonBody) => outcome)],
          [method, 9_000, ['re_export', 're_export', 'used']],
        );
      }
    });
});

describe('samples that Apple Health re-exports', () => {
  const START = WEEK + 600 * MINUTE_MS;
  /** Ten minutes at the beginning of each quarter hour. */
  const columns = (values: readonly number[], unit: string): SampleColumns => ({
    starts: Float64Array.from(values, (_, index) => START + index * 15 * MINUTE_MS),
    ends: Float64Array.from(values, (_, index) => START + (index * 15 + 10) * MINUTE_MS),
    values: Float64Array.from(values),
    runs: [{ count: values.length, unit, offsetMinutes: 0, method: 'automatic' }],
  });
  const upload = (metric: string, values: Readonly<Record<number, number>>) =>
    Object.entries(values).map(([index, value]) => ({
      metric,
      start: iso(START + Number(index) * 15 * MINUTE_MS),
      end: iso(START + (Number(index) * 15 + 10) * MINUTE_MS),
      value,
    }));

  for (const order of ['account first', 'phone first'] as const)
    it(`200 timeseries prefer the account, and agree with the day (${order})`, async () => {
      const person = await createPerson(['garmin']);
      const account = () =>
        person.send('garmin', {
          samples: new Map([
            ['steps' as MetricId, columns([300, 310], 'count')],
            ['heart_rate' as MetricId, columns([81, 82], 'bpm')],
          ]),
        });
      const phone = async () => {
        await person.phones.apple_health?.upload({
          source: { provider: 'apple_health', id: 'com.garmin.connect.mobile', device_class: 'wrist' },
          samples: [...upload('steps', { 0: 301, 1: 311, 2: 321 }), ...upload('heart_rate', { 0: 91, 1: 92, 2: 93 })],
        });
        await person.phones.apple_health?.upload({
          source: { provider: 'apple_health', id: 'com.apple.health.phone', device_class: 'phone' },
          samples: upload('steps', { 1: 50 }),
        });
      };
      for (const part of order === 'account first' ? [account, phone] : [phone, account]) await part();
      const query = 'start_date=2026-03-02&end_date=2026-03-02';
      const series = await api.get(`/v1/users/${person.id}/timeseries?metrics=steps,heart_rate&${query}`);
      const valuesOf = (metric: string) =>
        series.body.data.filter((one: JsonBody) => one.metric === metric).map(({ value }: JsonBody) => value);
      assert.deepEqual(valuesOf('heart_rate'), [81, 82, 93]);
      assert.deepEqual(valuesOf('steps'), [300, 50, 321]);
      const day = await api.get(`/v1/users/${person.id}/daily?metrics=steps&${query}`);
      assert.equal(day.body.data[0]?.value, 671);
    });
});

function toDaily(date: LocalDate, metric: string, value: number, unit: string): DailyValue {
  return { date, metric: metric as MetricId, value, unit, method: 'automatic' };
}

async function setMethod(id: string, metric: string, method: string): Promise<void> {
  const answer = await api.patch(`/v1/users/${id}/consolidation`, { metrics: { [metric]: { method } } });
  assert.equal(answer.status, 202, answer.text);
}
