// Form 1 and Form 2 return the same data for the same days, with the sources that explanations name, and a day's total is the sum
// of its samples.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { SCORE_TYPES } from '../../src/domain/scores/index.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { assertSameState } from '../support/assert-same-state.ts';
import { assertSourcesExplained } from '../support/assert-sources-explained.ts';
import { type History, historyArbitrary, historyOf } from '../support/generate-history.ts';
import { scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { uploadHistory } from '../support/upload-history.ts';

const HISTORIES = Number(process.env.FAULT_ROUNDS ?? (process.env.FAULT_LONG === '1' ? 1_000 : 30));
const clock = createFrozenClock(new Date('2026-04-15T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();

const UNIT_SYSTEMS = ['metric', 'imperial'] as const;

async function get(path: string): Promise<JsonBody> {
  const answer = await api.get(path);
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.body;
}

async function createPerson(history: History): Promise<string> {
  const { id } = await createUser(api, { timezone: history.timezone });
  assert.deepEqual(await uploadHistory(await startPhone(service, id), history), []);
  return id;
}

/** The data of a range, in a shape that both forms can be converted to. */
async function readDailyByForm1(id: string, { from, to }: History, units: string): Promise<JsonBody> {
  const query = `start_date=${from}&end_date=${to}&unit_system=${units}&include_sources=true`;
  const { data } = await get(`/v1/users/${id}/daily?${query}`);
  return data.map(({ source = null, sources = [source], ...row }: JsonBody) => ({ ...row, sources }));
}

async function readDailyByForm2(id: string, { from, to }: History, units: string): Promise<JsonBody> {
  const query = `from_date=${from}&to_date=${to}&unit_system=${units}&include_sources=true`;
  const body = await get(`/v1/users/${id}/daily?${query}`);
  return body.dates.flatMap((date: string, position: number) =>
    Object.entries<JsonBody>(body.series).flatMap(([metric, values]) => {
      if (values[position] === null) return [];
      const reported = body.sources[metric][position];
      const { sources, ...source } = reported ?? {};
      const kind = body.hrv_kinds?.[metric]?.[position];
      const row = {
        date,
        metric,
        value: values[position],
        unit: body.units[metric],
        sources: sources ?? [reported && source],
      }; // null where the service computed the value
      return [kind ? { ...row, hrv_kind: kind } : row];
    }),
  );
}

/** Every page, two entries each. */
async function readPages(path: string): Promise<JsonBody[]> {
  const items: JsonBody[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: JsonBody = await get(`${path}&limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    items.push(...page.data);
    cursor = page.next_cursor;
  }
  return items;
}

async function readPagesByNumber(path: string): Promise<JsonBody[]> {
  const items: JsonBody[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = await get(`${path}&page=${page}&per_page=2`);
    items.push(...data);
    assert.deepEqual([meta.page, meta.per_page], [page, 2]);
    if (page * 2 >= meta.total) {
      assert.equal(items.length, meta.total);
      return items;
    }
  }
}

/** Computes the local time independently of the service. */
function clockAt(instant: string, timezone: string | null): string {
  const text = new Date(instant).toLocaleString('sv-SE', { timeZone: timezone ?? 'UTC' });
  return text.replace(' ', 'T');
}

function withoutFraction(clockTime: string): string {
  return clockTime.replace(/\.\d+$/, '');
}

/** A part of a night that ended in the evening counts toward the morning. */
function assertOfNextDay(date: string, ended: string): void {
  const next = new Date(Date.parse(ended.slice(0, 10)) + DAY_MS).toISOString().slice(0, 10);
  assert.ok(date === next && ended.slice(11) >= '21:00', `${date} of a sleep that ended ${ended}`);
}

async function checkSleep(id: string, { from, to, timezone }: History): Promise<void> {
  const path = `/v1/users/${id}/sleep?include_sources=true`;
  const form2 = await readPages(`${path}&from_date=${from}&to_date=${to}`);
  for (const units of UNIT_SYSTEMS) {
    const { data } = await get(`${path}&start_date=${from}&end_date=${to}&unit_system=${units}`);
    assert.equal(data.length, form2.length);
    for (const [index, sleep] of data.entries()) {
      const { id: _, is_main_sleep, source_detail, sources, ...other } = form2[index];
      const ended = clockAt(sleep.end, timezone);
      if (other.date !== ended.slice(0, 10)) assertOfNextDay(other.date, ended);
      assert.deepEqual(
        { ...other, start_time: withoutFraction(other.start_time), end_time: withoutFraction(other.end_time) },
        {
          date: other.date,
          start_time: clockAt(sleep.start, timezone),
          end_time: ended,
          duration_minutes: Math.round((Date.parse(sleep.end) - Date.parse(sleep.start)) / MINUTE_MS),
          source: sleep.source.provider,
          asleep_minutes: sleep.asleep,
          deep_minutes: sleep.deep_sleep,
          light_minutes: sleep.light_sleep,
          rem_minutes: sleep.REM,
          awake_minutes: sleep.time_awake,
          in_bed_minutes: sleep.time_in_bed,
          efficiency_pct: sleep.sleep_efficiency,
        },
      );
      assert.deepEqual(
        [source_detail.provider, source_detail.device_id],
        [sleep.source.provider, sleep.source.device_id],
      );
      assert.deepEqual(sources.in_bed_minutes, sleep.sources.time_in_bed); // Form 2 has no vitals
    }
  }
}

/** Three reads and the latest of each must agree. */
async function checkScores(id: string, { from, to }: History): Promise<void> {
  const types = SCORE_TYPES.join();
  const { dates, series, latest } = await get(`/v1/users/${id}/scores?from_date=${from}&to_date=${to}&types=${types}`);
  const rows = dates.flatMap((date: string, position: number) =>
    SCORE_TYPES.flatMap((type) =>
      series[type][position] === null ? [] : [{ date, type, value: series[type][position] }],
    ),
  );
  const range = `start_date=${from}&end_date=${to}`;
  assert.deepEqual((await get(`/v1/users/${id}/scores/history?${range}`)).data, rows);
  const { data: daily } = await get(`/v1/users/${id}/daily?${range}&metrics=${types}`);
  assert.deepEqual(
    daily.map(({ date, metric, value }: JsonBody) => ({ date, type: metric, value })),
    rows,
  );
  const newest = Object.fromEntries((await get(`/v1/users/${id}/scores`)).data.map((one: JsonBody) => [one.type, one]));
  for (const type of SCORE_TYPES) {
    const last = rows.findLast((row: JsonBody) => row.type === type);
    assert.deepEqual(latest[type] && [latest[type].date, latest[type].value], last ? [last.date, last.value] : null);
    if (newest[type]?.date <= to && last)
      assert.deepEqual([newest[type].date, newest[type].value], [last.date, last.value]);
  }
}

const KM_PER_MILE = 1.609344;

async function checkWorkouts(id: string, { from, to, timezone }: History): Promise<void> {
  const path = `/v1/users/${id}/workouts?include_sources=true`;
  const form2 = await readPages(`${path}&from_date=${from}&to_date=${to}`);
  for (const units of UNIT_SYSTEMS) {
    const form1 = await readPagesByNumber(`${path}&start_date=${from}&end_date=${to}&unit_system=${units}`);
    assert.deepEqual(
      form1.map((workout) => workout.id),
      form2.map((workout) => workout.id),
    );
    for (const [index, workout] of form1.entries()) {
      const { source_detail, distance_km, strain, ...other } = form2[index];
      assert.deepEqual(
        { ...other, start_time: withoutFraction(other.start_time) },
        {
          id: workout.id,
          type: workout.sport_type,
          start_time: clockAt(workout.start, timezone),
          duration_minutes: workout.duration,
          calories: workout.active_calories,
          source: workout.source.provider,
          avg_heart_rate: workout.heart_rate_avg,
          max_heart_rate: workout.heart_rate_max,
        },
      );
      assert.equal(source_detail.device_id, workout.source.device_id);
      assert.ok(strain >= 0 && strain <= 100, String(strain)); // Form 1 has no strain score
      checkDistance(workout, distance_km, units);
      await checkDetail(id, workout, form2[index]);
    }
  }
}

/** Rounded, each in its own unit. */
function checkDistance(workout: JsonBody, km: number | null, units: string): void {
  if (km === null) {
    assert.equal(workout.distance, null);
    return;
  }
  const metres = workout.sport_type === 'swimming' ? 1_000 : 1;
  const [expected, roundedBy] = units === 'metric' ? [km * metres, 0.005 * metres + 0.5] : [km / KM_PER_MILE, 0.01];
  assert.ok(Math.abs(workout.distance - expected) <= roundedBy, `${workout.distance} is not ${expected} (${units})`);
}

async function checkDetail(id: string, workout: JsonBody, listed: JsonBody): Promise<void> {
  const detail = await get(`/v1/users/${id}/workouts/${workout.id}`);
  const { source_detail: _, ...item } = listed;
  assert.deepEqual(Object.fromEntries(Object.keys(item).map((key) => [key, detail[key]])), item);
  if (detail.heart_rate === null) return;
  assert.deepEqual(
    [detail.heart_rate.avg_bpm, detail.heart_rate.max_bpm],
    [workout.heart_rate_avg, workout.heart_rate_max],
  );
  const zones = detail.heart_rate.zones?.map(({ zone, minutes }: JsonBody) => [`zone_${zone}`, minutes]);
  assert.deepEqual(zones && Object.fromEntries(zones), workout.heart_rate_zones);
}

describe('data reads in both forms', () => {
  it('200 with the same values, units, sources and ids, metric and imperial', async () => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, async (history) => {
        const id = await createPerson(history);
        for (const units of UNIT_SYSTEMS)
          assertSameState(
            await readDailyByForm1(id, history, units),
            await readDailyByForm2(id, history, units),
            units,
          );
        await checkSleep(id, history);
        await checkWorkouts(id, history);
        await scoreNow(service, id);
        await checkScores(id, history);
      }),
      { numRuns: HISTORIES },
    );
  });
});

describe('the sources of a day', () => {
  it('200 are the devices that its explanation lists as used, with the same values', async () => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, async (history) => {
        const id = await createPerson(history);
        await assertSourcesExplained(api, id, history.from, history.to);
      }),
      { numRuns: Math.ceil(HISTORIES / 3) }, // an explanation per value and day
    );
  });
});

describe('a day and its timeseries', () => {
  it('200 with a total that is the sum of the samples, unless a device reported the day', async () => {
    await fc.assert(
      fc.asyncProperty(historyOf(['steps', 'active_calories']), async (history) => {
        const id = await createPerson(history);
        const query = `metrics=steps,active_calories&start_date=${history.from}&end_date=${history.to}`;
        const { data: samples } = await get(`/v1/users/${id}/timeseries?${query}`);
        const { data: days } = await get(`/v1/users/${id}/daily?${query}&include_sources=true`);
        const sums = sumByDay(samples, history.timezone);
        const totals = days.filter((day: JsonBody) => !isStated(history, day));
        for (const { metric, date, value } of totals) {
          const sum = sums.get(`${metric} ${date}`) ?? Number.NaN;
          assert.ok(
            Math.abs(value - sum) <= 0.5 + 1e-6,
            `${metric} of ${date} is ${value}, its samples add up to ${sum}`,
          );
        }
        const reported = new Set(days.map(({ metric, date }: JsonBody) => `${metric} ${date}`));
        for (const day of sums.keys()) assert.ok(reported.has(day), `${day} has samples and no value`);
      }),
      { numRuns: HISTORIES },
    );
  });
});

function sumByDay(samples: readonly JsonBody[], timezone: string | null): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { timestamp, metric, value } of samples) {
    const day = `${metric} ${clockAt(timestamp, timezone).slice(0, 10)}`;
    sums.set(day, (sums.get(day) ?? 0) + value);
  }
  return sums;
}

/** Only one device contributed, and a device reported the daily value. */
function isStated({ devices }: History, { metric, date, sources }: JsonBody): boolean {
  if (sources !== undefined) return false;
  return devices.some(({ items }) =>
    items.some((item) => item.kind === 'daily' && item.value.metric === metric && item.value.date === date),
  );
}
