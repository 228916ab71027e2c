// Everything that the API returns about the data of a user, without ids of sessions and times of computation.
import assert from 'node:assert/strict';
import { METRICS } from '../../src/domain/metrics/index.ts';
import { SCORE_TYPES } from '../../src/domain/scores/index.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import type { JsonBody, TestApi } from './test-api.ts';

type Dates = {
  readonly from: LocalDate;
  readonly to: LocalDate;
  /** The values and scores of this date are explained. */
  readonly explained: LocalDate;
};

/** Assigned or computed by the deployment. */
const OWN_FIELDS = new Set(['computed_at', 'last_score_at', 'user_id', 'next_cursor']);
const METRICS_AT_ONCE = 10;
const SAMPLED = METRICS.filter(({ samples }) => samples !== 'no').map(({ id }) => id);

/** Answers by path. The export repeats daily values, sleeps, workouts, scores and samples of the whole history. */
export async function readEverything(api: TestApi, userId: string, dates: Dates): Promise<Map<string, JsonBody>> {
  const { from, to, explained } = dates;
  const base = `/v1/users/${userId}`;
  const { data } = (await api.get(`${base}/devices`)).body as { data: { id: string }[] };
  const kept = new Set(data.map(({ id }) => id));
  const answers = new Map<string, JsonBody>();
  const read = async (path: string, form: '1' | '2' | null): Promise<JsonBody> => {
    const { status, body, text } = await api.get(base + path, form === null ? {} : { headers: { 'api-form': form } });
    assert.equal(status, 200, `${path}: ${text}`);
    answers.set(
      `${form} ${path.replace(UUID, `id ${answers.size}`)}`,
      withoutIds(body ?? text.split('\n').map(parse), kept),
    );
    return body;
  };
  await read('/export?format=ndjson', null);
  for (const [form, range] of [
    ['1', `start_date=${from}&end_date=${to}&include_sources=true`],
    ['2', `from_date=${from}&to_date=${to}&include_sources=true`],
  ] as const) {
    await read(`/daily?${range}`, form);
    await read(`/sleep?${range}&include=stages`, form);
    const workouts = await read(`/workouts?${range}`, form);
    for (const { id } of workouts.data ?? workouts.workouts) await read(`/workouts/${id}?include_sources=true`, form);
    await read(form === '1' ? '/scores' : `/scores?${range}`, form);
    for (const metric of ['steps', 'asleep', 'resting_heart_rate', 'active_calories'])
      await read(`/daily/explain?metric=${metric}&date=${explained}`, form);
    for (const type of SCORE_TYPES) await read(`/scores/explain?type=${type}&date=${explained}`, form);
  }
  await read(`/scores/history?start_date=${from}&end_date=${to}`, null);
  for (let first = 0; first < SAMPLED.length; first += METRICS_AT_ONCE)
    await read(
      `/timeseries?metrics=${SAMPLED.slice(first, first + METRICS_AT_ONCE).join(',')}&start_date=${from}&end_date=${to}&include_sources=true`,
      null,
    );
  return answers;
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function parse(line: string): JsonBody {
  return line === '' ? null : JSON.parse(line);
}

/** Devices keep their ids. */
function withoutIds(value: JsonBody, kept: ReadonlySet<string>): JsonBody {
  if (typeof value === 'string') return value.replace(UUID, (id) => (kept.has(id) ? id : 'id'));
  if (Array.isArray(value)) return value.map((item) => withoutIds(item, kept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !OWN_FIELDS.has(name))
      .map(([name, item]) => [name, withoutIds(item, kept)]),
  );
}
