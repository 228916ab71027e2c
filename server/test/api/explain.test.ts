// GET /v1/users/{id}/daily/explain: why a value is what it is.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
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
  it('200 tells every device, its rank, what it gave and what became of it', async () => {
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
      device_order: ['wrist', 'phone', 'ring', 'app'],
      night: null,
    });
    assert.deepEqual(candidates[1].samples, { count: 2, first: '2026-03-09T08:00:00Z', last: '2026-03-09T18:00:00Z' });
    const wrapped = await api.get(`/v1/users/${user.id}/daily/explain?metric=steps&date=2026-03-09`, {
      headers: { 'api-form': '1' },
    });
    assert.deepEqual(wrapped.body.data, body);
  });

  it('200 tells how a night was chosen, and what is computed from it', async () => {
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

  it('200 with no candidates where nobody has a value', async () => {
    const user = await createUser(api);
    const body = await explain(user.id, 'weight');
    assert.deepEqual([body.value, body.candidates], [null, []]);
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
