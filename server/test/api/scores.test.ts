// Tests scores: the newest in Form 1, days in Form 2, history, explanations, and scores in other reads.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { SCORE_TYPES } from '../../src/domain/scores/index.ts';
import type { DeviceNumber } from '../../src/domain/tenancy.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { makeBatch } from '../../src/features/clouds/sync/commit/make-batch.ts';
import { ingest } from '../../src/features/pipeline/ingest/index.ts';
import { listSourceDevices } from '../../src/features/store/devices/index.ts';
import { changeUser } from '../../src/features/tenancy/user-core/index.ts';
import type { MapContext } from '../../src/providers/contract.ts';
import { garmin } from '../../src/providers/garmin/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import { liveDays, scoreNow, sitThrough } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { RING, startPhone } from '../support/test-phone.ts';
import { insertDevice, openTestUser } from '../support/test-samples.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser, issuePaths } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const NOW = new Date('2026-03-11T20:00:00Z');
const clock = createFrozenClock(NOW);
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();

/** Twelve days with nights, the last one today: baselines exist from the sixth on. */
const FIRST = '2026-02-28';
const DAYS = 12;

async function createScored(fields: object = {}): Promise<string> {
  const { id } = await createUser(api, { timezone: 'Europe/Berlin', profile: { birth_date: '1990-05-17' }, ...fields });
  await (await startPhone(service, id)).upload(liveDays(FIRST, DAYS));
  await scoreNow(service, id);
  return id;
}

const scored = await createScored();
const pathOf = (id: string, rest = '') => `/v1/users/${id}/scores${rest}`;
const get = (id: string, rest = '', form?: string) =>
  api.get(pathOf(id, rest), { headers: form === undefined ? {} : { 'api-form': form } });
const read = async (id: string, rest = '', form?: string): Promise<JsonBody> => {
  const answer = await get(id, rest, form);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const RANGE_1 = `start_date=${FIRST}&end_date=2026-03-11`;
const RANGE_2 = `from_date=${FIRST}&to_date=2026-03-11`;
/** No food, and no samples of waking hours. */
const COMPUTED = ['recovery_score', 'strain_score', 'sleep_score', 'energy_reserve_score'];

describe('GET /v1/users/{id}/scores in Form 1', () => {
  it('200 returns the newest of each in specification order, and omits scores that were never computed', async () => {
    const { data } = await read(scored, '', '1');
    assert.deepEqual(
      data.map(({ type }: JsonBody) => type),
      COMPUTED,
    );
    for (const { value, date, computed_at, algorithm_version } of data) {
      assert.ok(value >= 0 && value <= 100);
      assert.deepEqual([date, computed_at, algorithm_version], ['2026-03-11', '2026-03-11T20:00:00Z', 1]);
    }
    const sleep = data.find(({ type }: JsonBody) => type === 'sleep_score');
    const sum = sleep.factors.reduce((total: number, { contribution }: JsonBody) => total + contribution, 70);
    assert.equal(sum.toFixed(1), sleep.value.toFixed(1));
    assert.deepEqual(Object.keys(sleep.factors[0]), ['name', 'contribution', 'direction']);
  });

  it('200 returns the latest existing score if the last days have none', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    await phone.upload(liveDays(FIRST, DAYS - 3));
    await phone.upload({ daily: [{ date: '2026-03-11', metric: 'steps', value: 4_000 }] });
    await scoreNow(service, id);
    const { data } = await read(id, '', '1');
    assert.deepEqual(
      data.map(({ type, date }: JsonBody) => [type, date]),
      COMPUTED.map((type) => [type, type === 'strain_score' ? '2026-03-11' : '2026-03-08']),
    );
  });

  it('200 returns an empty list before any score', async () => {
    const { id } = await createUser(api);
    assert.deepEqual(await read(id, '', '1'), { data: [] });
  });

  it('400 for any parameter', async () => {
    const answer = await get(scored, '?unit_system=metric');
    assert.deepEqual([answer.status, issuePaths(answer.body)], [400, ['unit_system']]);
    const mixed = await get(scored, '?types=sleep_score', '1');
    assert.deepEqual([mixed.status, mixed.body.error], [400, 'mixed_forms']);
  });
});

describe('GET /v1/users/{id}/scores in Form 2', () => {
  it('200 returns a column per score over every day, five by default, with units and the latest', async () => {
    const body = await read(scored, `?${RANGE_2}`);
    assert.deepEqual(Object.keys(body), ['from_date', 'to_date', 'dates', 'units', 'series', 'latest']);
    assert.deepEqual([body.from_date, body.to_date, body.dates.length], [FIRST, '2026-03-11', DAYS]);
    const five = SCORE_TYPES.filter((type) => type !== 'nutrition_score');
    for (const part of ['units', 'series', 'latest']) assert.deepEqual(Object.keys(body[part]), five, part);
    assert.deepEqual(new Set(Object.values(body.units)), new Set(['score']));
    const { sleep_score: sleep, stress_score: stress } = body.series;
    assertEvery(sleep, (value: unknown) => typeof value === 'number');
    assert.deepEqual(
      stress,
      body.dates.map(() => null),
    );
    assert.equal(body.latest.stress_score, null);
    assert.deepEqual(body.latest.sleep_score, { date: '2026-03-11', value: sleep[11], previous_value: sleep[10] });
  });

  it('200 keeps the requested order, trims, removes duplicates, and includes nutrition by name', async () => {
    const body = await read(scored, `?types=%20nutrition_score,sleep_score,%20sleep_score,,recovery_score&${RANGE_2}`);
    assert.deepEqual(Object.keys(body.series), ['nutrition_score', 'sleep_score', 'recovery_score']);
  });

  it('200 has no previous value if the day before has none or is out of range', async () => {
    const alone = await read(scored, '?types=sleep_score&from_date=2026-03-11&to_date=2026-03-11');
    assert.equal(alone.latest.sleep_score.previous_value, null);
    assert.equal(typeof alone.latest.sleep_score.value, 'number');
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    await phone.upload(liveDays('2026-03-05', 1));
    await phone.upload(liveDays('2026-03-07', 1));
    await scoreNow(service, id);
    const { latest, series } = await read(id, '?types=sleep_score&from_date=2026-03-05&to_date=2026-03-09');
    assert.deepEqual(
      series.sleep_score.map((value: number | null) => value !== null),
      [true, false, true, false, false],
    );
    assert.deepEqual([latest.sleep_score.date, latest.sleep_score.previous_value], ['2026-03-07', null]);
  });

  it('200 defaults to the last 30 days in the zone of the user', async () => {
    const { id } = await createUser(api, { timezone: 'Pacific/Auckland' });
    const body = await read(id, '', '2');
    assert.deepEqual([body.from_date, body.to_date, body.dates.length], ['2026-02-11', '2026-03-12', 30]);
  });

  it('200 with include_sources marks them as computed; unit_system has no effect', async () => {
    const query = '?types=sleep_score,stress_score&from_date=2026-03-11&to_date=2026-03-11';
    const plain = await read(scored, query);
    const { sources, ...rest } = await read(scored, `${query}&include_sources=true&unit_system=imperial`);
    assert.deepEqual(rest, plain);
    const [value] = plain.series.sleep_score;
    assert.deepEqual(sources, {
      sleep_score: [{ provider: 'tributary', device_id: null, original_value: value, original_unit: 'score' }],
      stress_score: [null],
    });
  });

  it('422 invalid_types for unknown types, daily metrics, and an empty list', async () => {
    const answer = await get(scored, '?types=sleep_score,steps,nonsense');
    assert.deepEqual(
      [answer.status, answer.body.error, answer.body.details],
      [422, 'invalid_types', { unsupported: ['steps', 'nonsense'] }],
    );
    for (const types of ['', ',', '%20'])
      assert.deepEqual((await get(scored, `?types=${types}`)).body.details, { unsupported: [] }, types);
  });

  it('400 invalid_range for more than 366 days and for an end before the start', async () => {
    assert.equal((await get(scored, '?from_date=2025-03-11&to_date=2026-03-11')).status, 200);
    for (const range of ['from_date=2025-03-10&to_date=2026-03-11', 'from_date=2026-03-02&to_date=2026-03-01']) {
      const answer = await get(scored, `?${range}`);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_range'], range);
    }
    assert.deepEqual(issuePaths((await get(scored, '?from_date=2026-02-30')).body), ['from_date']);
  });
});

describe('the form of scores', () => {
  it('200 in the form of the header, else of the parameters, else of the account', async () => {
    const formOf = async (rest: string, form?: string) => (await get(scored, rest, form)).headers.get('api-form');
    assert.equal(await formOf(''), '1');
    assert.equal(await formOf('', '2'), '2');
    assert.equal(await formOf('?types=sleep_score'), '2');
    assert.equal(await formOf('?to_date=2026-03-11'), '2');
    await service.running.services.db.query('update accounts set default_form = 2');
    await service.operator().post('/admin/keys', { account: 'default', environment: 'sandbox' }); // reloads credentials
    try {
      assert.equal(await formOf(''), '2');
      assert.equal(await formOf('', '1'), '1');
    } finally {
      await service.running.services.db.query('update accounts set default_form = 1');
      await service.operator().post('/admin/keys', { account: 'default', environment: 'sandbox' });
    }
  });
});

describe('GET /v1/users/{id}/scores/history', () => {
  it('200 returns rows by date, then in specification order, in both forms', async () => {
    const form1 = await read(scored, `/history?${RANGE_1}`, '1');
    assert.deepEqual(await read(scored, `/history?${RANGE_1}`, '2'), form1);
    const positions = form1.data.map(({ date, type }: JsonBody) => `${date} ${SCORE_TYPES.indexOf(type)}`);
    assert.deepEqual(positions, positions.toSorted());
    assert.deepEqual(new Set(form1.data.map(({ type }: JsonBody) => type)), new Set(COMPUTED));
    assert.deepEqual(Object.keys(form1.data[0]), ['date', 'type', 'value']);
  });

  it('200 agrees with the columns of Form 2 and, for the last day, with the newest', async () => {
    const { data } = await read(scored, `/history?${RANGE_1}&types=${SCORE_TYPES.join()}`);
    const { dates, series } = await read(scored, `?${RANGE_2}&types=${SCORE_TYPES.join()}`);
    const rows = dates.flatMap((date: string, position: number) =>
      SCORE_TYPES.flatMap((type) =>
        series[type][position] === null ? [] : [{ date, type, value: series[type][position] }],
      ),
    );
    assert.deepEqual(data, rows);
    const newest = (await read(scored, '', '1')).data.map(({ type, date, value }: JsonBody) => ({ date, type, value }));
    assert.deepEqual(
      data.filter(({ date }: JsonBody) => date === '2026-03-11'),
      newest,
    );
  });

  it('200 returns only the requested types, in any order', async () => {
    const { data } = await read(
      scored,
      '/history?types=sleep_score,%20strain_score&start_date=2026-03-11&end_date=2026-03-11',
    );
    assert.deepEqual(
      data.map(({ type }: JsonBody) => type),
      ['strain_score', 'sleep_score'],
    );
  });

  it('422 invalid_types for unknown types, daily metrics, and an empty list, in both forms', async () => {
    const lists: [string, string[]][] = [
      ['sleep_score,steps,nonsense', ['steps', 'nonsense']],
      ['', []],
      [',', []],
    ];
    for (const form of ['1', '2'])
      for (const [types, unsupported] of lists) {
        const { status, body } = await get(scored, `/history?types=${types}&${RANGE_1}`, form);
        assert.deepEqual([status, body.error, body.details], [422, 'invalid_types', { unsupported }]);
      }
  });

  it('400 range_too_long over 90 days, invalid_parameter without dates', async () => {
    assert.equal((await get(scored, '/history?start_date=2025-12-12&end_date=2026-03-11')).status, 200);
    const long = await get(scored, '/history?start_date=2025-12-11&end_date=2026-03-11');
    assert.deepEqual([long.status, long.body.error, long.body.details], [400, 'range_too_long', { max_days: 90 }]);
    assert.deepEqual(issuePaths((await get(scored, '/history')).body), ['start_date', 'end_date']);
    assert.deepEqual(issuePaths((await get(scored, '/history?start_date=2026-03-02&end_date=2026-03-01')).body), [
      'end_date',
    ]);
  });
});

describe('caching of scores', () => {
  it('304 until a score changes; 200 and 304 may be cached for five minutes, an error may not', async () => {
    const id = await createScored();
    for (const rest of ['', `?${RANGE_2}`, `/history?${RANGE_1}`]) {
      const first = await get(id, rest);
      const tag = first.headers.get('etag') ?? '';
      assert.match(tag, /^W\//);
      assert.equal(first.headers.get('cache-control'), 'private, max-age=300');
      const again = await api.get(pathOf(id, rest), { headers: { 'if-none-match': tag } });
      assert.deepEqual([again.status, again.text], [304, '']);
      assert.deepEqual([again.headers.get('etag'), again.headers.get('cache-control')], [tag, 'private, max-age=300']);
      const other = await api.get(pathOf(id, rest === '' ? '?types=sleep_score' : ''), {
        headers: { 'if-none-match': tag },
      });
      assert.equal(other.status, 200);
    }
    const tag = (await get(id)).headers.get('etag') ?? '';
    const phone = await startPhone(service, id);
    await phone.upload({ daily: [{ date: '2026-03-10', metric: 'resting_heart_rate', value: 71 }] });
    const before = await api.get(pathOf(id), { headers: { 'if-none-match': tag } });
    assert.equal(before.status, 200);
    await scoreNow(service, id);
    const scoredTag = before.headers.get('etag') ?? '';
    assert.equal((await api.get(pathOf(id), { headers: { 'if-none-match': scoredTag } })).status, 200);
    const refused = await get(id, '?types=nonsense');
    assert.deepEqual([refused.headers.get('etag'), refused.headers.get('cache-control')], [null, null]);
  });

  it('403 and 404: a user token reads its own user, but never explanations', async () => {
    const { token } = (await api.post('/v1/auth/user-token', { user_id: scored })).body;
    const own = service.api(token);
    assert.equal((await own.get(pathOf(scored))).status, 200);
    assert.equal((await own.get(pathOf(scored, `/history?${RANGE_1}`))).status, 200);
    const explain = await own.get(pathOf(scored, '/explain?type=sleep_score&date=2026-03-11'));
    assert.deepEqual([explain.status, explain.body.error], [403, 'insufficient_scope']);
    assert.equal((await own.get(pathOf(ABSENT_ID))).body.error, 'wrong_user');
    for (const rest of ['', `?${RANGE_2}`, `/history?${RANGE_1}`, '/explain?type=sleep_score&date=2026-03-11']) {
      const answer = await get(ABSENT_ID, rest);
      assert.deepEqual([answer.status, answer.body.details], [404, { user_id: ABSENT_ID }], rest);
    }
  });
});

describe('GET /v1/users/{id}/scores/explain', () => {
  const explain = (id: string, type: string, date = '2026-03-11') =>
    read(id, `/explain?type=${type}&date=${date}`, '2');

  it('200 lists the inputs, the baseline and the effect of each factor', async () => {
    const body = await explain(scored, 'recovery_score');
    const { data } = await read(scored, '', '1');
    const listed = data.find(({ type }: JsonBody) => type === 'recovery_score');
    assert.deepEqual(
      [body.type, body.date, body.value, body.neutral, body.computed_at, body.algorithm_version, body.absence],
      ['recovery_score', '2026-03-11', listed.value, 50, '2026-03-11T20:00:00Z', 1, null],
    );
    assert.equal(body.band, body.value >= 67 ? 'high' : body.value >= 34 ? 'moderate' : 'low');
    assert.deepEqual(
      body.factors.map(({ name, contribution, direction }: JsonBody) => ({ name, contribution, direction })),
      listed.factors,
    );
    const [hrv] = body.factors;
    assert.deepEqual([hrv.name, hrv.input, hrv.unit, hrv.usual.scale], ['heart_rate_variability', 75, 'ms', 'log']);
    assert.ok(hrv.usual.mean > 60 && hrv.usual.mean < 75, String(hrv.usual.mean));
    // Each step can be recomputed: from the input to its position in the baseline.
    const spreads = Math.log(hrv.input / hrv.usual.mean) / hrv.usual.spread;
    assert.ok(Math.abs(spreads - hrv.position) < 0.01, `${spreads} is not ${hrv.position}`);
    assert.match(hrv.about, /HRV of the night/);
    const kinds = body.factors.filter((factor: JsonBody) => 'hrv_kind' in factor);
    assert.deepEqual(
      kinds.map(({ name, hrv_kind }: JsonBody) => [name, hrv_kind]),
      [
        ['heart_rate_variability', 'rmssd'],
        ['hrv_trend', 'rmssd'],
      ],
    );
    assert.deepEqual(body.missing, [{ name: 'skin_temperature', reason: 'no_value' }]);
    assert.ok(body.coverage > 90 && body.coverage < 100);
    const wrapped = await read(scored, '/explain?type=recovery_score&date=2026-03-11', '1');
    assert.deepEqual(wrapped, { data: body });
  });

  it('200 explains strain by the inputs of its load', async () => {
    const body = await explain(scored, 'strain_score');
    assert.deepEqual([body.coverage, body.neutral, body.basis], [null, 0, ['average_heart_rate', 'steps']]);
    assertEvery(body.factors, ({ unit, usual, about }: JsonBody) => unit === null && usual === null && about !== '');
  });

  it('200 names every factor and its unit for every score', async () => {
    for (const type of COMPUTED) {
      const { factors, value, neutral } = await explain(scored, type);
      assert.ok(factors.length > 0, type);
      for (const factor of factors) assert.ok(factor.about !== '' && factor.input !== null, `${type} ${factor.name}`);
      const sum = factors.reduce((total: number, { contribution }: JsonBody) => total + contribution, neutral);
      assert.equal(sum.toFixed(1), value.toFixed(1), type);
    }
  });

  it('200 with null and the reason if there is no score', async () => {
    const absenceOf = async (id: string, type: string, date?: string) => {
      const { value, factors, absence, missing } = await explain(id, type, date);
      assert.deepEqual([value, factors], [null, []]);
      assert.ok(absence.message.length > 20);
      return [absence.reason, missing];
    };
    const early = await absenceOf(scored, 'recovery_score', FIRST);
    assert.deepEqual(early, [
      'needed_input',
      [
        { name: 'heart_rate_variability', reason: 'no_baseline' },
        { name: 'resting_heart_rate', reason: 'no_baseline' },
      ],
    ]);
    const noValue = (...names: string[]) => names.map((name) => ({ name, reason: 'no_value' }));
    assert.deepEqual(await absenceOf(scored, 'stress_score'), [
      'needed_input',
      noValue('waking_heart_rate', 'waking_hrv', 'high_stress_time'),
    ]);
    assert.deepEqual(await absenceOf(scored, 'nutrition_score', FIRST), ['needed_input', noValue('dietary_energy')]);
    assert.deepEqual(await absenceOf(scored, 'nutrition_score'), ['waiting', []], 'the day has not ended');
    assert.deepEqual(await absenceOf(scored, 'sleep_score', '2026-01-01'), ['no_inputs', []]);
    const child = await createScored({ profile: { birth_date: '2015-01-01' } });
    assert.deepEqual(await absenceOf(child, 'sleep_score'), ['too_young', []]);
    assert.deepEqual((await read(child, '', '1')).data, []);
  });

  it('200 for logged food: too little, or waiting for the end of the day', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    const food = (date: string, kcal: number) => [
      { date, metric: 'dietary_energy', value: kcal },
      { date, metric: 'protein', value: 90 },
      { date, metric: 'carbohydrates', value: 250 },
      { date, metric: 'fat', value: 70 },
      { date, metric: 'fiber', value: 28 },
      { date, metric: 'sugar', value: 60 },
    ];
    await phone.upload({
      daily: [...food('2026-03-09', 300), ...food('2026-03-10', 2_100), ...food('2026-03-11', 2_100)],
    });
    await scoreNow(service, id);
    assert.equal((await explain(id, 'nutrition_score', '2026-03-09')).absence.reason, 'too_little');
    assert.equal((await explain(id, 'nutrition_score', '2026-03-11')).absence.reason, 'waiting');
    const { value, factors, band } = await explain(id, 'nutrition_score', '2026-03-10');
    assert.ok(value > 50);
    assert.equal(band, null);
    assert.deepEqual(
      factors.map(({ name, unit }: JsonBody) => [name, unit]),
      [
        ['protein', 'g'],
        ['fiber', 'g'],
        ['sugar', 'g'],
        ['macro_balance', '%'],
      ],
    );
    const { data } = await read(id, '', '1');
    assert.deepEqual(
      data.map(({ type, date }: JsonBody) => [type, date]),
      [['nutrition_score', '2026-03-10']],
    );
  });

  it('304 while the explanation is the same', async () => {
    const id = await createScored();
    const path = pathOf(id, '/explain?type=sleep_score&date=2026-03-12');
    const first = await api.get(path);
    assert.equal(first.headers.get('cache-control'), 'private, no-cache');
    const tag = first.headers.get('etag') ?? '';
    assert.equal((await api.get(path, { headers: { 'if-none-match': tag } })).status, 304);
  });

  it('400 for an unknown type, a bad date and a missing one', async () => {
    const unknown = await get(scored, '/explain?type=steps&date=2026-03-11');
    assert.deepEqual([unknown.status, issuePaths(unknown.body)], [400, ['type']]);
    for (const date of ['2026-02-30', 'today', '0001-01-01', '9999-12-31'])
      assert.deepEqual(issuePaths((await get(scored, `/explain?type=sleep_score&date=${date}`)).body), ['date']);
    assert.deepEqual(issuePaths((await get(scored, '/explain')).body), ['type', 'date']);
  });
});

describe('scores of a night whose provider is disabled for sleep stages', () => {
  it('200 use the minutes of the enabled provider, as the daily values do', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    const android = await startPhone(service, id, { platform: 'android' });
    const times = { start: '2026-03-10T22:00:00Z', end: '2026-03-11T06:20:00Z' };
    const ofRing = { asleep_minutes: 470, in_bed_minutes: 490, awake_minutes: 10, deep_minutes: 100, rem_minutes: 120 };
    const ofBand = { asleep_minutes: 400, in_bed_minutes: 500, awake_minutes: 90, deep_minutes: 40, rem_minutes: 60 };
    await phone.upload({ source: RING, sleep: [{ ...times, ...ofRing }] });
    const band = { provider: 'health_connect', id: 'band', device_class: 'wrist' };
    await android.upload({ source: band, sleep: [{ ...times, ...ofBand }] });
    const settings = { metrics: { sleep_stages: { providers: { apple_health: false } } } };
    assert.equal((await api.patch(`/v1/users/${id}/consolidation`, settings)).status, 202);
    await waitUntil('the daily values of the band', async () => {
      const path = `/v1/users/${id}/daily?types=asleep&from_date=2026-03-11&to_date=2026-03-11`;
      return (await api.get(path)).body.series.asleep[0] === 400;
    });
    await scoreNow(service, id);
    const { factors } = await read(id, '/explain?type=sleep_score&date=2026-03-11', '2');
    const inputOf = (name: string) => factors.find((factor: JsonBody) => factor.name === name)?.input;
    assert.deepEqual(['duration', 'efficiency', 'continuity'].map(inputOf), [400, 80, 90]);
  });
});

describe('scores among daily values', () => {
  it('200 in Form 1 by name, with their source; never by default, never in Form 2', async () => {
    const daily = (query: string) => api.get(`/v1/users/${scored}/daily?${query}`);
    const { body } = await daily(`${RANGE_1}&metrics=${SCORE_TYPES.join()},resting_heart_rate&include_sources=true`);
    const scores = body.data.filter(({ unit }: JsonBody) => unit === 'score');
    const { data: rows } = await read(scored, `/history?${RANGE_1}`);
    assert.deepEqual(
      scores.map(({ date, metric, value }: JsonBody) => ({ date, type: metric, value })),
      rows,
    );
    for (const { value, source } of scores)
      assert.deepEqual(source, {
        provider: 'tributary',
        device_id: null,
        original_value: value,
        original_unit: 'score',
      });
    assert.equal(body.data.length - scores.length, DAYS);
    const { body: plain } = await daily(`${RANGE_1}&metrics=sleep_score&unit_system=imperial`);
    assert.deepEqual(Object.keys(plain.data[0]), ['date', 'metric', 'value', 'unit']);
    const all = (await daily(RANGE_1)).body.data.map(({ metric }: JsonBody) => metric);
    assert.ok(all.includes('resting_heart_rate') && !all.some((metric: string) => metric.endsWith('_score')));
    assert.equal((await daily(`${RANGE_2}&types=sleep_score`)).status, 422);
  });
});

describe('stress over the day', () => {
  const QUARTER_MS = 15 * MINUTE_MS;
  const timeseries = async (id: string, query: string): Promise<JsonBody[]> => {
    const path = `/v1/users/${id}/timeseries?metrics=stress_score&start_date=2026-03-10&end_date=2026-03-10&${query}`;
    const answer = await api.get(path);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  /** As Garmin pushes it: seconds since 07:50; negative values say why there is none. */
  const pushStress = async (id: string, number: DeviceNumber, timeOffsetStressLevelValues: object) => {
    const { services } = service.running;
    const summary = {
      summaryId: 'stress',
      startTimeInSeconds: Date.parse('2026-03-10T07:50:00Z') / 1_000,
      startTimeOffsetInSeconds: 0,
      durationInSeconds: 43_200,
      timeOffsetStressLevelValues,
    };
    const kind = garmin.pushed?.find(({ name }) => name === 'stressDetails');
    const records = kind?.map({ stressDetails: [summary] }, { zone: 'UTC' } as MapContext);
    assert.ok(records, 'stressDetails is mapped');
    const { batch } = makeBatch([records], { now: clock.now() });
    const { tenant, userId } = await openTestUser(services.db, id);
    await changeUser(services, tenant, userId, async (tx, locked) => {
      assert.ok(locked);
      const devices = await listSourceDevices(tx, locked.handle);
      const device = devices.find((one) => one.number === number);
      assert.ok(device);
      await ingest(tx, locked.handle, { device, devices }, batch, clock.now());
    });
  };

  it('200 returns a computed sample for each quarter hour awake and at rest, and the device value where there is one', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    await phone.upload(sitThrough('2026-03-03', 8));
    await scoreNow(service, id);
    const computed = await timeseries(id, 'include_sources=true');
    // 8 to 16 h are 32 quarter hours; in the one at noon the user walked.
    assert.equal(computed.length, 31);
    for (const { timestamp, metric, value, unit, source } of computed) {
      assert.equal(Date.parse(timestamp) % QUARTER_MS, 0);
      assert.ok(Number.isInteger(value) && value >= 0 && value <= 100);
      assert.deepEqual([metric, unit], ['stress_score', 'score']);
      assert.deepEqual(source, {
        provider: 'tributary',
        device_id: null,
        original_value: value,
        original_unit: 'score',
      });
    }
    const { series } = await read(id, '?types=stress_score&from_date=2026-03-10&to_date=2026-03-10');
    assert.equal(typeof series.stress_score[0], 'number');

    const watch = await insertDevice(service.running.services.db, id, { number: 7, provider: 'garmin' });
    await pushStress(id, watch.number, { '0': 12, '180': -2, '780': 40, '1200': 44 });
    const both = await timeseries(id, 'include_sources=true');
    assert.deepEqual(
      both.slice(0, 4).map(({ timestamp, value, source }) => [timestamp.slice(11), value, source.provider]),
      [
        ['07:50:00Z', 12, 'garmin'],
        ['08:03:00Z', 40, 'garmin'],
        ['08:10:00Z', 44, 'garmin'],
        ['08:15:00Z', computed[1].value, 'tributary'],
      ],
    );
    assert.deepEqual(both.slice(3), computed.slice(1));
    const [hour] = await timeseries(id, 'include_sources=true&resolution=1h').then((hours) => hours.slice(1));
    const values = [42, ...computed.slice(1, 4).map(({ value }) => value)]; // the mean of each quarter hour
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    assert.ok(Math.abs(hour.value - mean) < 1e-9, `${hour.value} is not ${mean}`);
    assert.deepEqual(
      hour.sources.map(({ provider, device_id }: JsonBody) => [provider, device_id]),
      [
        ['garmin', watch.id],
        ['tributary', null],
      ],
    );
  });

  it('204 for the removal of a device that sent only stress: an event, a new ETag, and the score without it', async () => {
    const { id } = await createUser(api);
    const { db } = service.running.services;
    await (await startPhone(service, id)).upload(sitThrough('2026-03-03', 8));
    const scoreOfDay = async () => {
      await scoreNow(service, id);
      return (await read(id, '?types=stress_score&from_date=2026-03-10&to_date=2026-03-10')).series.stress_score[0];
    };
    const withoutWatch = await scoreOfDay();
    const watch = await insertDevice(db, id, { number: 7, provider: 'garmin' });
    await pushStress(id, watch.number, Object.fromEntries(Array.from({ length: 40 }, (_, index) => [index * 180, 90])));
    assert.ok((await scoreOfDay()) > withoutWatch);
    const path = `/v1/users/${id}/timeseries?metrics=stress_score&start_date=2026-03-10&end_date=2026-03-10`;
    const etag = (await api.get(path)).headers.get('etag') ?? '';
    const before = await readStoredEvents(db, id);

    assert.equal((await api.delete(`/v1/users/${id}/devices/${watch.id}`)).status, 204);
    assert.deepEqual((await readStoredEvents(db, id)).slice(before.length), [
      { type: 'data.updated', metrics: ['stress_score'], from_date: '2026-03-10', to_date: '2026-03-10' },
      { type: 'device.disconnected', metrics: [], from_date: null, to_date: null },
    ]);
    assert.equal((await api.get(path, { headers: { 'if-none-match': etag } })).status, 200);
    assert.equal(await scoreOfDay(), withoutWatch);
  });
});

describe('strain of workouts', () => {
  const workouts = async (id: string): Promise<JsonBody[]> =>
    (await api.get(`/v1/users/${id}/workouts?from_date=${FIRST}&to_date=2026-03-11`)).body.data;

  it('200 in list and detail, on the scale of the day', async () => {
    const [run] = await workouts(scored);
    const { series } = await read(scored, '?types=strain_score&from_date=2026-03-11&to_date=2026-03-11');
    const [ofDay] = series.strain_score;
    assert.ok(run.strain > 0.5 * ofDay && run.strain < ofDay, `${run.strain} of ${ofDay}`);
    const detail = await api.get(`/v1/users/${scored}/workouts/${run.id}`);
    assert.equal(detail.body.strain, run.strain);
  });

  it('200 depends on sex and weight: the measured weight of the last 90 days, else the profile’s', async () => {
    const strainOf = async (profile: object, weights: readonly [date: string, kg: number][] = []) => {
      const { id } = await createUser(api, { profile });
      const workout = { id: 'w', sport_type: 'yoga', start: '2026-03-02T10:00:00Z', end: '2026-03-02T11:00:00Z' };
      await (await startPhone(service, id)).upload({
        workouts: [{ ...workout, active_calories: 300 }],
        daily: weights.map(([date, value]) => ({ date, metric: 'weight', value })),
      });
      const [{ strain }] = await workouts(id);
      return strain;
    };
    const strainAt = (load: number) => Math.round((1_000 * Math.log1p(load / 20)) / Math.log1p(600 / 20)) / 10;
    assert.equal(await strainOf({ weight_kg: 75 }), strainAt((15 * 300) / 75));
    assert.equal(await strainOf({ weight_kg: 75 }, [['2025-12-02', 90]]), strainAt((15 * 300) / 90));
    assert.equal(await strainOf({ weight_kg: 75 }, [['2025-12-01', 90]]), strainAt((15 * 300) / 75)); // 91 days before
    assert.equal(await strainOf({ weight_kg: 75 }, [['2026-03-03', 90]]), strainAt((15 * 300) / 75)); // after it
    assert.equal(await strainOf({}), strainAt(60)); // by its minutes
    assert.equal(await strainOf({ birth_date: '2012-03-03' }), null); // 14 on the next day
    assert.equal(await strainOf({ birth_date: '2012-03-02' }), strainAt(60));
  });
});

describe('score_status', () => {
  it('200 is stale in both forms and in lists after 48 hours without data', async () => {
    const account = await createAccount(service);
    const own = service.api(account.live);
    const { id } = await createUser(own);
    await (await startPhone(service, id, { key: account.live })).upload(liveDays(FIRST, DAYS));
    await scoreNow(service, id);
    const statuses = async () => {
      const one = await own.get(`/v1/users/${id}`, { headers: { 'api-form': '1' } });
      const other = await own.get(`/v1/users/${id}`, { headers: { 'api-form': '2' } });
      const pages = [await own.get('/v1/users?page=1'), await own.get('/v1/users?limit=5')];
      const patched = await own.patch(`/v1/users/${id}`, { metadata: {} }, { headers: { 'api-form': '2' } });
      assert.equal(other.body.last_score_at, '2026-03-11T20:00:00Z');
      return [
        one.body.data.score_status,
        other.body.score_status,
        patched.body.score_status,
        ...pages.map(({ body }) => body.data[0].score_status),
      ];
    };
    assert.deepEqual(await statuses(), Array(5).fill('ready'));
    await service.running.services.db.query('update users set last_sync_at = $2 where id = $1', [
      id,
      new Date(NOW.getTime() - 48 * HOUR_MS - 1),
    ]);
    assert.deepEqual(await statuses(), Array(5).fill('stale'));
  });
});

describe('scores after an upload', () => {
  it('200 appears without a further call, shortly after the data', async () => {
    const { id } = await createUser(api);
    await (await startPhone(service, id)).upload(liveDays('2026-03-09', 2));
    clock.advance(1_000);
    const data = await waitUntil('scores', async () => {
      const body = await read(id, '', '1');
      return body.data.length > 0 && body.data;
    });
    assert.ok(data.some(({ type }: JsonBody) => type === 'sleep_score'));
  });
});

describe('score_status of a user whose data ends before there is a baseline', () => {
  it('200 is calibrating for seven days, then stale, without another scoring run; also in the dashboard', async () => {
    const account = await createAccount(service);
    const own = service.api(account.live);
    const { id } = await createUser(own, { timezone: 'Europe/Berlin' });
    await (await startPhone(service, id, { key: account.live })).upload(liveDays('2026-03-09', 3));
    await scoreNow(service, id);
    clock.advance(Date.parse('2026-03-12T00:30:00Z') - clock.now().getTime());
    await scoreNow(service, id);
    const { db } = service.running.services;
    const queued = await db.query('select 1 from scoring_queue where user_id = $1 and due_at is not null', [id]);
    assert.equal(queued.length, 0, 'nothing is scored later');
    const statusAt = async (instant: string) => {
      clock.advance(Date.parse(instant) - clock.now().getTime());
      const { body } = await own.get(`/v1/users/${id}`, { headers: { 'api-form': '2' } });
      const { cookie } = await createMember(service, account.name, 'viewer');
      const head = await memberApi(service, cookie).get(`/dashboard/api/live/users/${id}/head`);
      return [body.score_status, head.body.user.score_status];
    };
    assert.deepEqual(await statusAt('2026-03-17T22:59:59Z'), ['calibrating', 'calibrating']); // of the 11th until the 17th
    assert.deepEqual(await statusAt('2026-03-17T23:00:00Z'), ['stale', 'stale']);
  });
});
