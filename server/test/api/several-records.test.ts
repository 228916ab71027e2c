// Several records of one night through the whole service: a poor record never replaces a good one, in either form, in daily
// values, scores and explanations.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertSourcesExplained } from '../support/assert-sources-explained.ts';
import { liveDays, scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { IPHONE, RING, startPhone, type TestPhone } from '../support/test-phone.ts';
import { insertDevice, openTestUser } from '../support/test-samples.ts';
import { startTestService } from '../support/test-service.ts';
import { reportSessions, sleepAt } from '../support/test-sessions.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-11T20:00:00Z')) });
after(() => service.stop());
const api = service.api();

const NIGHT = { start: '2026-03-08T22:00:00Z', end: '2026-03-09T04:00:00Z' };
const STAGED = {
  ...NIGHT,
  id: 'night',
  asleep_minutes: 290,
  deep_minutes: 60,
  light_minutes: 160,
  rem_minutes: 70,
  awake_minutes: 20,
  in_bed_minutes: 360,
  heart_rate: 52,
  heart_rate_variability: 61,
  hrv_kind: 'rmssd',
  respiratory_rate: 14,
};
const IN_BED = {
  id: 'bed',
  start: '2026-03-08T21:30:00Z',
  end: '2026-03-09T05:00:00Z',
  stages: [{ stage: 'in_bed', start: '2026-03-08T21:30:00Z', end: '2026-03-09T05:00:00Z' }],
};
const OURA_APP = { provider: 'apple_health', id: 'com.ouraring.oura', name: 'Oura', device_class: 'app' };
const MAT = { provider: 'apple_health', id: 'mat-1', name: 'Mat', device_class: 'mat' };

async function createPhoneUser(): Promise<{ id: string; phone: TestPhone }> {
  const { id } = await createUser(api, { timezone: 'UTC' });
  return { id, phone: await startPhone(service, id) };
}

async function get(path: string, form: '1' | '2'): Promise<JsonBody> {
  const answer = await api.get(path, { headers: { 'api-form': form } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const listForm1 = async (id: string, more = ''): Promise<JsonBody[]> =>
  (await get(`/v1/users/${id}/sleep?start_date=2026-03-08&end_date=2026-03-10${more}`, '1')).data;
const listForm2 = async (id: string, more = ''): Promise<JsonBody[]> =>
  (await get(`/v1/users/${id}/sleep?from_date=2026-03-08&to_date=2026-03-10${more}`, '2')).data;
const daily = async (id: string): Promise<Record<string, number>> => {
  const { data } = await get(`/v1/users/${id}/daily?start_date=2026-03-09&end_date=2026-03-09`, '1');
  return Object.fromEntries(data.map((row: JsonBody) => [row.metric, row.value]));
};
const explain = (id: string, metric: string, date = '2026-03-09') =>
  get(`/v1/users/${id}/daily/explain?metric=${metric}&date=${date}`, '2');
const briefRecords = (body: JsonBody) =>
  body.records.map((one: JsonBody) => [one.device_class, one.value, one.outcome]);

describe('several records of one night', () => {
  for (const order of ['good first', 'poor first'] as const) {
    it(`200 an in-bed record of the phone and a bare record of the ring change nothing (${order})`, async () => {
      const alone = await createPhoneUser();
      await alone.phone.upload({ sleep: [STAGED] });
      const { id, phone } = await createPhoneUser();
      const good = () => phone.upload({ sleep: [STAGED] });
      const poor = async () => {
        await phone.upload({ source: IPHONE, sleep: [IN_BED] });
        await phone.upload({ source: RING, sleep: [{ id: 'bare', ...NIGHT }] });
      };
      for (const send of order === 'good first' ? [good, poor] : [poor, good]) await send();
      const strip = ({ id: _, source, ...rest }: JsonBody) => ({ ...rest, provider: source?.provider });
      assert.deepEqual((await listForm1(id)).map(strip), (await listForm1(alone.id)).map(strip));
      assert.deepEqual((await listForm2(id)).map(strip), (await listForm2(alone.id)).map(strip));
      const values = await daily(id);
      assert.deepEqual(values, await daily(alone.id));
      assert.deepEqual(
        [values.asleep, values.sleep_heart_rate_variability, values.sleep_respiratory_rate],
        [290, 61, 14],
      );
    });
  }

  it('200 the poor record is canonical after the good one is deleted, until the good one returns', async () => {
    const { id, phone } = await createPhoneUser();
    await phone.upload({ sleep: [STAGED] });
    await phone.upload({ source: IPHONE, sleep: [IN_BED] });
    await phone.upload({ deleted: [{ kind: 'sleep', id: 'night' }] });
    const [bed, ...others] = await listForm1(id);
    assert.deepEqual([bed?.asleep, bed?.time_in_bed, others.length], [null, 450, 0]);
    assert.deepEqual([(await daily(id)).asleep, (await daily(id)).time_in_bed], [undefined, 450]);
    const { value, absence, records } = await explain(id, 'asleep');
    assert.deepEqual([value, absence.reason, records.length], [null, 'not_reported', 1]);
    await phone.upload({ sleep: [STAGED] });
    assert.deepEqual(
      (await listForm1(id)).map(({ asleep }) => asleep),
      [290],
    );
  });

  it('200 each vital is from the best-ranked record that has it, and the response names its device', async () => {
    const { id, phone } = await createPhoneUser();
    await phone.upload({ sleep: [{ ...STAGED, heart_rate_variability: undefined, hrv_kind: undefined }] });
    await phone.upload({
      source: RING,
      sleep: [{ id: 'ring', ...NIGHT, heart_rate: 50, heart_rate_variability: 44, hrv_kind: 'sdnn' }],
    });
    await phone.upload({ source: MAT, sleep: [{ id: 'mat', ...NIGHT, heart_rate: 58, blood_oxygen: 96 }] });
    const [night, ...others] = await listForm1(id, '&include_sources=true');
    assert.equal(others.length, 0);
    const { sleep_heart_rate, sleep_heart_rate_variability, sleep_respiratory_rate, sleep_blood_oxygen, asleep } =
      night ?? {};
    assert.deepEqual(
      [asleep, sleep_heart_rate, sleep_heart_rate_variability, sleep_respiratory_rate, sleep_blood_oxygen],
      [290, 50, 44, 14, 96],
    );
    assert.deepEqual(Object.keys(night?.sources).sort(), [
      'sleep_blood_oxygen',
      'sleep_heart_rate',
      'sleep_heart_rate_variability',
    ]);
    const values = await daily(id);
    assert.deepEqual([values.sleep_heart_rate, values.sleep_blood_oxygen, values.asleep], [50, 96, 290]);
    assert.deepEqual(briefRecords(await explain(id, 'sleep_heart_rate')), [
      ['ring', 50, 'used'],
      ['wrist', 52, 'outranked'],
      ['mat', 58, 'outranked'],
    ]);
    assert.deepEqual(briefRecords(await explain(id, 'asleep')), [
      ['ring', null, 'no_value'],
      ['wrist', 290, 'used'],
      ['mat', null, 'no_value'],
    ]);
    const used = (await explain(id, 'sleep_heart_rate')).candidates.filter(
      ({ outcome }: JsonBody) => outcome === 'used',
    );
    assert.deepEqual(
      used.map(({ device_class, contributed }: JsonBody) => [device_class, contributed]),
      [['ring', 50]],
    );
    assert.equal(used[0].device_id, night?.sources.sleep_heart_rate.device_id);
  });

  it('200 a record with only some stages does not remove the others', async () => {
    for (const isPoorFirst of [true, false]) {
      const { id, phone } = await createPhoneUser();
      const poor = { id: 'poor', ...NIGHT, asleep_minutes: 350, light_minutes: 250, rem_minutes: 100 };
      const uploads = [{ source: RING, sleep: [poor] }, { sleep: [STAGED] }];
      for (const upload of isPoorFirst ? uploads : uploads.toReversed()) await phone.upload(upload);
      const { asleep, deep_sleep, light_sleep, REM } = await daily(id);
      assert.deepEqual([asleep, deep_sleep, light_sleep, REM], [290, 60, 160, 70]);
      assert.deepEqual(briefRecords(await explain(id, 'REM')), [
        ['ring', 100, 'less_detail'],
        ['wrist', 70, 'used'],
      ]);
    }
  });

  it('200 a vital is filled in from a record that counts toward another day', async () => {
    const { id, phone } = await createPhoneUser();
    const evening = { start: '2026-03-08T18:00:00Z', end: '2026-03-09T00:20:00Z' };
    await phone.upload({ sleep: [{ ...STAGED, ...evening, heart_rate: undefined }] });
    const bare = { id: 'ring', start: '2026-03-08T18:00:00Z', end: '2026-03-08T23:50:00Z', heart_rate: 47 };
    await phone.upload({ source: RING, sleep: [bare] });
    assert.deepEqual(
      (await listForm1(id)).map(({ sleep_heart_rate }) => sleep_heart_rate),
      [47],
    );
    assert.equal((await daily(id)).sleep_heart_rate, 47);
    await assertSourcesExplained(api, id, '2026-03-09');
    await phone.upload({ source: RING, sleep: [{ ...bare, heart_rate: 49 }] });
    assert.equal((await daily(id)).sleep_heart_rate, 49, 'corrected');
    assert.deepEqual(briefRecords(await explain(id, 'sleep_heart_rate')), [
      ['ring', 49, 'used'],
      ['wrist', null, 'no_value'],
    ]);
    await phone.upload({ source: RING, deleted: [{ kind: 'sleep', id: 'ring' }] });
    assert.equal((await daily(id)).sleep_heart_rate, undefined, 'deleted');
  });

  it('200 a nap is attributed to the device that recorded it, the night to the other', async () => {
    const { id, phone } = await createPhoneUser();
    await phone.upload({ source: RING, sleep: [STAGED] });
    const nap = { id: 'nap', start: '2026-03-09T13:00:00Z', end: '2026-03-09T13:40:00Z', asleep_minutes: 35 };
    await phone.upload({ sleep: [nap] });
    const used = (body: JsonBody) =>
      body.candidates
        .filter(({ outcome }: JsonBody) => outcome === 'used')
        .map(({ device_class, contributed }: JsonBody) => [device_class, contributed]);
    assert.deepEqual(used(await explain(id, 'nap_duration')), [['wrist', 35]]);
    assert.deepEqual(used(await explain(id, 'asleep')), [
      ['ring', 290],
      ['wrist', 35],
    ]);
    const path = `/v1/users/${id}/daily?metrics=asleep&start_date=2026-03-09&end_date=2026-03-09&include_sources=true`;
    const [{ value, source, sources }] = (await get(path, '1')).data;
    assert.deepEqual([value, source.original_value], [325, 290]);
    assert.deepEqual(
      sources?.map(({ original_value, original_unit }: JsonBody) => [original_value, original_unit]),
      [
        [290, 'min'],
        [35, 'min'],
      ],
    );
    await assertSourcesExplained(api, id, '2026-03-09');
    assert.deepEqual(briefRecords(await explain(id, 'sleep_heart_rate')), [
      ['ring', 52, 'used'],
      ['wrist', null, 'no_value'],
    ]);
  });

  it('200 a nap has a source even if its device took it for its night', async () => {
    const { id, phone } = await createPhoneUser();
    await phone.upload({ source: RING, sleep: [STAGED] });
    // Less than half of it overlaps the night, so it is a sleep of its own.
    const late = { id: 'late', start: '2026-03-09T03:00:00Z', end: '2026-03-09T06:00:00Z', asleep_minutes: 170 };
    await phone.upload({ sleep: [late] });
    const path = `/v1/users/${id}/daily?metrics=nap_duration&start_date=2026-03-09&end_date=2026-03-09`;
    const [row] = (await get(`${path}&include_sources=true`, '1')).data;
    assert.equal(row.value, 170);
    assert.equal(row.source?.original_value, 170);
    const explained = await explain(id, 'nap_duration');
    assert.deepEqual(
      explained.candidates.map((one: JsonBody) => [one.device_class, one.original_value, one.contributed]),
      [['wrist', 170, 170]],
    );
    assert.deepEqual(briefRecords(explained), [
      ['ring', null, 'no_value'],
      ['wrist', 170, 'used'],
    ]);
  });
});

describe('a re-export of a connected cloud', () => {
  it('200 ranks below the original: its vitals, daily values and scores stay', async () => {
    const { id, phone } = await createPhoneUser();
    const { db } = service.running.services;
    const days = liveDays('2026-02-28', 12) as { sleep: JsonBody[] };
    await phone.upload(days);
    await db.query(
      `update devices set provider = 'oura', transport = 'cloud', device_class = 'ring' where user_id = $1`,
      [id],
    );
    await scoreNow(service, id);
    const read = async () => {
      const { data } = await get(`/v1/users/${id}/scores/history?start_date=2026-03-01&end_date=2026-03-11`, '1');
      return [data, await listForm1(id), await daily(id)];
    };
    const before = await read();
    assert.ok(before[0].some(({ type, value }: JsonBody) => type === 'recovery_score' && value > 0));
    const minutes = ({ id: key, start, end, asleep_minutes, deep_minutes, light_minutes, rem_minutes }: JsonBody) => ({
      ...{ id: `oura ${key}`, start, end, asleep_minutes, deep_minutes, light_minutes, rem_minutes },
    });
    await phone.upload({ source: OURA_APP, sleep: days.sleep.map(minutes) });
    await scoreNow(service, id);
    assert.deepEqual(await read(), before);
    await phone.upload({ source: { ...OURA_APP, id: 'app-1', name: 'Sleep' }, sleep: days.sleep.map(minutes) });
    const [night] = await listForm2(id);
    assert.equal(night?.source, 'apple_health', 'nothing marks it as a re-export');
    await phone.upload({ source: { ...OURA_APP, id: 'app-1', name: 'Oura Sleep' } });
    await waitUntil('the original is back', async () => (await listForm2(id))[0]?.source === 'oura');
  });
});

describe('GET /v1/users/{id}/daily/explain', () => {
  it('200 names each record of the night, and why it is used or not', async () => {
    const { id, phone } = await createPhoneUser();
    const { db } = service.running.services;
    await phone.upload({ source: IPHONE, sleep: [IN_BED] });
    await phone.upload({
      source: MAT,
      sleep: [{ id: 'mat', ...NIGHT, end: '2026-03-09T00:00:00Z', asleep_minutes: 110 }],
    });
    const ring = await insertDevice(db, id, { number: 90, provider: 'oura', deviceClass: 'ring' });
    await reportSessions(db, await openTestUser(db, id), ring.number, {
      sleep: [sleepAt(NIGHT.start, NIGHT.end, { key: 'oura', asleepMinutes: 300, deepMinutes: 60, lightMinutes: 240 })],
    });
    await phone.upload({
      source: OURA_APP,
      sleep: [{ id: 'again', ...NIGHT, asleep_minutes: 300, deep_minutes: 60, light_minutes: 240 }],
    });
    const body = await explain(id, 'asleep');
    assert.equal(body.value, 300);
    const outcomes = new Map(body.records.map((one: JsonBody) => [one.device_class, one.outcome]));
    assert.deepEqual(
      ['phone', 'mat', 'ring', 'app'].map((name) => outcomes.get(name)),
      ['no_value', 'fragment', 'used', 're_export'],
    );
    const reasons = body.records.map(({ reason }: JsonBody) => reason);
    assert.equal(new Set(reasons).size, 4);
    const [bed] = body.records.filter((one: JsonBody) => one.device_class === 'phone');
    assert.deepEqual([bed.start, bed.end], [IN_BED.start, IN_BED.end]);
  });

  it('200 lists each device with its own records if a method compares devices', async () => {
    const { id, phone } = await createPhoneUser();
    await phone.upload({ sleep: [STAGED] });
    await phone.upload({ source: RING, sleep: [{ ...STAGED, asleep_minutes: 280, light_minutes: 150 }] });
    assert.deepEqual(briefRecords(await explain(id, 'asleep')), [
      ['ring', 280, 'used'],
      ['wrist', 290, 'outranked'],
    ]);
    const android = await startPhone(service, id, { platform: 'android' });
    await android.upload({ sleep: [{ ...STAGED, asleep_minutes: 275, light_minutes: 145 }] });
    await api.patch(`/v1/users/${id}/consolidation`, { metrics: { sleep_stages: { method: 'avg' } } });
    await waitUntil('the mean of both providers', async () => (await daily(id)).asleep === 278);
    const outcomes = new Map(briefRecords(await explain(id, 'asleep')).map(([, ...rest]: unknown[]) => rest));
    assert.deepEqual([outcomes.get(280), outcomes.get(290), outcomes.get(275)], ['used', 'outranked', 'used']);
  });

  it('200 names the daily value that is used instead of records', async () => {
    const { id, phone } = await createPhoneUser();
    await phone.upload({ sleep: [STAGED], daily: [{ date: '2026-03-09', metric: 'asleep', value: 300 }] });
    const body = await explain(id, 'asleep');
    assert.deepEqual([body.value, briefRecords(body)], [300, [['wrist', 290, 'daily_value']]]);
    assert.deepEqual(briefRecords(await explain(id, 'deep_sleep')), [['wrist', 60, 'used']]);
  });

  it('200 explains why there is no value', async () => {
    const { id, phone } = await createPhoneUser();
    const reasonOf = async (metric: string, date?: string) => (await explain(id, metric, date)).absence?.reason ?? null;
    await phone.upload({ sleep: [{ ...STAGED, deep_minutes: undefined, rem_minutes: undefined }] });
    assert.equal(await reasonOf('weight'), 'no_data');
    assert.equal(await reasonOf('asleep', '2026-03-01'), 'no_data');
    assert.equal(await reasonOf('sleep_blood_oxygen'), 'not_reported');
    assert.equal(await reasonOf('restorative_sleep'), 'missing_inputs');
    assert.equal(await reasonOf('asleep'), null);
    await api.patch(`/v1/users/${id}/consolidation`, { providers: { apple_health: false } });
    await waitUntil('the night is gone', async () => (await daily(id)).asleep === undefined);
    assert.equal(await reasonOf('asleep'), 'disabled');
    assert.deepEqual(briefRecords(await explain(id, 'asleep')), [['wrist', 290, 'disabled']]);
  });
});
