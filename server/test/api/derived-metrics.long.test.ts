// Every metric that the service computes has a value when its inputs exist, follows their changes, and is removed with them.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { METRICS } from '../../src/domain/metrics/index.ts';
import { isComputed } from '../../src/domain/metrics/record-limits.ts';
import { SCORE_TYPES } from '../../src/domain/scores/index.ts';
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { listDelivered, withParts } from '../../src/providers/delivered-metrics.ts';
import { CLOUD_PROVIDERS } from '../../src/providers/registry.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { startPhone, type TestPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date('2026-03-20T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const { db } = service.running.services;
const api = service.api();

/** The tested day, which has ended. */
const DAY = '2026-03-19' as LocalDate;
const WITH_SCORES = [
  'training_load',
  'waking_heart_rate',
  'waking_heart_rate_variability',
  'sleep_need',
  'sleep_debt',
  'sleep_midpoint_variability',
  'sleep_regularity_index',
  'sleep_heart_rate_dip',
  'body_mass_index',
];
const SCORES: ReadonlySet<string> = new Set(SCORE_TYPES);
const TEN = [...WITH_SCORES, 'body_fat_mass'];

async function settle(userId: string): Promise<void> {
  clock.advance(2 * SECOND_MS);
  await waitUntil('the scores', async () => {
    const due = 'select 1 from scoring_queue where user_id = $1 and due_at <= $2';
    return (await db.query(due, [userId, clock.now()])).length === 0;
  });
}

const at = (date: LocalDate, hour: number, quarter = 0) =>
  `${date}T${String(hour).padStart(2, '0')}:${String(quarter * 15).padStart(2, '0')}:00Z`;

/** From 23:00 of the previous evening. */
const nightOf = (date: LocalDate, { asleep = 450, wakes = 7 } = {}) => ({
  id: `night-${date}`,
  start: at(addDays(date, -1), 23),
  end: at(date, wakes),
  asleep_minutes: asleep,
  in_bed_minutes: 60 * (wakes + 1),
  heart_rate: 54,
  heart_rate_variability: 60,
});

/** Sixteen quarter hours at rest, alternating 72 and 76 bpm. */
function quartersOf(date: LocalDate) {
  return Array.from({ length: 16 }, (_, index) => {
    const start = at(date, 9 + Math.floor(index / 4), index % 4);
    const end = at(date, 9 + Math.floor((index + 1) / 4), (index + 1) % 4);
    return [
      { metric: 'heart_rate', start, value: index % 2 === 0 ? 72 : 76 },
      { metric: 'heart_rate_variability_rmssd', start, value: index % 2 === 0 ? 20 : 80 },
      { metric: 'steps', start, end, value: 10 },
    ];
  }).flat();
}

const bodyOf = (date: LocalDate) => [
  { date, metric: 'weight', value: 70 },
  { date, metric: 'body_fat_percentage', value: 20 },
];

/** The inputs of all ten metrics on one day. */
const dayOf = (date: LocalDate) => ({ sleep: [nightOf(date)], samples: quartersOf(date), daily: bodyOf(date) });

const lastDays = (count: number, to = DAY) => Array.from({ length: count }, (_, days) => addDays(to, days - count + 1));

async function upload(phone: TestPhone, parts: readonly Partial<ReturnType<typeof dayOf>>[]): Promise<void> {
  const body = await phone.upload({
    sleep: parts.flatMap(({ sleep = [] }) => sleep),
    samples: parts.flatMap(({ samples = [] }) => samples),
    daily: parts.flatMap(({ daily = [] }) => daily),
  });
  assert.deepEqual(body.rejected, []);
}

async function createPhoneUser(profile: object = { birth_date: '1990-01-01', height_cm: 175 }) {
  const { id } = await createUser(api, { profile });
  return { id, phone: await startPhone(service, id) };
}

/** In Form 2, by metric; metrics without a value are omitted. */
async function readDay(userId: string, date = DAY, types: readonly string[] = TEN): Promise<Record<string, number>> {
  const query = `from_date=${date}&to_date=${date}&types=${types.join()}`;
  const { status, body, text } = await api.get(`/v1/users/${userId}/daily?${query}`, { headers: { 'api-form': '2' } });
  assert.equal(status, 200, text);
  const series: [string, (number | null)[]][] = Object.entries(body.series);
  return Object.fromEntries(series.flatMap(([type, [value = null]]) => (value === null ? [] : [[type, value]])));
}

const explain = async (userId: string, metric: string, date = DAY): Promise<JsonBody> =>
  (await api.get(`/v1/users/${userId}/daily/explain?metric=${metric}&date=${date}`, { headers: { 'api-form': '2' } }))
    .body;

const FULL = {
  training_load: 1, // 160 steps at 5 per 1000
  waking_heart_rate: 74,
  waking_heart_rate_variability: 40, // sqrt(20 * 80)
  sleep_need: 480,
  sleep_debt: 30,
  sleep_midpoint_variability: 0,
  sleep_regularity_index: 100,
  sleep_heart_rate_dip: 27, // 100 * (1 - 54 / 74)
  body_mass_index: 22.9,
  body_fat_mass: 14,
};

describe('derived metrics', () => {
  it('are in both forms of daily reads, name the service as their source, and follow their inputs in one event', async () => {
    const { id, phone } = await createPhoneUser();
    await upload(phone, lastDays(8).map(dayOf));
    assert.deepEqual(await readDay(id), { body_fat_mass: 14 });
    await settle(id);
    assert.deepEqual(await readDay(id), FULL);
    const query = `start_date=${DAY}&end_date=${DAY}&metrics=${TEN.join()}&include_sources=true`;
    const { body } = await api.get(`/v1/users/${id}/daily?${query}`, { headers: { 'api-form': '1' } });
    const rows: JsonBody[] = body.data;
    assert.deepEqual(Object.fromEntries(rows.map(({ metric, value }) => [metric, value])), FULL);
    assertEvery(rows, ({ source }) => source.provider === 'tributary' && source.device_id === null);
    const events = (await readStoredEvents(db, id)).filter(({ type }) => type === 'data.updated');
    assert.deepEqual(events.at(-1), {
      type: 'data.updated',
      metrics: METRICS.map((metric) => String(metric.id)).filter((metric) => WITH_SCORES.includes(metric)),
      from_date: '2026-03-12',
      to_date: DAY,
    });
    assert.equal(events.length, 2);
  });

  it('emit nothing when a run computes the same values', async () => {
    const { id, phone } = await createPhoneUser();
    await upload(phone, lastDays(8).map(dayOf));
    await settle(id);
    const before = await readStoredEvents(db, id);
    await db.query(`update scoring_queue set days = $2::datemultirange, due_at = $3 where user_id = $1`, [
      id,
      '{[2026-03-01,2026-03-20)}',
      clock.now(),
    ]);
    await settle(id);
    assert.deepEqual(await readStoredEvents(db, id), before);
  });

  it('are explained by their formula and inputs, even if one is missing', async () => {
    const { id, phone } = await createPhoneUser({});
    await upload(phone, [...lastDays(3, addDays(DAY, -2)), DAY].map(dayOf));
    await settle(id);
    const debt = await explain(id, 'sleep_debt');
    assert.equal(debt.value, 30);
    assert.match(debt.formula, /sleep_need - asleep/);
    assert.deepEqual(debt.inputs, [
      { name: 'sleep_need', date: DAY, value: 480, unit: 'min' },
      { name: 'asleep', date: DAY, value: 450, unit: 'min' },
      ...[2, 3, 4].map((days) => ({ name: 'asleep', date: addDays(DAY, -days), value: 450, unit: 'min' })),
    ]);
    const index = await explain(id, 'body_mass_index');
    assert.deepEqual([index.value, index.method, index.candidates], [null, null, []]);
    assert.deepEqual(index.inputs, [
      { name: 'weight', date: DAY, value: 70, unit: 'kg' },
      { name: 'height', date: DAY, value: null, unit: 'cm' },
    ]);
    const mass = await explain(id, 'body_fat_mass');
    assert.deepEqual(
      [mass.value, mass.inputs.map(({ name, value }: JsonBody) => [name, value])],
      [
        14,
        [
          ['weight', 70],
          ['body_fat_percentage', 20],
        ],
      ],
    );
    const need = await explain(id, 'sleep_need');
    assert.deepEqual(need.inputs[0], { name: 'age', date: null, value: null, unit: 'years' });
    const steps = await explain(id, 'steps');
    assert.deepEqual([steps.formula, steps.inputs], [null, null]);
  });

  it('are removed with their inputs, and later days follow', async () => {
    const { id, phone } = await createPhoneUser();
    await upload(phone, lastDays(8).map(dayOf));
    await upload(phone, [{ sleep: [nightOf(addDays(DAY, -1), { asleep: 240 })] }]);
    await settle(id);
    assert.equal((await readDay(id)).sleep_debt, 60); // 6 * 30 and 240 of seven
    await phone.upload({
      deleted: [
        { kind: 'sleep', id: `night-${addDays(DAY, -1)}` },
        { kind: 'samples', metric: 'heart_rate', start: at(DAY, 0), end: at(DAY, 23) },
      ],
    });
    await settle(id);
    const gone = Object.keys(await readDay(id, addDays(DAY, -1)));
    assert.deepEqual(
      gone,
      TEN.filter((metric) => !metric.startsWith('sleep_')),
    );
    const { waking_heart_rate, waking_heart_rate_variability, sleep_heart_rate_dip, sleep_regularity_index, ...rest } =
      FULL;
    assert.ok(waking_heart_rate + waking_heart_rate_variability + sleep_heart_rate_dip + sleep_regularity_index > 0);
    assert.deepEqual(await readDay(id), rest, 'there are no longer six pairs of consecutive nights');
    const published = async (): Promise<JsonBody[]> => (await api.get('/v1/events?limit=1000')).body.events;
    const isDeletion = ({ user_id, device_id, deleted }: JsonBody) =>
      user_id === id && device_id === null && deleted === true;
    await waitUntil('the event', async () => (await published()).some(isDeletion));
    const { event_type, metrics, from_date, to_date } = (await published()).find(isDeletion) ?? {};
    assert.deepEqual([event_type, from_date, to_date], ['data.updated', addDays(DAY, -1), DAY]);
    assert.deepEqual(
      metrics,
      WITH_SCORES.filter((metric) => metric.startsWith('waking_') || metric.startsWith('sleep_')),
    );
  });

  it('are removed together with their device', async () => {
    const { id, phone } = await createPhoneUser();
    await upload(phone, lastDays(8).map(dayOf));
    await settle(id);
    assert.equal(Object.keys(await readDay(id)).length, TEN.length);
    const { body } = await api.get(`/v1/users/${id}/devices`, { headers: { 'api-form': '1' } });
    const [device] = body.data;
    assert.equal((await api.delete(`/v1/users/${id}/devices/${device.id}`)).status, 204);
    for (const date of lastDays(8)) assert.deepEqual(await readDay(id, date), {}, date);
    await settle(id);
    assert.deepEqual(await readDay(id), {});
  });

  it('stay if another device has the inputs', async () => {
    const { id, phone } = await createPhoneUser();
    const ring = { provider: 'apple_health', id: 'ring-1', name: 'Ring', device_class: 'ring' };
    await phone.upload({ source: ring, sleep: lastDays(8).map((date) => nightOf(date)) });
    await upload(phone, lastDays(8).map(dayOf));
    await settle(id);
    const [row] = await db.query<{ id: string }>(
      `select id from devices where user_id = $1 and device_class = 'ring'`,
      [id],
    );
    assert.equal((await api.delete(`/v1/users/${id}/devices/${row?.id}`)).status, 204);
    await settle(id);
    assert.deepEqual(await readDay(id), FULL);
  });

  it('of the present day are removed with deleted samples, without waiting for the scores of the day', async () => {
    const { id, phone } = await createPhoneUser();
    const today = addDays(DAY, 1);
    await upload(phone, [{ samples: quartersOf(today).filter(({ start }) => start < at(today, 12)) }]);
    await settle(id);
    assert.equal((await readDay(id, today)).waking_heart_rate, 74);
    await phone.upload({
      deleted: [{ kind: 'samples', metric: 'heart_rate', start: at(today, 0), end: at(today, 12) }],
    });
    await settle(id);
    assert.equal((await readDay(id, today)).waking_heart_rate, undefined);
  });

  it('follow changes of the profile', async () => {
    const { id, phone } = await createPhoneUser({ birth_date: '1990-01-01' });
    await upload(phone, lastDays(8).map(dayOf));
    await settle(id);
    assert.equal((await readDay(id)).body_mass_index, undefined);
    await api.patch(`/v1/users/${id}`, { profile: { height_cm: 200, sleep_need_minutes: 540 } });
    await settle(id);
    const { body_mass_index, sleep_need, sleep_debt } = await readDay(id);
    assert.deepEqual([body_mass_index, sleep_need, sleep_debt], [17.5, 540, 90]);
  });
});

describe('the catalog', () => {
  it('has no metric that neither an upload, a provider nor a rule can provide', async () => {
    const { id, phone } = await createPhoneUser();
    await upload(phone, lastDays(8).map(dayOf));
    const daily = METRICS.filter((metric) => !isComputed(metric)).map(({ id: metric, unit, usual }) => ({
      date: DAY,
      metric,
      value: Math.round((usual.min + usual.max) / 2),
      unit,
    }));
    const workouts = [{ id: 'run', start: at(DAY, 17), end: at(DAY, 18), sport_type: 'running' }];
    const ring = { provider: 'apple_health', id: 'ring-9', name: 'Ring', device_class: 'ring' };
    const { rejected } = await phone.upload({ source: ring, daily, workouts });
    assert.deepEqual(rejected, []);
    await settle(id);
    const catalog = METRICS.map((metric) => String(metric.id)).filter((metric) => !SCORES.has(metric));
    assert.equal(catalog.length, METRICS.length - SCORE_TYPES.length);
    const known = await readDay(id, DAY, catalog);
    const delivered = new Set(
      CLOUD_PROVIDERS.flatMap((provider) =>
        listDelivered(withParts(provider, new Set(provider.unconfirmed?.map(({ part }) => part)))),
      ).map((metric) => String(metric.id)),
    );
    assert.deepEqual(
      catalog.filter((metric) => !(metric in known) && !delivered.has(metric)),
      [],
    );
  });
});

describe('body_mass_index', () => {
  const weigh = (date: LocalDate) => ({ daily: [{ date, metric: 'weight', value: 81 }] });
  const measure = (date: LocalDate, value: number) => ({ daily: [{ date, metric: 'height', value }] });
  const days = [400, 300, 200, 100, 0].map((before) => addDays(DAY, -before));
  const readAll = (userId: string) =>
    Promise.all(days.map(async (date) => (await readDay(userId, date)).body_mass_index ?? null));

  it('uses the latest earlier height, however old, and otherwise the height of the profile', async () => {
    const { id, phone } = await createPhoneUser({ height_cm: 200 });
    await upload(phone, days.map(weigh));
    await settle(id);
    assert.deepEqual(await readAll(id), [20.3, 20.3, 20.3, 20.3, 20.3]);
    await upload(phone, [measure(addDays(DAY, -350), 180)]);
    await settle(id);
    assert.deepEqual(await readAll(id), [20.3, 25, 25, 25, 25]);
    await upload(phone, [measure(addDays(DAY, -150), 190)]);
    await settle(id);
    assert.deepEqual(await readAll(id), [20.3, 25, 25, 22.4, 22.4]);
    await upload(phone, [measure(addDays(DAY, -350), 150)]);
    await settle(id);
    assert.deepEqual(await readAll(id), [20.3, 36, 36, 22.4, 22.4], 'up to the next height');
    const { inputs } = await explain(id, 'body_mass_index');
    assert.deepEqual(inputs[1], { name: 'height', date: addDays(DAY, -150), value: 190, unit: 'cm' });
  });

  it('of a device wins over the formula, which applies when the device is disabled', async () => {
    const { id, phone } = await createPhoneUser({ height_cm: 180 });
    await upload(phone, [weigh(DAY), { daily: [{ date: DAY, metric: 'body_mass_index', value: 24 }] }]);
    await settle(id);
    assert.equal((await readDay(id)).body_mass_index, 24);
    const reported = await explain(id, 'body_mass_index');
    assert.deepEqual([reported.formula, reported.candidates.length], [null, 1]);
    const off = { metrics: { body_composition_scale: { providers: { apple_health: false } } } };
    const changed = await api.patch(`/v1/users/${id}/consolidation`, off);
    assert.equal(changed.status, 202, changed.text);
    await waitUntil('the formula', async () => {
      await settle(id);
      return (await readDay(id)).body_mass_index === 25;
    });
    assert.deepEqual((await explain(id, 'body_mass_index')).inputs[0].value, 81);
  });

  it('of the present day follows its weight at once, before the scores of the day', async () => {
    const { id, phone } = await createPhoneUser({ height_cm: 180 });
    const today = addDays(DAY, 1);
    await upload(phone, [{ daily: [{ date: today, metric: 'steps', value: 3_000 }] as never }]);
    await settle(id);
    await upload(phone, [weigh(today)]);
    await settle(id);
    assert.equal((await readDay(id, today)).body_mass_index, 25);
  });
});
