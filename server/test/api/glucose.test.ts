// A day of glucose: 5-minute readings in both units, the shares of a day, and what counts in them.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { IPHONE, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-04-02T12:00:00Z')) });
after(() => service.stop());
const api = service.api();

const SENSOR = { provider: 'apple_health', id: 'cgm-1', name: 'Sensor', device_class: 'cgm' };
const OTHER_SENSOR = { ...SENSOR, id: 'cgm-2', name: 'Other sensor' };
const METER = { provider: 'apple_health', id: 'meter-1', name: 'Meter', device_class: 'meter' };
const SUMMARIES = 'glucose_time_in_range,glucose_time_below_range,glucose_time_above_range,glucose_variability';

/** Every 5 minutes from local midnight in Berlin on 2026-03-09. */
const MIDNIGHT = Date.parse('2026-03-08T23:00:00Z');
const at = (index: number, from = MIDNIGHT) => new Date(from + index * 5 * MINUTE_MS).toISOString();

function readings(glucoseAt: (index: number) => number | null, { from = MIDNIGHT, hours = 24, unit = 'mg/dL' } = {}) {
  return Array.from({ length: hours * 12 }, (_, index) => ({ index, value: glucoseAt(index) })).flatMap(
    ({ index, value }) =>
      value === null
        ? []
        : [{ metric: 'blood_glucose', start: at(index, from), value, unit, recording_method: 'automatic' }],
  );
}

/** A reading without a number. */
const beyond = (metric: string, index: number) => ({
  metric,
  start: at(index),
  end: at(index + 1),
  value: 100,
  unit: '%',
});

async function createPerson(...uploads: { source: object; samples: readonly object[] }[]): Promise<string> {
  const { id } = await createUser(api, { timezone: 'Europe/Berlin' });
  const phone = await startPhone(service, id);
  for (const upload of uploads) {
    const { rejected } = await phone.upload(upload);
    assert.deepEqual(rejected ?? [], []);
  }
  return id;
}

async function get(path: string, headers: Record<string, string> = {}): Promise<JsonBody> {
  const answer = await api.get(path, { headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** By metric; both forms must agree. */
async function readDay(id: string, metrics: string, date = '2026-03-09', units = 'metric'): Promise<JsonBody> {
  const { data } = await get(
    `/v1/users/${id}/daily?metrics=${metrics}&start_date=${date}&end_date=${date}&unit_system=${units}`,
  );
  const values = Object.fromEntries(data.map(({ metric, value }: JsonBody) => [metric, value]));
  const { series } = await get(
    `/v1/users/${id}/daily?types=${metrics}&from_date=${date}&to_date=${date}&unit_system=${units}`,
  );
  for (const metric of metrics.split(',')) assert.equal(series[metric]?.[0] ?? undefined, values[metric], metric);
  return values;
}

const explain = (id: string, metric: string) =>
  get(`/v1/users/${id}/daily/explain?metric=${metric}&date=2026-03-09`, { 'api-form': '2' });
const readSeries = (id: string, query: string, headers = {}) =>
  get(`/v1/users/${id}/timeseries?metrics=blood_glucose&start_date=2026-03-09&end_date=2026-03-09${query}`, headers);

describe('glucose of a continuous monitor', () => {
  it('200 returns the readings every 5 minutes in both units and both forms', async () => {
    const id = await createPerson({ source: SENSOR, samples: readings((index) => 40 + index) });
    for (const form of ['1', '2']) {
      const headers = { 'api-form': form };
      const molar = await readSeries(id, '', headers);
      assert.equal(molar.data.length, 288);
      assert.deepEqual(molar.data[0], {
        timestamp: '2026-03-08T23:00:00Z',
        metric: 'blood_glucose',
        value: Number((40 / 18.0156).toPrecision(15)),
        unit: 'mmol/L',
      });
      const mass = await readSeries(id, '&unit_system=imperial', headers);
      assert.deepEqual(
        mass.data.map(({ value, unit }: JsonBody) => [value, unit]),
        Array.from({ length: 288 }, (_, index) => [40 + index, 'mg/dL']),
      );
      const { source } = (await readSeries(id, '&include_sources=true', headers)).data[5];
      assert.deepEqual([source.original_value, source.original_unit], [45, 'mg/dL']);
    }
  });

  it('200 returns the daily mean in both units, the shares and the variability', async () => {
    const glucoseAt = (index: number) => (index < 12 ? 60 : index < 36 ? 200 : 100);
    const id = await createPerson({ source: SENSOR, samples: readings(glucoseAt) });
    const mean = (12 * 60 + 24 * 200 + 252 * 100) / 288;
    assert.equal((await readDay(id, 'blood_glucose')).blood_glucose, Math.round((mean / 18.0156) * 100) / 100);
    assert.equal((await readDay(id, 'blood_glucose', '2026-03-09', 'imperial')).blood_glucose, Math.round(mean));
    assert.deepEqual(await readDay(id, SUMMARIES), {
      glucose_time_in_range: 87.5,
      glucose_time_below_range: 4.2,
      glucose_time_above_range: 8.3,
      glucose_variability: 27.5,
    });
    const { candidates } = await explain(id, 'glucose_time_in_range');
    assert.deepEqual(
      [candidates[0].original_value, candidates[0].original_unit, candidates[0].samples.count],
      [87.5, '%', 288],
    );
  });

  it('200 has no shares of a day with too few readings, and explains why', async () => {
    const id = await createPerson({ source: SENSOR, samples: readings(() => 100, { hours: 16 }) });
    assert.deepEqual(await readDay(id, SUMMARIES), {});
    assert.equal((await readDay(id, 'blood_glucose')).blood_glucose, 5.55);
    assert.equal((await explain(id, 'glucose_time_in_range')).absence.reason, 'too_few_readings');
    const phone = await startPhone(service, id);
    await phone.upload({ source: SENSOR, samples: readings(() => 100, { from: MIDNIGHT + 16 * HOUR_MS, hours: 1 }) });
    assert.equal((await readDay(id, SUMMARIES)).glucose_time_in_range, 100);
  });

  it('200 counts readings without a number, and no number appears', async () => {
    const samples = readings((index) => (index < 24 ? null : 100));
    const low = Array.from({ length: 12 }, (_, index) => beyond('glucose_time_below_range', index));
    const high = Array.from({ length: 12 }, (_, index) => beyond('glucose_time_above_range', 12 + index));
    const id = await createPerson(
      { source: SENSOR, samples },
      { source: SENSOR, samples: low },
      { source: SENSOR, samples: high },
    );
    assert.deepEqual(await readDay(id, SUMMARIES), {
      glucose_time_in_range: 91.7,
      glucose_time_below_range: 4.2,
      glucose_time_above_range: 4.2,
      glucose_variability: 0,
    });
    assert.equal((await readDay(id, 'blood_glucose', '2026-03-09', 'imperial')).blood_glucose, 100);
    assert.equal((await readSeries(id, '')).data.length, 264);
  });

  it('200 keeps a few readings without a number from becoming a share', async () => {
    const id = await createPerson({ source: SENSOR, samples: [beyond('glucose_time_below_range', 3)] });
    assert.deepEqual(await readDay(id, SUMMARIES), {});
  });

  it('200 does not mix fingersticks and manual entries into the shares', async () => {
    const fingersticks = Array.from({ length: 8 }, (_, index) => ({
      metric: 'blood_glucose',
      start: at(index * 30 + 1),
      value: 15,
      unit: 'mmol/L',
    }));
    const id = await createPerson(
      { source: METER, samples: fingersticks },
      { source: SENSOR, samples: readings(() => 100) },
      { source: SENSOR, samples: [{ ...fingersticks[3], start: at(50.5), recording_method: 'manual' }] },
    );
    assert.equal((await readDay(id, SUMMARIES)).glucose_time_above_range, 0);
  });

  it('200 uses one of two sensors, the same in the timeseries and in the shares', async () => {
    const id = await createPerson(
      { source: SENSOR, samples: readings((index) => (index < 144 ? 100 : 200)) },
      { source: OTHER_SENSOR, samples: readings(() => 6, { unit: 'mmol/L' }) },
    );
    const { data } = await readSeries(id, '&include_sources=true');
    assert.equal(data.length, 288);
    assert.deepEqual(
      new Set(data.map(({ unit, source }: JsonBody) => [unit, source.original_unit].join())),
      new Set(['mmol/L,mg/dL']),
    );
    assert.deepEqual(await readDay(id, SUMMARIES), {
      glucose_time_in_range: 50,
      glucose_time_below_range: 0,
      glucose_time_above_range: 50,
      glucose_variability: 33.4,
    });
  });

  it('200 computes a day of 23 hours', async () => {
    const from = Date.parse('2026-03-28T23:00:00Z');
    const id = await createPerson({
      source: IPHONE,
      samples: readings((index) => (index < 69 ? 60 : 100), { from, hours: 23 }),
    });
    const day = await readDay(id, SUMMARIES, '2026-03-29');
    assert.deepEqual([day.glucose_time_below_range, day.glucose_time_in_range], [25, 75]);
    assert.deepEqual(await readDay(id, SUMMARIES, '2026-03-30'), {});
  });
});
