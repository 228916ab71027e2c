// Tests the minutes and stages of an uploaded sleep in both forms, daily metrics and scores.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date('2026-03-20T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();

const DATE = '2026-03-19';
const stage = (stage: string, start: string, end: string) => ({
  stage,
  start: `2026-03-${start}:00Z`,
  end: `2026-03-${end}:00Z`,
});

async function uploadNight(fields: object) {
  const { id } = await createUser(api, { timezone: 'UTC' });
  const phone = await startPhone(service, id);
  const night = { id: 'night', start: '2026-03-18T23:00:00Z', end: '2026-03-19T07:00:00Z', ...fields };
  const body = await phone.upload({ sleep: [night] });
  assert.deepEqual([body.accepted, body.rejected], [1, []]);
  return id;
}

async function readNight(id: string) {
  const [form1, form2, daily] = await Promise.all([
    api.get(`/v1/users/${id}/sleep?start_date=${DATE}&end_date=${DATE}`),
    api.get(`/v1/users/${id}/sleep?from_date=${DATE}&to_date=${DATE}`),
    api.get(`/v1/users/${id}/daily?start_date=${DATE}&end_date=${DATE}`),
  ]);
  const values = daily.body.data.map(({ metric, value }: JsonBody) => [metric, value]);
  return { form1: form1.body.data[0], form2: form2.body.data[0], daily: Object.fromEntries(values) };
}

async function explainScore(id: string): Promise<JsonBody> {
  clock.advance(2 * SECOND_MS);
  const path = `/v1/users/${id}/scores/explain?type=sleep_score&date=${DATE}`;
  return waitUntil('the sleep score', async () => {
    const { body } = await api.get(path, { headers: { 'api-form': '2' } });
    return body.value === null ? null : body;
  });
}

describe('a stage that the source did not report', () => {
  it('200 is null in both forms, and has no daily value and no factor in the score', async () => {
    const id = await uploadNight({
      stages: [stage('light', '18T23:00', '19T05:00'), stage('rem', '19T05:00', '19T07:00')],
    });
    const { form1, form2, daily } = await readNight(id);
    assert.deepEqual(
      [form1.asleep, form1.light_sleep, form1.REM, form1.deep_sleep, form1.time_awake, form1.restorative_sleep],
      [480, 360, 120, null, null, null],
    );
    assert.deepEqual(
      [form2.asleep_minutes, form2.light_minutes, form2.rem_minutes, form2.deep_minutes, form2.awake_minutes],
      [480, 360, 120, null, null],
    );
    assert.deepEqual([daily.asleep, daily.light_sleep, daily.REM], [480, 360, 120]);
    for (const metric of ['deep_sleep', 'time_awake', 'restorative_sleep']) assert.ok(!(metric in daily), metric);
    const { factors, missing } = await explainScore(id);
    const names = factors.map(({ name }: JsonBody) => name);
    assert.ok(names.includes('rem_sleep'), String(names));
    assert.ok(!names.includes('deep_sleep') && !names.includes('continuity'), String(names));
    const unknown = missing.map(({ name }: JsonBody) => name);
    assert.ok(unknown.includes('deep_sleep') && unknown.includes('continuity'), String(unknown));
  });
});

describe('stages that overlap or repeat', () => {
  it('200 are resolved: awake, deep, REM, light, asleep, in bed', async () => {
    const repeated = stage('light', '18T23:00', '19T06:00');
    const id = await uploadNight({
      stages: [
        repeated,
        stage('in_bed', '18T23:00', '19T07:00'),
        stage('deep', '19T00:00', '19T02:00'),
        repeated,
        stage('rem', '19T01:00', '19T03:00'),
        stage('awake', '19T02:30', '19T02:45'),
      ],
    });
    const { form2 } = await readNight(id);
    assert.deepEqual(
      [form2.deep_minutes, form2.rem_minutes, form2.light_minutes, form2.awake_minutes, form2.asleep_minutes],
      [120, 45, 240, 15, 405],
    );
    assert.equal(form2.in_bed_minutes, 480);
  });
});

describe('include=stages', () => {
  it('200 adds the resolved stages in both forms, null where the source sent none', async () => {
    const id = await uploadNight({
      stages: [stage('light', '18T23:00', '19T06:00'), stage('deep', '19T00:00', '19T02:00')],
    });
    const read = async (range: string) => (await api.get(`/v1/users/${id}/sleep?${range}&include=stages`)).body.data[0];
    const form1 = await read(`start_date=${DATE}&end_date=${DATE}`);
    assert.deepEqual(form1.stages, [
      stage('light', '18T23:00', '19T00:00'),
      stage('deep', '19T00:00', '19T02:00'),
      stage('light', '19T02:00', '19T06:00'),
    ]);
    const form2 = await read(`from_date=${DATE}&to_date=${DATE}`);
    assert.deepEqual(form2.stages[1], { stage: 'deep', start: '2026-03-19T00:00:00', end: '2026-03-19T02:00:00' });
    assert.ok(!('stages' in (await readNight(id)).form1));
    const bare = await uploadNight({ asleep_minutes: 400 });
    const path = `/v1/users/${bare}/sleep?start_date=${DATE}&end_date=${DATE}`;
    assert.equal((await api.get(`${path}&include=stages`)).body.data[0].stages, null);
    assert.equal((await api.get(`${path}&include=heart`)).status, 400);
  });
});
