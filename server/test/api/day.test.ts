// Tests the dashboard's calls about one day against the public API: both must say the same.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { IPHONE, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';

// The clocks of Berlin changed on March 29: the day has 23 hours.
const TODAY = '2026-04-02' as LocalDate;
const DAYS = Array.from({ length: 7 }, (_, index) => addDays(TODAY, index - 7));
const SHORT_DAY = '2026-03-29' as LocalDate;

const service = await startTestService({ clock: createFrozenClock(new Date('2026-04-02T12:00:00Z')) });
after(() => service.stop());
const api = service.api(service.keys.sandbox);
const member = await createMember(service, 'default', 'viewer');
const dashboard = memberApi(service, member.cookie);
const user = await createUser(api, { timezone: 'Europe/Berlin' });

async function get(path: string): Promise<JsonBody> {
  const answer = await dashboard.get(`/dashboard/api/sandbox/users/${user.id}${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
async function getPublic(path: string): Promise<JsonBody> {
  const answer = await api.get(`/v1/users/${user.id}${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
const expand = (runs: JsonBody): (number | null)[] =>
  runs.flatMap(({ device, quarters }: JsonBody) => new Array(quarters).fill(device));

describe('GET /users/{id}/head', () => {
  it('200 describes the user, its devices and its settings', async () => {
    const head = await get('/head');
    assert.equal(head.user.id, user.id);
    assert.equal(head.user.timezone, 'Europe/Berlin');
    assert.equal(head.overrides, 0);
    assert.ok(head.data_revision > 0);
    assertEvery(head.devices, (device: JsonBody) => device.status === 'active' && device.number > 0);
    const listed = (await api.get(`/v1/users/${user.id}/devices`)).body.data;
    assert.deepEqual(
      head.devices.map((device: JsonBody) => device.id).sort(),
      listed.map((device: JsonBody) => device.id).sort(),
    );
  });

  it('404 for an unknown user', async () => {
    const answer = await dashboard.get(`/dashboard/api/sandbox/users/${ABSENT_ID}/head`);
    assert.equal(answer.status, 404);
  });
});

describe('GET /users/{id}/days/{date}/values', () => {
  it('200 has the values of GET daily, for every metric and day', async () => {
    const daily = await getPublic(`/daily?from_date=${DAYS[0]}&to_date=${DAYS.at(-1)}`);
    for (const [index, date] of DAYS.entries()) {
      const { values } = await get(`/days/${date}/values`);
      const explained = new Map(values.map((one: JsonBody) => [one.metric, one.value]));
      assert.ok(values.length > 20, `${date} has ${values.length} values`);
      for (const [metric, series] of Object.entries<JsonBody>(daily.series))
        assert.equal(explained.get(metric) ?? null, series[index] ?? null, `${metric} on ${date}`);
    }
  });

  it('200 has the candidates of explain', async () => {
    const { devices } = await get('/head');
    const idOf = (number: number) => devices.find((device: JsonBody) => device.number === number).id;
    const { values } = await get(`/days/${SHORT_DAY}/values`);
    for (const { metric, candidates, method, computed } of values) {
      const { data: explained } = await getPublic(`/daily/explain?metric=${metric}&date=${SHORT_DAY}`);
      assert.deepEqual(
        candidates.map((one: JsonBody) => [idOf(one.device), one.outcome, one.origin]),
        explained.candidates.map((one: JsonBody) => [one.device_id, one.outcome, one.origin]),
        metric,
      );
      assert.equal(method, explained.method, metric);
      assert.equal(computed, explained.computed !== null, metric);
    }
  });

  it('200 text/csv lists one line per device', async () => {
    const answer = await dashboard.get(`/dashboard/api/sandbox/users/${user.id}/days/${SHORT_DAY}/values`, {
      headers: { accept: 'text/csv' },
    });
    assert.equal(answer.status, 200);
    assert.match(answer.text, /^metric,value,unit,method,device,device_value,outcome,contributed\r?\n/);
    assert.match(answer.text, /\nsteps,\d+,/);
  });

  it('304 until the data of the user changes', async () => {
    const path = `/dashboard/api/sandbox/users/${user.id}/days/${SHORT_DAY}/values`;
    const etag = (await dashboard.get(path)).headers.get('etag') ?? '';
    const again = await dashboard.get(path, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
  });
});

describe('GET /users/{id}/days/{date}/values/{metric}', () => {
  it('200 explains every value: the method in force gives the value, and quarter hours add up', async () => {
    for (const date of [SHORT_DAY, DAYS.at(-1)]) {
      const { values } = await get(`/days/${date}/values`);
      for (const { metric, value, candidates } of values) {
        const one = await get(`/days/${date}/values/${metric}`);
        assert.equal(one.value, value, metric);
        const inForce = one.alternatives.find((alternative: JsonBody) => alternative.method === one.method);
        if (inForce) assert.equal(inForce.value, value, `${metric} by ${one.method} on ${date}`);
        assert.deepEqual(
          one.candidates.map((candidate: JsonBody) => [candidate.device, candidate.value]),
          candidates.map((candidate: JsonBody) => [candidate.device, candidate.value]),
        );
        for (const { measured, counted } of one.quarter_hours) {
          assert.equal(measured.length, date === SHORT_DAY ? 92 : 96);
          assert.equal(counted.length, measured.length);
        }
      }
    }
  });

  it('200 counted and not counted quarter hours are what each device measured', async () => {
    const { quarter_hours: quarterHours, candidates, value } = await get(`/days/${SHORT_DAY}/values/steps`);
    assertEvery(candidates, (one: JsonBody) => one.origin === 'samples');
    for (const { device, measured, counted } of quarterHours) {
      const candidate = candidates.find((one: JsonBody) => one.device === device);
      assert.equal(Math.round(sum(measured)), candidate.value);
      assert.equal(Math.round(sum(counted)), Math.round(candidate.contributed ?? 0));
    }
    assert.equal(Math.round(sum(quarterHours.flatMap(({ counted }: JsonBody) => counted))), value);
  });

  it('200 explains the value as it would be by another method or without a provider', async () => {
    const path = `/days/${SHORT_DAY}/values/steps`;
    const { alternatives, candidates } = await get(path);
    for (const { method, value } of alternatives) {
      const supposed = await get(`${path}?method=${method}`);
      assert.deepEqual([supposed.method, supposed.setting.overridden], [method, true]);
      if (method === 'merge' || method === 'priority') {
        const counted = supposed.quarter_hours.flatMap((one: JsonBody) => one.counted);
        assert.equal(Math.round(sum(counted)), value, method);
      }
    }
    const [{ provider }] = candidates;
    const without = await get(`${path}?disabled=${provider}`);
    assertEvery(
      without.candidates.filter((one: JsonBody) => one.provider === provider),
      (one: JsonBody) => one.enabled === false && one.outcome === 'disabled',
    );
    assert.deepEqual((await get(path)).candidates, candidates);
  });

  it('200 says why each device has its rank', async () => {
    const { candidates } = await get(`/days/${SHORT_DAY}/values/steps`);
    assertEvery(candidates, (one: JsonBody) => one.rank_reason !== 'id' && one.class_rank > 0);
  });

  it('400 for a score, which has an explanation of its own', async () => {
    const answer = await dashboard.get(
      `/dashboard/api/sandbox/users/${user.id}/days/${SHORT_DAY}/values/recovery_score`,
    );
    assert.equal(answer.body.error, 'invalid_metric');
  });
});

describe('GET /users/{id}/days/{date}/river', () => {
  it('200 names the sources of the timeseries, for levels and totals', async () => {
    const { devices } = await get('/head');
    for (const date of [SHORT_DAY, DAYS.at(-1) as LocalDate]) {
      const river = await get(`/days/${date}/river?metrics=heart_rate,steps`);
      for (const band of river.metrics) {
        const sources = expand(band.sources);
        const firstMs = Date.parse(band.kind === 'level' ? river.from : river.day_start);
        assert.equal(sources.length, (Date.parse(river.to) - firstMs) / 900_000);
        const { data } = await getPublic(
          `/timeseries?metrics=${band.metric}&start_date=${date}&end_date=${date}&include_sources=true`,
        );
        assert.ok(data.length > 10, band.metric);
        for (const sample of data) {
          const quarter = Math.floor((Date.parse(sample.timestamp) - firstMs) / 900_000);
          const number = devices.find((device: JsonBody) => device.id === sample.source.device_id).number;
          assert.equal(sources[quarter], number, `${band.metric} ${JSON.stringify(sample)}`);
        }
      }
    }
  });

  it('200 has sleeps with stages, workouts, and the hours of the day', async () => {
    const river = await get(`/days/${SHORT_DAY}/river`);
    assert.equal(river.hours, 23);
    assert.equal(river.metrics.length, 2);
    assert.ok(river.sleeps.some((sleep: JsonBody) => sleep.is_main && sleep.is_counted && sleep.stages.length > 5));
    assert.ok(river.available.some(({ metric }: JsonBody) => metric === 'heart_rate'));
    assert.ok(Date.parse(river.from) <= Date.parse(river.day_start));
  });

  it('400 for a metric without samples', async () => {
    const path = `/dashboard/api/sandbox/users/${user.id}/days/${SHORT_DAY}/river?metrics=sleep_score`;
    assert.equal((await dashboard.get(path)).body.error, 'invalid_metric');
  });

  it('400 for a date that does not exist', async () => {
    const answer = await dashboard.get(`/dashboard/api/sandbox/users/${user.id}/days/2026-02-30/river`);
    assert.equal(answer.body.error, 'invalid_parameter');
  });
});

describe('GET /users/{id}/days/{date}/week', () => {
  it('200 has seven days with steps and the half hours of each device', async () => {
    const { days } = await get(`/days/${DAYS.at(-1)}/week`);
    const daily = await getPublic(`/daily?types=steps&from_date=${DAYS[0]}&to_date=${DAYS.at(-1)}`);
    assert.deepEqual(
      days.map(({ date, steps }: JsonBody) => [date, steps]),
      daily.dates.map((date: string, index: number) => [date, daily.series.steps[index]]),
    );
    assertEvery(days, ({ devices }: JsonBody) =>
      devices.every(({ coverage }: JsonBody) => /^[0-9a-f]{12}$/.test(coverage)),
    );
  });
});

describe('a changed method', () => {
  it('moves what is counted, and other methods say what they would give', async () => {
    const live = service.api();
    const liveMember = memberApi(service, member.cookie);
    const person = await createUser(live, { timezone: 'Europe/Berlin' });
    const phone = await startPhone(service, person.id);
    const steps = (start: string, end: string, value: number) => ({ metric: 'steps', start, end, value });
    await phone.upload({ samples: [steps('2026-03-20T08:00:00Z', '2026-03-20T08:15:00Z', 1000)] });
    await phone.upload({
      source: IPHONE,
      samples: [
        steps('2026-03-20T08:00:00Z', '2026-03-20T08:15:00Z', 900),
        steps('2026-03-20T18:00:00Z', '2026-03-20T18:15:00Z', 300),
      ],
    });
    const read = async () =>
      (await liveMember.get(`/dashboard/api/live/users/${person.id}/days/2026-03-20/values/steps`)).body;
    const merged = await read();
    const given = Object.fromEntries(merged.alternatives.map((one: JsonBody) => [one.method, one.value]));
    assert.deepEqual([merged.value, given.merge, given.priority, given.max], [1300, 1300, 1000, 1000]);
    assert.deepEqual(
      merged.quarter_hours.map((one: JsonBody) => [sum(one.measured), sum(one.counted)]),
      [
        [1000, 1000],
        [1200, 300],
      ],
    );
  });
});

describe('GET /users/{id}/consolidation', () => {
  const keyOf = ({ keys }: JsonBody, key: string) => keys.find((one: JsonBody) => one.key === key);

  it('200 has the settings of the public API, and the sources in the order of explain', async () => {
    const editor = await get('/consolidation');
    const settings = await getPublic('/consolidation');
    assert.deepEqual(editor.providers, settings.providers);
    assert.deepEqual(
      editor.keys.map(({ key, method, providers }: JsonBody) => ({ key, method, providers })),
      settings.metrics.map(({ key, method, providers }: JsonBody) => ({ key, method, providers })),
    );
    const explained = await get(`/days/${DAYS.at(-1)}/values/steps`);
    const steps = keyOf(editor, 'steps');
    assert.deepEqual(
      steps.sources,
      explained.candidates.map(({ device, rank_reason, class_rank }: JsonBody) => ({
        device,
        rank_reason,
        class_rank,
      })),
    );
    assert.equal(steps.differs, true);
    assert.equal(editor.dates.at(-1), TODAY);
    assert.equal(steps.metrics[0].values.at(-2), explained.value);
  });

  it('200 names the last change, and marks what is set', async () => {
    const other = await createUser(api, { timezone: 'UTC' });
    const path = `/dashboard/api/sandbox/users/${other.id}/consolidation`;
    const { body: before } = await dashboard.get(path);
    assert.deepEqual([keyOf(before, 'steps').last_change, keyOf(before, 'steps').changed], [null, false]);
    const developer = memberApi(service, (await createMember(service, 'default', 'developer')).cookie);
    await developer.patch(`/dashboard/api/sandbox/v1/users/${other.id}/consolidation`, {
      metrics: { steps: { method: 'max' } },
    });
    const { body: after } = await dashboard.get(path);
    const { changed, overridden, method, last_change: change } = keyOf(after, 'steps');
    assert.deepEqual([changed, overridden, method], [true, true, 'max']);
    assert.deepEqual([change.actor_name, change.via], ['Test developer', 'dashboard']);
    assert.equal(keyOf(after, 'weight').last_change, null);
    const explain = `/dashboard/api/sandbox/users/${other.id}/days/${SHORT_DAY}/values`;
    assert.deepEqual((await dashboard.get(`${explain}/steps`)).body.setting.last_change, change);
    assert.equal((await dashboard.get(`${explain}/distance`)).body.setting.last_change, null);
  });

  it('404 for an unknown user', async () => {
    const answer = await dashboard.get(`/dashboard/api/sandbox/users/${ABSENT_ID}/consolidation`);
    assert.equal(answer.status, 404);
  });
});
