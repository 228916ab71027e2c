// Tests the timeseries of a user.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { EpochMs, Sample } from '../../src/domain/records/records.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { sampleAt } from '../support/generate-samples.ts';
import { insertDevice, storeSamples } from '../support/test-samples.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser, issuePaths } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;

const at = (text: string) => Date.parse(text);
const beat = (time: string, value = 71): Sample => sampleAt(at(time), { value });
const walk = (time: string, minutes: number, value: number): Sample =>
  sampleAt(at(time), { end: (at(time) + minutes * MINUTE_MS) as EpochMs, value, unit: 'count' });

type Item = {
  timestamp: string;
  metric: string;
  value: number;
  unit: string;
  source?: { provider: string; device_id: string; original_value: number; original_unit: string };
  sources?: Item['source'][];
};

const pathOf = (userId: string, query: string) => `/v1/users/${userId}/timeseries?${query}`;
const read = async (userId: string, query: string, headers: Record<string, string> = {}): Promise<Item[]> => {
  const answer = await api.get(pathOf(userId, query), { headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};
const DAY = 'start_date=2026-03-29&end_date=2026-03-29';
const shortly = (items: readonly Item[]) => items.map(({ timestamp, value }) => [timestamp, value]);

describe('GET /v1/users/{id}/timeseries', () => {
  it('200 returns samples in the requested metric order, then by time, in both forms', async () => {
    const user = await createUser(api);
    const { number } = await insertDevice(db, user.id, { number: 1 });
    await storeSamples(db, user.id, number, 'heart_rate', [
      beat('2026-03-29T12:00:10.250Z', 72.5),
      beat('2026-03-29T00:00:00Z', 60),
      beat('2026-03-28T23:59:59Z'),
      beat('2026-03-30T00:00:00Z'),
    ]);
    await storeSamples(db, user.id, number, 'steps', [walk('2026-03-29T08:00:00Z', 10, 400)]);
    const expected = {
      data: [
        { timestamp: '2026-03-29T08:00:00Z', metric: 'steps', value: 400, unit: 'count' },
        { timestamp: '2026-03-29T00:00:00Z', metric: 'heart_rate', value: 60, unit: 'bpm' },
        { timestamp: '2026-03-29T12:00:10.250Z', metric: 'heart_rate', value: 72.5, unit: 'bpm' },
      ],
    };
    const path = pathOf(user.id, `metrics=steps,%20heart_rate,steps,&${DAY}`);
    for (const form of ['1', '2']) {
      const answer = await api.get(path, { headers: { 'api-form': form } });
      assert.deepEqual(answer.body, expected);
      assert.equal(answer.headers.get('api-form'), form);
    }
  });

  it('200 for the token of the user, and an empty list without data', async () => {
    const user = await createUser(api);
    const { body } = await api.post('/v1/auth/user-token', { user_id: user.id });
    const path = pathOf(user.id, `metrics=stress_score,heart_rate&${DAY}`);
    const answer = await service.api(body.token).get(path);
    assert.deepEqual([answer.status, answer.body], [200, { data: [] }]);
  });

  it('200 takes each quarter hour from the highest-ranked device with a sample in it', async () => {
    const user = await createUser(api);
    const watch = await insertDevice(db, user.id, { number: 1, provider: 'garmin' });
    const phone = await insertDevice(db, user.id, { number: 2, provider: 'polar', deviceClass: 'phone' });
    await storeSamples(db, user.id, watch.number, 'heart_rate', [
      beat('2026-03-29T10:00:00Z', 60),
      beat('2026-03-29T10:29:59Z', 61),
    ]);
    await storeSamples(db, user.id, phone.number, 'heart_rate', [
      beat('2026-03-29T10:14:59Z', 90),
      beat('2026-03-29T10:20:00Z', 91),
      beat('2026-03-29T10:30:00Z', 92),
    ]);
    await storeSamples(db, user.id, watch.number, 'steps', [walk('2026-03-29T10:20:00Z', 5, 70)]);
    await storeSamples(db, user.id, phone.number, 'steps', [walk('2026-03-29T10:00:00Z', 60, 400)]);
    const items = await read(user.id, `metrics=heart_rate,steps&${DAY}&include_sources=true`);
    const source = (device: { id: string }, provider: string, original_value: number, original_unit: string) => ({
      provider,
      device_id: device.id,
      original_value,
      original_unit,
    });
    assert.deepEqual(
      items.map((item) => [item.timestamp.slice(11), item.value, item.source]),
      [
        ['10:00:00Z', 60, source(watch, 'garmin', 60, 'bpm')],
        ['10:29:59Z', 61, source(watch, 'garmin', 61, 'bpm')],
        ['10:30:00Z', 92, source(phone, 'polar', 92, 'bpm')],
        ['10:00:00Z', 100, source(phone, 'polar', 400, 'count')],
        ['10:20:00Z', 70, source(watch, 'garmin', 70, 'count')],
        ['10:30:00Z', 200, source(phone, 'polar', 400, 'count')],
      ],
    );
    const hours = await read(user.id, `metrics=heart_rate,steps&${DAY}&include_sources=true&resolution=1h`);
    assert.deepEqual(
      hours.map((item) => [item.metric, item.timestamp.slice(11), item.value, item.source, item.sources]),
      [
        [
          'heart_rate',
          '10:00:00Z',
          71,
          source(watch, 'garmin', 60.5, 'bpm'),
          [source(watch, 'garmin', 60.5, 'bpm'), source(phone, 'polar', 92, 'bpm')],
        ],
        [
          'steps',
          '10:00:00Z',
          370,
          source(watch, 'garmin', 70, 'count'),
          [source(watch, 'garmin', 70, 'count'), source(phone, 'polar', 300, 'count')],
        ],
      ],
    );
  });

  it('200 on days of 23 and 25 hours begins and ends at local midnight', async () => {
    const user = await createUser(api, { timezone: 'Europe/Berlin' });
    const { number } = await insertDevice(db, user.id, { number: 1 });
    const hours = (from: string) =>
      Array.from({ length: 30 }, (_, hour) => sampleAt(at(from) + hour * HOUR_MS, { value: hour + 40 }));
    await storeSamples(db, user.id, number, 'heart_rate', [
      ...hours('2026-03-28T20:00:00Z'),
      ...hours('2026-10-24T20:00:00Z'),
    ]);
    const spring = await read(user.id, `metrics=heart_rate&${DAY}`);
    assert.deepEqual(
      [spring.length, spring[0]?.timestamp, spring.at(-1)?.timestamp],
      [23, '2026-03-28T23:00:00Z', '2026-03-29T21:00:00Z'],
    );
    const autumn = await read(user.id, 'metrics=heart_rate&start_date=2026-10-25&end_date=2026-10-25');
    assert.deepEqual(
      [autumn.length, autumn[0]?.timestamp, autumn.at(-1)?.timestamp],
      [25, '2026-10-24T22:00:00Z', '2026-10-25T22:00:00Z'],
    );
  });

  it('200 divides a total at local midnight, so that each day has its part', async () => {
    const user = await createUser(api, { timezone: 'Europe/Berlin' });
    const { number } = await insertDevice(db, user.id, { number: 1 });
    await storeSamples(db, user.id, number, 'steps', [walk('2026-03-28T22:30:00Z', 60, 80)]);
    assert.deepEqual(shortly(await read(user.id, `metrics=steps&${DAY}`)), [['2026-03-28T23:00:00Z', 40]]);
    const both = await read(user.id, 'metrics=steps&start_date=2026-03-28&end_date=2026-03-29');
    assert.deepEqual(shortly(both), [
      ['2026-03-28T22:30:00Z', 40],
      ['2026-03-28T23:00:00Z', 40],
    ]);
  });

  it('200 in imperial units, and in the catalog’s unit whatever the device sent', async () => {
    const user = await createUser(api);
    const { number, id } = await insertDevice(db, user.id, { number: 1 });
    await storeSamples(db, user.id, number, 'body_temperature', [
      sampleAt(at('2026-03-29T07:00:00Z'), { value: 36.6, unit: '°C' }),
    ]);
    await storeSamples(db, user.id, number, 'blood_oxygen', [
      sampleAt(at('2026-03-29T07:00:00Z'), { value: 0.97, unit: 'fraction' }),
      sampleAt(at('2026-03-29T07:01:00Z'), { value: 96, unit: '%' }),
    ]);
    const items = await read(
      user.id,
      `metrics=body_temperature,blood_oxygen&${DAY}&unit_system=imperial&include_sources=true`,
    );
    const source = { provider: 'garmin', device_id: id };
    assert.deepEqual(
      items.map(({ timestamp: _, ...item }) => item),
      [
        {
          metric: 'body_temperature',
          value: 97.88,
          unit: '°F',
          source: { ...source, original_value: 36.6, original_unit: '°C' },
        },
        {
          metric: 'blood_oxygen',
          value: 97,
          unit: '%',
          source: { ...source, original_value: 0.97, original_unit: 'fraction' },
        },
        { metric: 'blood_oxygen', value: 96, unit: '%', source: { ...source, original_value: 96, original_unit: '%' } },
      ],
    );
  });

  it('200 at every resolution: sums stay the same, means are of the samples that start in the bucket', async () => {
    const user = await createUser(api);
    const { number } = await insertDevice(db, user.id, { number: 1 });
    await storeSamples(db, user.id, number, 'steps', [
      walk('2026-03-29T08:00:00Z', 10, 100),
      walk('2026-03-29T08:55:00Z', 10, 60),
      walk('2026-03-29T17:59:59Z', 1, 7),
    ]);
    await storeSamples(db, user.id, number, 'heart_rate', [
      beat('2026-03-29T08:00:00Z', 60),
      beat('2026-03-29T08:04:59Z', 61),
      beat('2026-03-29T08:05:00Z', 80),
    ]);
    for (const resolution of ['raw', '1m', '5m', '15m', '1h']) {
      const items = await read(user.id, `metrics=steps&${DAY}&resolution=${resolution}`);
      const sum = items.reduce((total, { value }) => total + value, 0);
      assert.ok(Math.abs(sum - 167) < 1e-9, `${resolution}: ${sum}`);
    }
    assert.deepEqual(shortly(await read(user.id, `metrics=steps&${DAY}&resolution=1h`)).slice(0, 2), [
      ['2026-03-29T08:00:00Z', 130],
      ['2026-03-29T09:00:00Z', 30],
    ]);
    assert.deepEqual(shortly(await read(user.id, `metrics=heart_rate&${DAY}&resolution=5m`)), [
      ['2026-03-29T08:00:00Z', 60.5],
      ['2026-03-29T08:05:00Z', 80],
    ]);
  });

  it('200 with more samples than one read returns, each once', async () => {
    const user = await createUser(api);
    const { number } = await insertDevice(db, user.id, { number: 1 });
    const count = 25_000;
    const first = at('2026-03-27T00:00:00Z');
    const samples = Array.from({ length: count }, (_, index) =>
      sampleAt(first + index * 10_000, { value: 60 + (index % 50) }),
    );
    await storeSamples(db, user.id, number, 'heart_rate', samples);
    const items = await read(user.id, 'metrics=heart_rate&start_date=2026-03-27&end_date=2026-03-29');
    assert.equal(items.length, count);
    items.forEach((item, index) => {
      assert.equal(Date.parse(item.timestamp), first + index * 10_000);
      assert.equal(item.value, 60 + (index % 50));
    });
  });

  it('cuts off a response that fails midway, so that it never looks complete', async () => {
    const user = await createUser(api);
    const { number } = await insertDevice(db, user.id, { number: 1 });
    const first = at('2026-03-27T00:00:00Z');
    const samples = Array.from({ length: 25_000 }, (_, index) => sampleAt(first + index * 10_000));
    await storeSamples(db, user.id, number, 'heart_rate', samples);
    const spoil = (which: 'min' | 'max') =>
      db.query(
        `update sample_blocks set payload = '\\xff'
          where user_id = $1 and block = (select ${which}(block) from sample_blocks where user_id = $1)`,
        [user.id],
      );
    const path = pathOf(user.id, 'metrics=heart_rate&start_date=2026-03-27&end_date=2026-03-29');
    await spoil('max');
    await assert.rejects(api.get(path), 'the connection breaks');
    await spoil('min');
    const answer = await api.get(path);
    assert.deepEqual([answer.status, answer.body.error, answer.headers.get('etag')], [500, 'internal', null]);
  });

  it('304 until something changes', async () => {
    const user = await createUser(api);
    const { number } = await insertDevice(db, user.id, { number: 1 });
    const path = pathOf(user.id, `metrics=heart_rate&${DAY}`);
    await storeSamples(db, user.id, number, 'heart_rate', [beat('2026-03-29T10:00:00Z')]);
    const tag = (await api.get(path)).headers.get('etag') ?? '';
    assert.match(tag, /^W\/"/);
    const again = await api.get(path, { headers: { 'if-none-match': tag } });
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag]);
    const otherQuery = await api.get(`${path}&resolution=1h`, { headers: { 'if-none-match': tag } });
    assert.equal(otherQuery.status, 200);
    await storeSamples(db, user.id, number, 'heart_rate', [beat('2026-03-29T11:00:00Z')]);
    const changed = await api.get(path, { headers: { 'if-none-match': tag } });
    assert.deepEqual([changed.status, changed.body.data.length], [200, 2]);
    const newTag = changed.headers.get('etag') ?? '';
    await api.patch(`/v1/users/${user.id}`, { timezone: 'Asia/Tokyo' });
    assert.equal((await api.get(path, { headers: { 'if-none-match': newTag } })).status, 200);
  });

  it('400 invalid_metric names metrics that have no samples', async () => {
    const user = await createUser(api);
    const answer = await api.get(pathOf(user.id, `metrics=heart_rate,body_fat_mass,nonsense&${DAY}`));
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_metric']);
    assert.deepEqual(answer.body.details.unsupported, ['body_fat_mass', 'nonsense']);
  });

  it('400 range_too_long over 31 days, counting both ends', async () => {
    const user = await createUser(api);
    const read = (end: string) => api.get(pathOf(user.id, `metrics=heart_rate&start_date=2026-03-01&end_date=${end}`));
    assert.equal((await read('2026-03-31')).status, 200);
    const answer = await read('2026-04-01');
    assert.deepEqual(
      [answer.status, answer.body.error, answer.body.details],
      [400, 'range_too_long', { max_days: 31 }],
    );
  });

  it('400 invalid_parameter for missing, malformed or unknown parameters', async () => {
    const user = await createUser(api);
    for (const [query, paths] of [
      [DAY, ['metrics']],
      [`metrics=,&${DAY}`, ['metrics']],
      ['metrics=heart_rate', ['start_date', 'end_date']],
      ['metrics=heart_rate&start_date=2026-03-29&end_date=2026-03-28', ['end_date']],
      ['metrics=heart_rate&start_date=2026-02-30&end_date=2026-03-01', ['start_date']],
      [`metrics=heart_rate&${DAY}&resolution=2h`, ['resolution']],
      [`metrics=heart_rate&${DAY}&page=1`, ['page']],
    ] as const) {
      const answer = await api.get(pathOf(user.id, query));
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_parameter'], query);
      assert.deepEqual(issuePaths(answer.body).toSorted(), [...paths].toSorted(), query);
    }
  });

  it('403 wrong_user for the token of another user, 404 for an unknown user', async () => {
    const [user, other] = [await createUser(api), await createUser(api)];
    const { body } = await api.post('/v1/auth/user-token', { user_id: other.id });
    const foreign = await service.api(body.token).get(pathOf(user.id, `metrics=heart_rate&${DAY}`));
    assert.deepEqual([foreign.status, foreign.body.error], [403, 'wrong_user']);
    const absent = await api.get(pathOf(ABSENT_ID, `metrics=heart_rate&${DAY}`));
    assert.deepEqual([absent.status, absent.body.error], [404, 'not_found']);
  });
});
