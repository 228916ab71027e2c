// The exact body of every read of one history, in both forms. A changed body is a change of the API: review it, then run
// UPDATE_GOLDEN=1 npm test -- server/test/golden && npm run format
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { FIXTURE_NOW, PERSON, uploadFixture } from './fixture.ts';

const service = await startTestService({ clock: createFrozenClock(FIXTURE_NOW) });
after(() => service.stop());
const api = service.api();

const { id: userId } = await createUser(api, PERSON);
await uploadFixture(await startPhone(service, userId));
await scoreNow(service, userId);

const DAYS_1 = 'start_date=2026-03-27&end_date=2026-03-30';
const DAYS_2 = 'from_date=2026-03-27&to_date=2026-03-30';
const TYPES =
  'steps,active_calories,resting_energy,total_calories,heart_rate,heart_rate_min,blood_oxygen,body_temperature,weight,asleep,' +
  'sleep_start,sleep_end,sleep_heart_rate,workout_count,running,swimming,heart_rate_zone_3_time,vo2_max';

/** By file. `2` and `1` are the forms; endpoints with one shape are called in both. */
const READS: Readonly<Record<string, { path: string; form?: '1' | '2' }>> = {
  'user-1': { path: '', form: '1' },
  'user-2': { path: '', form: '2' },
  devices: { path: '/devices' },
  'daily-1': { path: `/daily?${DAYS_1}` },
  'daily-1-imperial-sources': { path: `/daily?${DAYS_1}&unit_system=imperial&include_sources=true` },
  'daily-2': { path: `/daily?${DAYS_2}&types=${TYPES}` },
  'daily-2-imperial-sources': {
    path: `/daily?${DAYS_2}&types=${TYPES}&unit_system=imperial&include_sources=true`,
  },
  'sleep-1': { path: `/sleep?${DAYS_1}` },
  'sleep-1-imperial-sources': { path: `/sleep?${DAYS_1}&unit_system=imperial&include_sources=true` },
  'sleep-2': { path: `/sleep?${DAYS_2}` },
  'sleep-2-page-sources': { path: `/sleep?${DAYS_2}&limit=1&include_sources=true` },
  'sleep-1-stages': { path: `/sleep?${DAYS_1}&include=stages` },
  'sleep-2-stages': { path: `/sleep?${DAYS_2}&limit=1&include=stages` },
  'workouts-1': { path: `/workouts?${DAYS_1}` },
  'workouts-1-imperial-sources': { path: `/workouts?${DAYS_1}&unit_system=imperial&include_sources=true` },
  'workouts-2': { path: `/workouts?${DAYS_2}` },
  'workouts-2-page-sources': { path: `/workouts?${DAYS_2}&limit=1&include_sources=true` },
  'workout-run': { path: '/workouts/<workout 2>', form: '2' },
  'workout-run-1': { path: '/workouts/<workout 2>', form: '1' },
  'workout-swim-1-imperial': { path: '/workouts/<workout 1>?unit_system=imperial' },
  'workout-swim': { path: '/workouts/<workout 1>', form: '2' },
  timeseries: { path: `/timeseries?${DAYS_1}&metrics=steps,heart_rate,blood_oxygen,active_calories` },
  'timeseries-sources': {
    path: `/timeseries?${DAYS_1}&metrics=steps,weight&unit_system=imperial&include_sources=true`,
  },
  'timeseries-hours': { path: `/timeseries?${DAYS_1}&metrics=steps,heart_rate&resolution=1h&include_sources=true` },
  'scores-1': { path: '/scores', form: '1' },
  'scores-2': { path: `/scores?${DAYS_2}` },
  'scores-2-sources': { path: `/scores?${DAYS_2}&types=sleep_score,nutrition_score&include_sources=true` },
  'scores-history': { path: `/scores/history?${DAYS_1}` },
  'export-ndjson': { path: '/export?format=ndjson&from=2026-03-28&to=2026-03-28' },
  'export-fhir': { path: '/export?format=fhir&from=2026-03-29&to=2026-03-29&metrics=steps,weight,blood_oxygen' },
  'export-omh': { path: '/export?format=omh&from=2026-03-29&to=2026-03-29&metrics=steps,weight,blood_oxygen' },
  'explain-sleep-score': { path: '/scores/explain?type=sleep_score&date=2026-03-29', form: '2' },
  'explain-strain-score': { path: '/scores/explain?type=strain_score&date=2026-03-28' },
  'explain-no-score': { path: '/scores/explain?type=recovery_score&date=2026-03-27' },
  'explain-steps': { path: '/daily/explain?metric=steps&date=2026-03-28' },
  'explain-asleep': { path: '/daily/explain?metric=asleep&date=2026-03-29' },
  'explain-total-calories': { path: '/daily/explain?metric=total_calories&date=2026-03-28' },
};

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const names = new Map<string, string>([[userId, '<user>']]);
await nameIds('device', `/devices`);
await nameIds('sleep', `/sleep?${DAYS_2}`);
await nameIds('workout', `/workouts?${DAYS_2}`);

/** In list order. */
async function nameIds(what: string, list: string): Promise<void> {
  const { body } = await api.get(`/v1/users/${userId}${list}`);
  body.data.forEach(({ id }: { id: string }, index: number) => void names.set(id, `<${what} ${index + 1}>`));
}

/** Ids and cursors differ on every run. */
function withNames(text: string): string {
  return text
    .replace(UUID, (id) => names.get(id) ?? '<other id>')
    .replace(/"next_cursor":"[^"]+"/, '"next_cursor":"<cursor>"');
}

function withIds(text: string): string {
  return text.replace(/<[^>]+>/g, (name) => [...names].find(([, given]) => given === name)?.[0] ?? name);
}

async function read({ path: position, form }: (typeof READS)[string]): Promise<JsonBody> {
  const answer = await api.get(`/v1/users/${userId}${withIds(position)}`, {
    headers: form === undefined ? {} : { 'api-form': form },
  });
  assert.equal(answer.status, 200, answer.text);
  const text = withNames(answer.text);
  const isLines = answer.headers.get('content-type')?.endsWith('ndjson') === true;
  return JSON.parse(isLines ? `[${text.trimEnd().replaceAll('\n', ',')}]` : text);
}

/** As lines: "data[3].value: 5, golden 6". */
function listDifferences(actual: JsonBody, golden: JsonBody, at = ''): string[] {
  if (Object.is(actual, golden)) return [];
  const isObject = (value: JsonBody) => typeof value === 'object' && value !== null;
  if (!isObject(actual) || !isObject(golden) || Array.isArray(actual) !== Array.isArray(golden))
    return [`${at}: ${show(actual)}, golden ${show(golden)}`];
  const keys = [...new Set([...Object.keys(golden), ...Object.keys(actual)])];
  const inOrder = Object.keys(actual).join() === Object.keys(golden).join();
  const differences = keys.flatMap((key) =>
    listDifferences(actual[key], golden[key], Array.isArray(golden) ? `${at}[${key}]` : `${at}.${key}`),
  );
  return differences.length === 0 && !inOrder ? [`${at}: the keys come in another order`] : differences;
}

function show(value: JsonBody): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

const isUpdate = process.env.UPDATE_GOLDEN === '1';
const fileOf = (name: string) => path.join(import.meta.dirname, `${name}.json`);

describe('golden bodies', () => {
  for (const [name, request] of Object.entries(READS)) {
    it(`${name}: GET /v1/users/{id}${request.path}`, async () => {
      const body = await read(request);
      if (isUpdate) writeFileSync(fileOf(name), `${JSON.stringify(body, null, 2)}\n`);
      assert.ok(existsSync(fileOf(name)), 'no golden body yet: UPDATE_GOLDEN=1 npm test -- server/test/golden');
      const differences = listDifferences(body, JSON.parse(readFileSync(fileOf(name), 'utf8')));
      if (differences.length > 0) assert.fail(['differs from the golden body:', ...differences].join('\n  '));
    });
  }

  it('has no unused golden file', () => {
    const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.json'));
    assert.deepEqual(
      files.sort(),
      Object.keys(READS)
        .map((name) => `${name}.json`)
        .sort(),
    );
  });
});
