// Tests GET /v1/users/{id}/daily/explain, which explains a value.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { IPHONE, RING, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-10T12:00:00Z')) });
after(() => service.stop());
const api = service.api();

const steps = (start: string, end: string, value: number) => ({ metric: 'steps', start, end, value });
const explain = async (userId: string, metric: string, date = '2026-03-09'): Promise<JsonBody> => {
  const answer = await api.get(`/v1/users/${userId}/daily/explain?metric=${metric}&date=${date}`, {
    headers: { 'api-form': '2' },
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const brief = (body: JsonBody) =>
  body.candidates.map((one: JsonBody) => [
    one.rank,
    one.device_class,
    one.original_value,
    one.origin,
    one.outcome,
    one.contributed,
  ]);

describe('GET /v1/users/{id}/daily/explain', () => {
  it('200 lists every device with its rank, its value and how it was used', async () => {
    const user = await createUser(api, { timezone: 'Europe/Berlin' });
    const phone = await startPhone(service, user.id);
    await phone.upload({ samples: [steps('2026-03-09T08:00:00Z', '2026-03-09T08:15:00Z', 1000)] });
    await phone.upload({
      source: IPHONE,
      samples: [
        steps('2026-03-09T08:00:00Z', '2026-03-09T08:15:00Z', 900),
        steps('2026-03-09T18:00:00Z', '2026-03-09T18:15:00Z', 300),
      ],
    });
    const body = await explain(user.id, 'steps');
    assert.deepEqual(brief(body), [
      [1, 'wrist', 1000, 'samples', 'used', 1000],
      [2, 'phone', 1200, 'samples', 'partly_used', 300],
    ]);
    const { candidates, ...rest } = body;
    assert.deepEqual(rest, {
      metric: 'steps',
      date: '2026-03-09',
      day_start: '2026-03-08T23:00:00Z',
      day_end: '2026-03-09T23:00:00Z',
      value: 1300,
      unit: 'count',
      method: 'merge',
      default_method: 'merge',
      setting: { key: 'steps', overridden: false },
      computed: null,
      formula: null,
      inputs: null,
      device_order: ['wrist', 'phone', 'ring', 'app'],
      records: [],
      absence: null,
      night: null,
    });
    assert.deepEqual(candidates[1].samples, { count: 2, first: '2026-03-09T08:00:00Z', last: '2026-03-09T18:00:00Z' });
    const wrapped = await api.get(`/v1/users/${user.id}/daily/explain?metric=steps&date=2026-03-09`, {
      headers: { 'api-form': '1' },
    });
    assert.deepEqual(wrapped.body.data, body);
  });

  it('200 explains how a night was consolidated, and the metrics computed from it', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const night = {
      start: '2026-03-08T22:00:00Z',
      end: '2026-03-09T06:00:00Z',
      asleep_minutes: 450,
      in_bed_minutes: 480,
      deep_minutes: 90,
      rem_minutes: 100,
      light_minutes: 260,
    };
    await phone.upload({ source: RING, sleep: [night] });
    await phone.upload({
      sleep: [
        {
          ...night,
          end: '2026-03-09T02:00:00Z',
          asleep_minutes: 200,
          deep_minutes: 50,
          rem_minutes: 50,
          light_minutes: 100,
          in_bed_minutes: 240,
        },
      ],
    });
    assert.deepEqual(brief(await explain(user.id, 'asleep')), [
      [1, 'ring', 450, 'sessions', 'used', 450],
      [2, 'wrist', 200, 'sessions', 'outranked', null],
    ]);
    const restorative = await explain(user.id, 'restorative_sleep');
    assert.deepEqual([restorative.value, restorative.method, restorative.candidates], [190, null, []]);
    assert.match(restorative.computed, /deep/i);
    const efficiency = await explain(user.id, 'sleep_efficiency');
    assert.deepEqual([efficiency.value, efficiency.candidates], [93.8, []]);
  });

  it('200 without candidates if no device has a value', async () => {
    const user = await createUser(api);
    const body = await explain(user.id, 'weight');
    assert.deepEqual([body.value, body.candidates], [null, []]);
  });

  it('200 with an end of the last day that can be written', async () => {
    const user = await createUser(api);
    const body = await explain(user.id, 'steps', '9999-12-31');
    assert.equal(body.day_end, '9999-12-31T23:59:59.999Z');
  });

  it('304 until the data changes', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const path = `/v1/users/${user.id}/daily/explain?metric=steps&date=2026-03-09`;
    const tag = (await api.get(path)).headers.get('etag') ?? '';
    assert.equal((await api.get(path, { headers: { 'if-none-match': tag } })).status, 304);
    await phone.upload({ samples: [steps('2026-03-09T08:00:00Z', '2026-03-09T08:15:00Z', 1)] });
    assert.equal((await api.get(path, { headers: { 'if-none-match': tag } })).status, 200);
  });

  it('200 when scoring has read an input again, even if no value or score changes', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const asleep = (date: string, value: number) => ({ date, metric: 'asleep', value });
    await phone.upload({ daily: ['2026-03-07', '2026-03-08', '2026-03-09'].map((date) => asleep(date, 600)) });
    await scoreNow(service, user.id);
    await phone.upload({ daily: [asleep('2026-03-09', 620)] });
    const path = `/v1/users/${user.id}/daily/explain?metric=sleep_debt&date=2026-03-09`;
    const tag = (await api.get(path, { headers: { 'api-form': '2' } })).headers.get('etag') ?? '';
    await scoreNow(service, user.id);
    const { status, body } = await api.get(path, { headers: { 'if-none-match': tag, 'api-form': '2' } });
    assert.equal(status, 200);
    assert.deepEqual([body.value, body.inputs.map(({ value }: JsonBody) => value).includes(620)], [0, true]);
  });

  it('400 for an unknown metric, a score and a bad date; 404 for an unknown user; 403 for a user token', async () => {
    const user = await createUser(api);
    const get = (query: string, id = user.id, token = service.keys.live) =>
      service.api(token).get(`/v1/users/${id}/daily/explain?${query}`);
    for (const metric of ['nonsense', 'sleep_score']) {
      const { status, body } = await get(`metric=${metric}&date=2026-03-09`);
      assert.deepEqual([status, body.error, body.details], [400, 'invalid_metric', { unsupported: [metric] }]);
    }
    assert.equal((await get('metric=steps&date=2026-02-30')).body.error, 'invalid_parameter');
    assert.equal((await get('metric=steps')).body.error, 'invalid_parameter');
    assert.equal((await get('metric=steps&date=2026-03-09', ABSENT_ID)).status, 404);
    const { token } = (await api.post('/v1/auth/user-token', { user_id: user.id })).body;
    assert.equal((await get('metric=steps&date=2026-03-09', user.id, token)).body.error, 'insufficient_scope');
  });
});

describe('GET /v1/users/{id}/daily/explain of sample rules', () => {
  const hours = (from: number, to: number) =>
    Array.from({ length: (to - from) * 4 }, (_, quarter) => from * 60 + quarter * 15).map((minute) => ({
      minute,
      time: new Date(Date.UTC(2026, 2, 9, 0, minute)).toISOString(),
      end: new Date(Date.UTC(2026, 2, 9, 0, minute + 15)).toISOString(),
    }));
  const decisionsOf = (body: JsonBody, deviceClass: string) =>
    body.candidates
      .find((one: JsonBody) => one.device_class === deviceClass)
      .decisions.map(({ decision, start, end, value, counted }: JsonBody) => [
        decision,
        start.slice(11, 16),
        end.slice(11, 16),
        value,
        counted,
      ]);

  it('200 names the spread sample: 10,000 per day and 9,000 of the watch give 10,000, in either order', async () => {
    const whole = { source: IPHONE, samples: [steps('2026-03-09T00:00:00Z', '2026-03-10T00:00:00Z', 10_000)] };
    const fine = { samples: hours(8, 17).map(({ time, end }) => steps(time, end, 250)) };
    for (const uploads of [
      [whole, fine],
      [fine, whole],
    ]) {
      const user = await createUser(api);
      const phone = await startPhone(service, user.id);
      for (const upload of uploads) await phone.upload(upload);
      const body = await explain(user.id, 'steps');
      assert.equal(body.value, 10_000);
      assert.deepEqual(brief(body), [
        [1, 'wrist', 9_000, 'samples', 'used', 9_000],
        [2, 'phone', 10_000, 'samples', 'partly_used', 1_000],
      ]);
      assert.deepEqual(decisionsOf(body, 'phone'), [['sample_spread', '00:00', '00:00', 10_000, 1_000]]);
      const series = await api.get(
        `/v1/users/${user.id}/timeseries?metrics=steps&start_date=2026-03-09&end_date=2026-03-09`,
      );
      const sum = series.body.data.reduce((total: number, { value }: JsonBody) => total + value, 0);
      assert.ok(Math.abs(sum - 10_000) < 1e-6, String(sum));
    }
  });

  it('200 uses the hours of the first-ranked device, even if another has finer data, and spreads the longer sample', async () => {
    const fine = [
      steps('2026-03-09T10:05:00Z', '2026-03-09T10:15:00Z', 500),
      steps('2026-03-09T12:00:00Z', '2026-03-09T12:10:00Z', 40),
    ];
    const answers: [minutes: number, value: number, decisions: unknown[]][] = [
      [60, 840, []],
      [61, 840, [['sample_spread', '10:00', '11:01', 800, 300]]],
    ];
    for (const [minutes, value, decisions] of answers) {
      const user = await createUser(api);
      const phone = await startPhone(service, user.id);
      const end = new Date(Date.UTC(2026, 2, 9, 10, minutes)).toISOString();
      await phone.upload({ source: IPHONE, samples: fine });
      await phone.upload({ samples: [steps('2026-03-09T10:00:00Z', end, 800)] });
      const body = await explain(user.id, 'steps');
      assert.equal(body.value, value);
      assert.deepEqual(decisionsOf(body, 'wrist'), decisions);
      assert.deepEqual(
        brief(body).map(([, , , , , contributed]: unknown[]) => contributed),
        decisions.length === 0 ? [800, 40] : [300, 540],
      );
      const series = await api.get(
        `/v1/users/${user.id}/timeseries?metrics=steps&start_date=2026-03-09&end_date=2026-03-09`,
      );
      const sum = series.body.data.reduce((total: number, { value }: JsonBody) => total + value, 0);
      assert.ok(Math.abs(sum - value) < 1e-6, String(sum));
    }
  });

  it('200 uses a heart rate as evidence on its side of a midnight within an hour', async () => {
    const user = await createUser(api, { timezone: 'Asia/Kolkata' });
    const phone = await startPhone(service, user.id);
    const read = async () => {
      const values: [number, number][] = [];
      for (const date of ['2026-03-08', '2026-03-09']) {
        const series = await api.get(
          `/v1/users/${user.id}/timeseries?metrics=steps&start_date=${date}&end_date=${date}`,
        );
        const sum = series.body.data.reduce((total: number, { value }: JsonBody) => total + value, 0);
        values.push([(await explain(user.id, 'steps', date)).value, sum]);
      }
      return values;
    };
    const beat = (start: string) => phone.upload({ samples: [{ metric: 'heart_rate', start, value: 70 }] });
    await phone.upload({ samples: [steps('2026-03-08T18:00:00Z', '2026-03-08T19:00:00Z', 0)] });
    await phone.upload({
      source: IPHONE,
      samples: [
        steps('2026-03-08T18:15:00Z', '2026-03-08T18:25:00Z', 400),
        steps('2026-03-08T18:35:00Z', '2026-03-08T18:45:00Z', 600),
      ],
    });
    assert.deepEqual(await read(), [
      [400, 400],
      [600, 600],
    ]);
    await beat('2026-03-08T18:29:59Z');
    assert.deepEqual(await read(), [
      [0, 0],
      [600, 600],
    ]);
    await beat('2026-03-08T18:30:00Z');
    assert.deepEqual(await read(), [
      [0, 0],
      [0, 0],
    ]);
  });

  it('200 names zeros that were not counted, and counts them when a heart rate shows that the watch was worn', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    await phone.upload({ samples: hours(0, 24).map(({ time, end }) => steps(time, end, 0)) });
    await phone.upload({
      source: IPHONE,
      samples: [
        steps('2026-03-09T10:00:00Z', '2026-03-09T10:10:00Z', 400),
        steps('2026-03-09T10:15:00Z', '2026-03-09T10:25:00Z', 500),
        steps('2026-03-09T15:00:00Z', '2026-03-09T15:10:00Z', 600),
      ],
    });
    const unworn = await explain(user.id, 'steps');
    assert.equal(unworn.value, 1_500);
    assert.deepEqual(brief(unworn), [
      [1, 'wrist', 0, 'samples', 'outranked', null],
      [2, 'phone', 1_500, 'samples', 'used', 1_500],
    ]);
    assert.deepEqual(decisionsOf(unworn, 'wrist'), [
      ['zeros_not_counted', '10:00', '10:30', 0, null],
      ['zeros_not_counted', '15:00', '15:15', 0, null],
    ]);
    const beat = { metric: 'heart_rate', start: '2026-03-09T10:40:00Z', value: 70 };
    await phone.upload({ samples: [beat] });
    const worn = await explain(user.id, 'steps');
    assert.equal(worn.value, 600);
    assert.deepEqual(decisionsOf(worn, 'wrist'), [['zeros_not_counted', '15:00', '15:15', 0, null]]);
    const series = await api.get(
      `/v1/users/${user.id}/timeseries?metrics=steps&start_date=2026-03-09&end_date=2026-03-09&resolution=1h`,
    );
    const sum = series.body.data.reduce((total: number, { value }: JsonBody) => total + value, 0);
    assert.equal(sum, 600);
    await phone.upload({ deleted: [{ kind: 'samples', metric: 'heart_rate', start: beat.start, end: beat.start }] });
    assert.equal((await explain(user.id, 'steps')).value, 1_500);
  });

  const weigh = (time: string, value: number, recording_method: string) => ({
    metric: 'weight',
    start: `2026-03-09T${time}:00Z`,
    value,
    recording_method,
  });
  const SCALE = { provider: 'apple_health', id: 'scale-1', name: 'Scale', device_class: 'scale' };
  const APP = { provider: 'apple_health', id: 'app-1', name: 'Diary', device_class: 'app' };

  it('200 states that a later manual entry of a body measurement wins', async () => {
    const byScale = { source: SCALE, samples: [weigh('07:00', 72, 'automatic')] };
    const byHand = { source: APP, samples: [weigh('20:00', 71.5, 'manual')] };
    for (const uploads of [
      [byScale, byHand],
      [byHand, byScale],
    ]) {
      const user = await createUser(api);
      const phone = await startPhone(service, user.id);
      for (const upload of uploads) await phone.upload(upload);
      const body = await explain(user.id, 'weight');
      assert.equal(body.value, 71.5);
      assert.deepEqual(brief(body), [
        [1, 'scale', 72, 'samples', 'superseded', null],
        [2, 'app', 71.5, 'samples', 'used', 71.5],
      ]);
      assert.deepEqual(decisionsOf(body, 'app'), [['manual_entry', '20:00', '20:00', 71.5, 71.5]]);
    }
  });

  it('200 keeps the value of the scale if the manual entry is earlier, or the later one is not manual', async () => {
    for (const other of [weigh('06:00', 71.5, 'manual'), weigh('20:00', 71.5, 'automatic')]) {
      const user = await createUser(api);
      const phone = await startPhone(service, user.id);
      await phone.upload({ source: APP, samples: [other] });
      await phone.upload({ source: SCALE, samples: [weigh('07:00', 72, 'automatic')] });
      assert.equal((await explain(user.id, 'weight')).value, 72);
    }
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    await phone.upload({ source: APP, samples: [weigh('12:00', 71.5, 'manual')] });
    await phone.upload({
      source: SCALE,
      samples: [weigh('07:00', 72, 'automatic'), weigh('13:00', 72.5, 'automatic')],
    });
    assert.equal((await explain(user.id, 'weight')).value, 72.5);
  });
});
