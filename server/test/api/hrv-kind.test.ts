// Every response with heart rate variability names its kind.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { RING, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-12T12:00:00Z')) });
after(() => service.stop());
const api = service.api();

const METRICS = 'heart_rate_variability,heart_rate_variability_rmssd,sleep_heart_rate_variability';
const night = (date: number, ms: number | null, kind?: string) => ({
  start: `2026-03-${String(date - 1).padStart(2, '0')}T22:00:00Z`,
  end: `2026-03-${String(date).padStart(2, '0')}T06:00:00Z`,
  asleep_minutes: 450,
  ...(ms === null ? {} : { heart_rate_variability: ms }),
  ...(kind === undefined ? {} : { hrv_kind: kind }),
});
const get = async (path: string, form = '1'): Promise<JsonBody> => {
  const answer = await api.get(path, { headers: { 'api-form': form } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

async function createSleeper(): Promise<string> {
  const user = await createUser(api);
  const phone = await startPhone(service, user.id);
  await phone.upload({
    source: RING,
    sleep: [night(9, 60, 'rmssd'), night(10, 110), night(11, null)],
    samples: [
      { metric: 'heart_rate_variability', start: '2026-03-10T09:00:00Z', value: 80 },
      { metric: 'heart_rate_variability_rmssd', start: '2026-03-10T09:00:00Z', value: 50 },
      { metric: 'heart_rate', start: '2026-03-10T09:00:00Z', value: 61 },
    ],
  });
  return user.id;
}

describe('the kind of heart rate variability', () => {
  it('200 in every daily row of heart rate variability, and in no other (Form 1)', async () => {
    const id = await createSleeper();
    const range = 'start_date=2026-03-09&end_date=2026-03-11';
    for (const more of ['', '&include_sources=true']) {
      const { data } = await get(`/v1/users/${id}/daily?metrics=${METRICS},heart_rate&${range}${more}`);
      assert.deepEqual(
        data.map(({ date, metric, value, hrv_kind }: JsonBody) => [date.slice(8), metric, value, hrv_kind]),
        [
          ['09', 'sleep_heart_rate_variability', 60, 'rmssd'],
          ['10', 'heart_rate', 61, undefined],
          ['10', 'heart_rate_variability', 80, 'sdnn'],
          ['10', 'heart_rate_variability_rmssd', 50, 'rmssd'],
          ['10', 'sleep_heart_rate_variability', 110, 'sdnn'],
        ].sort((a, b) => order(data, a) - order(data, b)),
      );
    }
  });

  it('200 next to the daily columns, by the same index (Form 2)', async () => {
    const id = await createSleeper();
    const range = 'from_date=2026-03-09&to_date=2026-03-11';
    for (const more of ['', '&include_sources=true']) {
      const body = await get(`/v1/users/${id}/daily?types=${METRICS},heart_rate&${range}${more}`, '2');
      assert.deepEqual(body.hrv_kinds, {
        heart_rate_variability: [null, 'sdnn', null],
        heart_rate_variability_rmssd: [null, 'rmssd', null],
        sleep_heart_rate_variability: ['rmssd', 'sdnn', null],
      });
    }
    const without = await get(`/v1/users/${id}/daily?types=heart_rate&${range}`, '2');
    assert.equal('hrv_kinds' in without, false);
  });

  it('200 in every sleep with heart rate variability', async () => {
    const id = await createSleeper();
    const { data } = await get(`/v1/users/${id}/sleep?start_date=2026-03-09&end_date=2026-03-11`);
    assert.deepEqual(
      data.map((sleep: JsonBody) => [sleep.sleep_heart_rate_variability, sleep.hrv_kind]),
      [
        [null, null],
        [110, 'sdnn'],
        [60, 'rmssd'],
      ],
    );
  });

  it('200 in every sample and bucket of the timeseries, in both forms', async () => {
    const id = await createSleeper();
    const path = `/v1/users/${id}/timeseries?metrics=heart_rate_variability,heart_rate_variability_rmssd,heart_rate&start_date=2026-03-10&end_date=2026-03-10`;
    for (const more of ['', '&include_sources=true', '&resolution=1h', '&resolution=1h&include_sources=true']) {
      const { data } = await get(path + more);
      assert.deepEqual(
        data.map(({ metric, hrv_kind }: JsonBody) => [metric, hrv_kind]),
        [
          ['heart_rate_variability', 'sdnn'],
          ['heart_rate_variability_rmssd', 'rmssd'],
          ['heart_rate', undefined],
        ],
      );
    }
  });

  it('200 in the explanation of the value and of each device', async () => {
    const id = await createSleeper();
    const phone = await startPhone(service, id);
    await phone.upload({ sleep: [night(9, 45, 'sdnn')] });
    const path = `/v1/users/${id}/daily/explain?metric=sleep_heart_rate_variability&date=2026-03-09`;
    const body = await get(path, '2');
    assert.deepEqual(
      [body.value, body.hrv_kind, body.candidates.map((one: JsonBody) => [one.device_class, one.hrv_kind])],
      [
        60,
        'rmssd',
        [
          ['ring', 'rmssd'],
          ['wrist', 'sdnn'],
        ],
      ],
    );
    assert.deepEqual((await get(path, '1')).data, body);
    const day = await get(`/v1/users/${id}/daily/explain?metric=heart_rate_variability&date=2026-03-10`, '2');
    assert.deepEqual([day.hrv_kind, day.candidates[0].hrv_kind], ['sdnn', 'sdnn']);
    const other = await get(`/v1/users/${id}/daily/explain?metric=heart_rate&date=2026-03-10`, '2');
    assert.equal('hrv_kind' in other, false);
  });

  it('200 for values that a device reports for a day, and different kinds are never averaged', async () => {
    const id = await createSleeper();
    const android = await startPhone(service, id, { platform: 'android' });
    const stated = (date: string) => ({ date, metric: 'sleep_heart_rate_variability', value: 40 });
    await android.upload({
      source: { provider: 'health_connect', id: 'band', device_class: 'wrist' },
      daily: [stated('2026-03-09'), stated('2026-03-10')],
    });
    const changed = await api.patch(`/v1/users/${id}/consolidation`, { metrics: { sleep_vitals: { method: 'avg' } } });
    assert.equal(changed.status, 202, changed.text);
    await waitUntil('two RMSSD are averaged', async () => {
      const path = `/v1/users/${id}/daily?types=sleep_heart_rate_variability&from_date=2026-03-09&to_date=2026-03-09`;
      return (await get(path, '2')).series.sleep_heart_rate_variability[0] === 50;
    });
    const explained = await get(
      `/v1/users/${id}/daily/explain?metric=sleep_heart_rate_variability&date=2026-03-10`,
      '2',
    );
    assert.deepEqual([explained.method, explained.value, explained.hrv_kind], ['avg', 110, 'sdnn']);
    assert.deepEqual(
      explained.candidates.map((one: JsonBody) => [one.device_class, one.outcome, one.hrv_kind]),
      [
        ['ring', 'used', 'sdnn'],
        ['wrist', 'outranked', 'rmssd'],
      ],
    );
  });

  it('200 compares a nightly value that the device stated only with nights of its kind', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const dates = Array.from({ length: 7 }, (_, index) => index + 4);
    await phone.upload({
      sleep: [...dates.map((date) => night(date, 60, 'rmssd')), night(11, null)],
      daily: [{ date: '2026-03-11', metric: 'sleep_heart_rate_variability', value: 110 }],
    });
    await scoreNow(service, user.id);
    const range = 'start_date=2026-03-11&end_date=2026-03-11';
    const { data } = await get(`/v1/users/${user.id}/daily?metrics=sleep_heart_rate_variability&${range}`);
    assert.deepEqual([data[0].value, data[0].hrv_kind], [110, 'sdnn']);
    const explained = await get(`/v1/users/${user.id}/scores/explain?type=recovery_score&date=2026-03-11`, '2');
    const missing = explained.missing.find(({ name }: JsonBody) => name === 'heart_rate_variability');
    assert.equal(missing?.reason, 'no_baseline');
  });

  it('200 ignores the nights of a disabled provider in the trend of a night without a value', async () => {
    const user = await createUser(api);
    const ios = await startPhone(service, user.id);
    const android = await startPhone(service, user.id, { platform: 'android' });
    const watch = { provider: 'health_connect', id: 'watch', device_class: 'wrist' };
    const ring = { provider: 'samsung_health', id: 'ring', device_class: 'ring' };
    const rmssd = (dates: number[], ms: number) => dates.map((date) => night(date, ms, 'rmssd'));
    await ios.upload({
      sleep: [...rmssd([2, 3, 4, 9, 10], 60), night(11, null)],
      daily: [2, 3, 4, 7, 8, 9, 10, 11].map((date) => ({
        date: `2026-03-${String(date).padStart(2, '0')}`,
        metric: 'resting_heart_rate',
        value: 55,
      })),
    });
    await android.upload({ source: watch, sleep: rmssd([7, 8], 62) });
    await android.upload({ source: ring, sleep: rmssd([2, 3, 4, 7, 8, 9, 10], 30) });
    const disabled = await api.patch(`/v1/users/${user.id}/consolidation`, { providers: { samsung_health: false } });
    assert.equal(disabled.status, 202, disabled.text);
    await waitUntil('the nights without the ring', async () => {
      const path = `/v1/users/${user.id}/daily?types=sleep_heart_rate_variability&from_date=2026-03-10&to_date=2026-03-10`;
      return (await get(path, '2')).series.sleep_heart_rate_variability[0] === 60;
    });
    await scoreNow(service, user.id);
    const explained = await get(`/v1/users/${user.id}/scores/explain?type=recovery_score&date=2026-03-11`, '2');
    const missing = explained.missing.map(({ name }: JsonBody) => name);
    assert.ok(missing.includes('heart_rate_variability') && missing.includes('hrv_trend'), missing);
  });
});

/** Sorted, because the order of rows is not tested here. */
function order(data: readonly JsonBody[], [day, metric]: readonly unknown[]): number {
  return data.findIndex((row) => row.date.slice(8) === day && row.metric === metric);
}
