// Tests daily values in both forms, from month sheets written like the pipeline's.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { formatContributors, formatDeviceDayNote } from '../../src/domain/consolidate/day-notes.ts';
import { METRICS, type MetricId, metricNumberOf } from '../../src/domain/metrics/index.ts';
import {
  createSheet,
  dayOfMonth,
  type MonthNumber,
  type MonthSheet,
  monthOf,
} from '../../src/domain/packed/month-sheets/index.ts';
import type { AccountId, DeviceNumber, UserId } from '../../src/domain/tenancy.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { writeDailyMonths, writeDeviceMonths } from '../../src/features/store/daily-store/index.ts';
import { openUser } from '../../src/features/tenancy/user-core/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser, issuePaths } from '../support/test-users.ts';

const clock = createFrozenClock(new Date('2026-03-15T22:30:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;

/** Values by metric and date; `from` lists the devices behind a value with their device values. */
type Given = { metric: string; date: string; value: number; from?: { device: number; value: number; unit: string }[] };

async function seed(userId: string, days: readonly Given[]): Promise<void> {
  const [account] = await db.query<{ account_id: AccountId }>('select account_id from users where id = $1', [userId]);
  assert.ok(account);
  const user = await openUser(db, { accountId: account.account_id, environment: 'live' }, userId as UserId);
  assert.ok(user);
  const daily = new Map<MonthNumber, MonthSheet>();
  const devices = new Map<string, { month: MonthNumber; device: DeviceNumber; sheet: MonthSheet }>();
  for (const { metric, date, value, from = [] } of days) {
    const month = monthOf(date as LocalDate);
    const day = dayOfMonth(date as LocalDate);
    const number = metricNumberOf(metric as MetricId);
    const note = formatContributors(from.map(({ device }) => device as DeviceNumber));
    daily.getOrInsertComputed(month, createSheet).set(number, day, { value, note });
    for (const given of from) {
      const device = given.device as DeviceNumber;
      const { sheet } = devices.getOrInsertComputed(`${month} ${device}`, () => ({
        month,
        device,
        sheet: createSheet(),
      }));
      const own = formatDeviceDayNote({ origin: 'stated', unit: given.unit, method: 'automatic' });
      sheet.set(number, day, { value: given.value, note: own });
    }
  }
  await db.transaction(async (tx) => {
    await writeDailyMonths(
      tx,
      user,
      [...daily].map(([month, sheet]) => ({ month, sheet })),
    );
    await writeDeviceMonths(tx, user, [...devices.values()]);
  });
  await db.query('update users set data_revision = data_revision + 1 where id = $1', [userId]);
}

/** A user with a ring (1) and a watch (2). */
async function createWearer(fields: object = {}): Promise<{ id: string; ring: string; watch: string }> {
  const { id } = await createUser(api, fields);
  const rows = await db.query<{ id: string }>(
    `insert into devices (user_id, id, number, provider, device_class, status, created_at, connected_at)
     values ($1, gen_random_uuid(), 1, 'oura', 'ring', 'active', now(), now()),
            ($1, gen_random_uuid(), 2, 'garmin', 'wrist', 'active', now(), now()) returning id`,
    [id],
  );
  const [ring, watch] = rows;
  assert.ok(ring && watch);
  return { id, ring: ring.id, watch: watch.id };
}

const DAYS: Given[] = [
  { metric: 'weight', date: '2026-01-31', value: 70.256 },
  { metric: 'steps', date: '2026-01-31', value: 8_423 },
  { metric: 'steps', date: '2026-02-02', value: 0 },
  { metric: 'distance', date: '2026-02-02', value: 5.1256 },
];
const pathOf = (userId: string, query = '') => `/v1/users/${userId}/daily${query}`;
const WINTER_1 = 'start_date=2026-01-31&end_date=2026-02-02';
const WINTER_2 = 'from_date=2026-01-31&to_date=2026-02-02';

describe('GET /v1/users/{id}/daily in Form 1', () => {
  it('200 returns rows by date and catalog order, only where a value exists', async () => {
    const { id } = await createWearer();
    await seed(id, DAYS);
    const { status, body, headers } = await api.get(pathOf(id, `?${WINTER_1}`));
    assert.deepEqual([status, headers.get('api-form')], [200, '1']);
    assert.deepEqual(body, {
      data: [
        { date: '2026-01-31', metric: 'steps', value: 8_423, unit: 'count' },
        { date: '2026-01-31', metric: 'weight', value: 70.26, unit: 'kg' },
        { date: '2026-02-02', metric: 'steps', value: 0, unit: 'count' },
        { date: '2026-02-02', metric: 'distance', value: 5.126, unit: 'km' },
      ],
    });
  });

  it('200 returns only the requested metrics; a score must be named', async () => {
    const { id } = await createWearer();
    await seed(id, DAYS);
    const { body } = await api.get(pathOf(id, `?${WINTER_1}&metrics=%20distance,weight,weight,sleep_score`));
    assert.deepEqual(
      body.data.map((row: { metric: string }) => row.metric),
      ['weight', 'distance'],
    );
  });

  it('200 converts to imperial units', async () => {
    const { id } = await createWearer();
    await seed(id, DAYS);
    const { body } = await api.get(pathOf(id, `?${WINTER_1}&metrics=weight,distance&unit_system=imperial`));
    assert.deepEqual(
      body.data.map(({ value, unit }: { value: number; unit: string }) => [value, unit]),
      [
        [154.89, 'lb'],
        [3.185, 'mi'],
      ],
    );
  });

  it('200 accepts 90 days, and returns no rows for a user without data', async () => {
    const { id } = await createUser(api);
    const { status, body } = await api.get(pathOf(id, '?start_date=2026-01-01&end_date=2026-03-31'));
    assert.deepEqual([status, body], [200, { data: [] }]);
  });

  it('400 range_too_long over 90 days', async () => {
    const { id } = await createUser(api);
    const { status, body } = await api.get(pathOf(id, '?start_date=2026-01-01&end_date=2026-04-01'));
    assert.deepEqual([status, body.error, body.details], [400, 'range_too_long', { max_days: 90 }]);
  });

  it('400 without dates, with an end before the start, and with invalid dates', async () => {
    const { id } = await createUser(api);
    const cases: [query: string, path: string][] = [
      ['start_date=2026-01-01', 'end_date'],
      ['metrics=steps&end_date=2026-01-01', 'start_date'],
      ['unit_system=imperial&start_date=2026-01-02&end_date=2026-01-01', 'end_date'],
      ['start_date=2026-02-30&end_date=2026-03-01', 'start_date'],
      ['start_date=2026-01-01&end_date=2026-01-01&unit_system=si', 'unit_system'],
      ['start_date=2026-01-01&end_date=2026-01-01&include_sources=maybe', 'include_sources'],
      ['start_date=2026-01-01&end_date=2026-01-01&metric=steps', 'metric'],
    ];
    for (const [query, path] of cases) {
      const { status, body } = await api.get(pathOf(id, `?${query}`));
      assert.deepEqual([status, body.error, issuePaths(body)], [400, 'invalid_parameter', [path]], query);
    }
  });

  it('400 invalid_metric names metrics that are not in the catalog', async () => {
    const { id } = await createUser(api);
    const { status, body } = await api.get(pathOf(id, `?${WINTER_1}&metrics=steps,stepz`));
    assert.deepEqual([status, body.error, body.details], [400, 'invalid_metric', { unsupported: ['stepz'] }]);
    assert.equal((await api.get(pathOf(id, `?${WINTER_1}&metrics=`))).body.error, 'invalid_metric');
  });

  it('400 mixed_forms with parameters of both', async () => {
    const { id } = await createUser(api);
    const { status, body } = await api.get(pathOf(id, `?${WINTER_1}&types=steps`));
    assert.deepEqual([status, body.error], [400, 'mixed_forms']);
  });
});

describe('GET /v1/users/{id}/daily in Form 2', () => {
  it('200 returns one column per metric over every date, in the requested order', async () => {
    const { id } = await createWearer();
    await seed(id, DAYS);
    const { status, body, text, headers } = await api.get(pathOf(id, `?${WINTER_2}&types=weight,%20steps,weight`));
    assert.deepEqual([status, headers.get('api-form')], [200, '2']);
    assert.deepEqual(body, {
      from_date: '2026-01-31',
      to_date: '2026-02-02',
      dates: ['2026-01-31', '2026-02-01', '2026-02-02'],
      units: { weight: 'kg', steps: 'count' },
      series: { weight: [70.26, null, null], steps: [8_423, null, 0] },
    });
    assert.ok(text.indexOf('"weight":[') < text.indexOf('"steps":['));
  });

  it('200 returns by default the last 30 days in the zone of the user, of all metrics except scores', async () => {
    const { id } = await createWearer({ timezone: 'Europe/Berlin' });
    await seed(id, [{ metric: 'steps', date: '2026-03-15', value: 5 }]);
    const { status, body, headers } = await api.get(pathOf(id));
    assert.deepEqual([status, headers.get('api-form')], [200, '2']);
    const utc = await createUser(api);
    assert.deepEqual([body.from_date, body.to_date, body.dates.length], ['2026-02-14', '2026-03-15', 30]);
    assert.equal((await api.get(pathOf(utc.id))).body.to_date, '2026-03-15');
    const wanted = METRICS.filter(({ category }) => category !== 'scores').map((metric) => metric.id);
    assert.deepEqual(Object.keys(body.series), wanted);
    assert.deepEqual(Object.keys(body.units), wanted);
    assert.equal(body.series.steps.at(-1), 5);
    assertEvery(Object.values<unknown[]>(body.series), (values) => values.length === 30);
    const tokyo = await createUser(api, { timezone: 'Asia/Tokyo' });
    const { body: later } = await api.get(pathOf(tokyo.id, '?types=steps'));
    assert.deepEqual([later.from_date, later.to_date], ['2026-02-15', '2026-03-16']);
  });

  it('200 counts from_date back from to_date, and accepts 366 days', async () => {
    const { id } = await createUser(api);
    const { body } = await api.get(pathOf(id, '?to_date=2026-01-30&types=steps'));
    assert.deepEqual([body.from_date, body.dates.length], ['2026-01-01', 30]);
    const year = await api.get(pathOf(id, '?from_date=2024-01-01&to_date=2024-12-31&types=steps'));
    assert.deepEqual([year.status, year.body.dates.length, year.body.series.steps.length], [200, 366, 366]);
  });

  it('200 accepts unit_system and include_sources with its own parameters', async () => {
    const { id } = await createWearer();
    await seed(id, DAYS);
    const { body, headers } = await api.get(
      pathOf(id, `?${WINTER_2}&types=weight&unit_system=imperial&include_sources=true`),
    );
    assert.equal(headers.get('api-form'), '2');
    assert.deepEqual([body.units, body.series], [{ weight: 'lb' }, { weight: [154.89, null, null] }]);
    assert.deepEqual(Object.keys(body.sources), ['weight']);
  });

  it('400 invalid_range for more than 366 days and for an end before the start', async () => {
    const { id } = await createUser(api);
    for (const query of ['from_date=2024-01-01&to_date=2025-01-01', 'from_date=2026-01-02&to_date=2026-01-01']) {
      const { status, body } = await api.get(pathOf(id, `?${query}`));
      assert.deepEqual([status, body.error], [400, 'invalid_range'], query);
    }
    const future = await api.get(pathOf(id, '?from_date=2026-03-17'));
    assert.deepEqual([future.status, future.body.error], [400, 'invalid_range']);
  });

  it('422 invalid_types names unknown types and scores; an empty list means none', async () => {
    const { id } = await createUser(api);
    const { status, body } = await api.get(pathOf(id, '?types=steps,stepz,sleep_score'));
    assert.deepEqual(
      [status, body.error, body.details],
      [422, 'invalid_types', { unsupported: ['stepz', 'sleep_score'] }],
    );
    for (const types of ['', ',', '%20']) {
      const empty = await api.get(pathOf(id, `?types=${types}`));
      assert.deepEqual([empty.status, empty.body.details], [422, { unsupported: [] }]);
    }
    for (const { id: score } of METRICS.filter(({ category }) => category === 'scores'))
      assert.equal((await api.get(pathOf(id, `?types=${score}`))).status, 422, score);
  });
});

describe('sources of daily values', () => {
  it('name the devices behind a value with their device values, and the service where it was computed', async () => {
    const { id, ring, watch } = await createWearer();
    await seed(id, [
      { metric: 'distance', date: '2026-01-31', value: 5.1234, from: [{ device: 2, value: 5_123.4, unit: 'm' }] },
      {
        metric: 'steps',
        date: '2026-01-31',
        value: 9_000,
        from: [
          { device: 2, value: 8_000, unit: 'count' },
          { device: 1, value: 3_000, unit: 'count' },
        ],
      },
      { metric: 'body_mass_index', date: '2026-02-01', value: 21.456 },
    ]);
    const byWatch = { provider: 'garmin', device_id: watch, original_value: 8_000, original_unit: 'count' };
    const byRing = { provider: 'oura', device_id: ring, original_value: 3_000, original_unit: 'count' };
    const distance = { provider: 'garmin', device_id: watch, original_value: 5_123.4, original_unit: 'm' };
    const computed = { provider: 'tributary', device_id: null, original_value: 21.456, original_unit: 'kg/m²' };
    const rows = await api.get(pathOf(id, `?${WINTER_1}&include_sources=true&unit_system=imperial`));
    assert.deepEqual(
      rows.body.data.map(({ metric, source, sources }: JsonBody) => [metric, source, sources]),
      [
        ['steps', byWatch, [byWatch, byRing]],
        ['distance', distance, undefined],
        ['body_mass_index', computed, undefined],
      ],
    );
    const columns = await api.get(
      pathOf(id, `?${WINTER_2}&include_sources=true&types=steps,distance,body_mass_index,weight`),
    );
    assert.deepEqual(columns.body.sources, {
      steps: [{ ...byWatch, sources: [byWatch, byRing] }, null, null],
      distance: [distance, null, null],
      body_mass_index: [null, computed, null],
      weight: [null, null, null],
    });
  });

  it('are omitted unless requested, and for deleted devices', async () => {
    const { id } = await createWearer();
    await seed(id, [{ metric: 'steps', date: '2026-01-31', value: 1, from: [{ device: 7, value: 1, unit: 'count' }] }]);
    const [row] = (await api.get(pathOf(id, `?${WINTER_1}&include_sources=true`))).body.data;
    assert.deepEqual(row, { date: '2026-01-31', metric: 'steps', value: 1, unit: 'count' });
    const columns = await api.get(pathOf(id, `?${WINTER_2}&types=steps&include_sources=true`));
    assert.deepEqual(columns.body.sources, { steps: [null, null, null] });
    assert.equal((await api.get(pathOf(id, `?${WINTER_2}&types=steps`))).body.sources, undefined);
  });
});

describe('both forms of daily values', () => {
  it('200 agree on the same data', async () => {
    const { id } = await createWearer();
    const metrics = METRICS.filter((metric, index) => index % 9 === 0 && metric.category !== 'scores');
    const dates = Array.from({ length: 40 }, (_, index) =>
      new Date(Date.UTC(2026, 0, 20 + index)).toISOString().slice(0, 10),
    );
    await seed(
      id,
      metrics.flatMap(({ id: metric }, column) =>
        dates.flatMap((date, row) =>
          (row + column) % 3 === 0
            ? []
            : [{ metric, date, value: (row * 7 + column) / 3, from: [{ device: 1, value: row, unit: 'x' }] }],
        ),
      ),
    );
    for (const rest of ['', '&unit_system=imperial', '&include_sources=true']) {
      const [from, to] = [dates[5], dates[33]];
      const rows = (await api.get(pathOf(id, `?start_date=${from}&end_date=${to}${rest}`))).body.data;
      const columns = (await api.get(pathOf(id, `?from_date=${from}&to_date=${to}${rest}`))).body;
      const fromColumns = columns.dates.flatMap((date: string, position: number) =>
        Object.keys(columns.series).flatMap((metric) => {
          const value = columns.series[metric][position];
          const source = columns.sources?.[metric][position];
          if (value === null) return [];
          return [{ date, metric, value, unit: columns.units[metric], ...(source ? { source } : {}) }];
        }),
      );
      assert.ok(rows.length > 300);
      assert.deepEqual(rows, fromColumns);
    }
  });
});

describe('access to daily values', () => {
  it('200 with the user’s own token, 403 wrong_user with another user’s', async () => {
    const [user, other] = [await createUser(api), await createUser(api)];
    const { body } = await api.post('/v1/auth/user-token', { user_id: user.id });
    assert.equal((await service.api(body.token).get(pathOf(user.id))).status, 200);
    const foreign = await service.api(body.token).get(pathOf(other.id));
    assert.deepEqual([foreign.status, foreign.body.error], [403, 'wrong_user']);
  });

  it('404 for an unknown user and for one of another environment, with the requested id', async () => {
    const user = await createUser(api);
    const unknown = await api.get(pathOf(ABSENT_ID));
    assert.deepEqual([unknown.status, unknown.body.details], [404, { user_id: ABSENT_ID }]);
    assert.equal((await service.api(service.keys.sandbox).get(pathOf(user.id))).status, 404);
    assert.equal((await api.get(pathOf('nobody', `?${WINTER_1}`))).status, 404);
  });

  it('304 until something changes, then 200', async () => {
    const { id } = await createWearer();
    await seed(id, DAYS);
    for (const query of [`?${WINTER_1}`, `?${WINTER_2}&include_sources=true`, '']) {
      const etag = (await api.get(pathOf(id, query))).headers.get('etag') ?? '';
      assert.match(etag, /^W\/"/);
      const again = await api.get(pathOf(id, query), { headers: { 'if-none-match': etag } });
      assert.deepEqual([again.status, again.text], [304, '']);
      await seed(id, DAYS);
      assert.equal((await api.get(pathOf(id, query), { headers: { 'if-none-match': etag } })).status, 200);
    }
  });

  it('200 instead of 304 after the default range has moved', async () => {
    const { id } = await createUser(api);
    const etag = (await api.get(pathOf(id))).headers.get('etag') ?? '';
    clock.advance(2 * HOUR_MS);
    const tomorrow = await api.get(pathOf(id), { headers: { 'if-none-match': etag } });
    assert.deepEqual([tomorrow.status, tomorrow.body.to_date], [200, '2026-03-16']);
  });
});
