// What users really did, recorded by several devices of different quality: each case ends in the right value.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { FORM2, startNightJourney } from '../support/night-journey.ts';
import { scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { IPHONE, RING, startPhone } from '../support/test-phone.ts';

const { service, api, person, day, nightsOf, explain } = await startNightJourney({ after });

const stage = (name: string, start: string, end: string) => ({ stage: name, start, end });
const STAGED = {
  id: 'staged',
  start: '2026-03-08T22:00:00Z',
  end: '2026-03-09T05:00:00Z',
  stages: [
    stage('light', '2026-03-08T22:10:00Z', '2026-03-09T01:00:00Z'),
    stage('deep', '2026-03-09T01:00:00Z', '2026-03-09T02:00:00Z'),
    stage('rem', '2026-03-09T02:00:00Z', '2026-03-09T03:00:00Z'),
    stage('awake', '2026-03-09T03:00:00Z', '2026-03-09T03:10:00Z'),
    stage('light', '2026-03-09T03:10:00Z', '2026-03-09T05:00:00Z'),
  ],
  heart_rate: 52,
  heart_rate_variability: 61,
  respiratory_rate: 14.2,
};

describe('a night recorded by several devices', () => {
  for (const order of ['poor first', 'poor last'] as const)
    it(`a phone's time in bed and a bare ring remove nothing (${order})`, async () => {
      const { id, phone } = await person();
      const poor = async () => {
        await phone.upload({
          source: IPHONE,
          sleep: [
            {
              id: 'bed',
              start: '2026-03-08T21:40:00Z',
              end: '2026-03-09T05:20:00Z',
              stages: [stage('in_bed', '2026-03-08T21:40:00Z', '2026-03-09T05:20:00Z')],
            },
          ],
        });
        await phone.upload({
          source: RING,
          sleep: [{ id: 'ring', start: '2026-03-08T22:01:00Z', end: '2026-03-09T05:02:00Z' }],
        });
      };
      if (order === 'poor first') await poor();
      await phone.upload({ sleep: [STAGED] });
      if (order === 'poor last') await poor();
      for (const [metric, value] of [
        ['asleep', 400],
        ['deep_sleep', 60],
        ['REM', 60],
        ['light_sleep', 280],
        ['sleep_heart_rate', 52],
        ['sleep_heart_rate_variability', 61],
        ['sleep_respiratory_rate', 14.2],
      ] as const)
        assert.equal(await day(id, metric), value, metric);
      const nights = await nightsOf(id);
      assert.equal(nights.length, 1, JSON.stringify(nights));
      assert.equal(nights[0]?.asleep_minutes, 400);
      assert.equal(nights[0]?.deep_minutes, 60);
      const { records } = await explain(id, 'asleep');
      assert.deepEqual(records.map((one: JsonBody) => [one.device_class, one.value, one.outcome]).sort(), [
        ['phone', null, 'no_value'],
        ['ring', null, 'no_value'],
        ['wrist', 400, 'used'],
      ]);
    });

  it('stages that the source did not report are null, in both forms', async () => {
    const { id, phone } = await person();
    await phone.upload({
      sleep: [
        {
          id: 'plain',
          start: '2026-03-08T22:00:00Z',
          end: '2026-03-09T05:00:00Z',
          stages: [stage('asleep', '2026-03-08T22:10:00Z', '2026-03-09T04:50:00Z')],
        },
      ],
    });
    const [night] = await nightsOf(id);
    assert.deepEqual(
      [night?.asleep_minutes, night?.deep_minutes, night?.light_minutes, night?.rem_minutes],
      [400, null, null, null],
    );
    const one = await api.get(`/v1/users/${id}/sleep?start_date=2026-03-01&end_date=2026-03-10`, {
      headers: { 'api-form': '1' },
    });
    assert.deepEqual([one.body.data[0].deep_sleep, one.body.data[0].REM], [null, null]);
    assert.equal(await day(id, 'deep_sleep'), null);
    const why = await explain(id, 'deep_sleep');
    assert.equal(why.value, null);
    assert.ok(JSON.stringify(why).length > 100, JSON.stringify(why));
  });

  it('overlapping and repeated stages are resolved and not rejected', async () => {
    const { id, phone } = await person();
    const answer = await phone.upload({
      sleep: [
        {
          id: 'mess',
          start: '2026-03-08T22:00:00Z',
          end: '2026-03-09T05:00:00Z',
          stages: [
            stage('in_bed', '2026-03-08T22:00:00Z', '2026-03-09T05:00:00Z'),
            stage('asleep', '2026-03-08T22:10:00Z', '2026-03-09T04:50:00Z'),
            stage('deep', '2026-03-09T00:00:00Z', '2026-03-09T01:00:00Z'),
            stage('deep', '2026-03-09T00:00:00Z', '2026-03-09T01:00:00Z'),
            stage('light', '2026-03-09T00:30:00Z', '2026-03-09T02:00:00Z'),
          ],
        },
      ],
    });
    assert.equal(answer.rejected_count ?? answer.rejected?.length ?? 0, 0, JSON.stringify(answer));
    const [night] = await nightsOf(id);
    assert.deepEqual([night?.asleep_minutes, night?.deep_minutes, night?.light_minutes], [400, 60, 60]);
  });

  it('two sessions an hour apart around midnight are one night', async () => {
    const { id, phone } = await person();
    const part = (key: string, start: string, end: string) => ({
      id: key,
      start,
      end,
      stages: [stage('light', start, end)],
    });
    await phone.upload({
      sleep: [
        part('a', '2026-03-08T20:30:00Z', '2026-03-08T22:40:00Z'),
        part('b', '2026-03-08T23:30:00Z', '2026-03-09T05:00:00Z'),
      ],
    });
    const nights = await nightsOf(id);
    assert.equal(await day(id, 'asleep'), 130 + 330, JSON.stringify(nights));
    assert.equal(await day(id, 'asleep', '2026-03-08'), null);
  });

  it('a night with a break is one night even if another device is canonical for its second part', async () => {
    const { id, phone } = await person('UTC');
    const part = (key: string, start: string, end: string, minutes: number) => ({
      ...{ id: key, start, end, asleep_minutes: minutes, in_bed_minutes: minutes + 10 },
      ...{ deep_minutes: 10, light_minutes: minutes - 20, rem_minutes: 10 },
    });
    const second = ['2026-03-09T00:40:00Z', '2026-03-09T07:00:00Z'] as const;
    await phone.upload({ source: RING, sleep: [part('ring', ...second, 350)] });
    await phone.upload({
      sleep: [part('first', '2026-03-08T22:30:00Z', '2026-03-08T23:40:00Z', 60), part('second', ...second, 360)],
    });
    const metrics = ['asleep', 'nap_duration', 'sleep_start', 'sleep_end'];
    assert.deepEqual(await Promise.all(metrics.map((metric) => day(id, metric))), [410, null, -90, 420]);
    assert.deepEqual(
      (await nightsOf(id)).map(({ date, is_main_sleep }) => [date, is_main_sleep]),
      [
        ['2026-03-09', true],
        ['2026-03-09', true],
      ],
    );
  });

  it('time awake is from the best-ranked record that has it, unless the minutes would contradict each other', async () => {
    const night = { start: '2026-03-08T22:00:00Z', end: '2026-03-09T05:00:00Z' };
    const watch = {
      id: 'watch',
      ...night,
      asleep_minutes: 380,
      deep_minutes: 60,
      light_minutes: 220,
      rem_minutes: 100,
    };
    const readAwake = async (inBed: number, awake: number) => {
      const { id, phone } = await person();
      await phone.upload({ sleep: [{ ...watch, in_bed_minutes: inBed }] });
      await phone.upload({
        source: RING,
        sleep: [{ id: 'ring', ...night, asleep_minutes: 370, awake_minutes: awake }],
      });
      const [listed] = await nightsOf(id);
      const { value, records, absence } = await explain(id, 'time_awake');
      assert.deepEqual([listed?.awake_minutes, listed?.asleep_minutes], [value, 380]);
      assert.equal(await day(id, 'time_awake'), value);
      return [value, absence?.reason ?? null, records.map((one: JsonBody) => [one.device_class, one.outcome])];
    };
    const outcomes = (ring: string) => [
      ['ring', ring],
      ['wrist', 'no_value'],
    ];
    assert.deepEqual(await readAwake(410, 30), [30, null, outcomes('used')]);
    assert.deepEqual(await readAwake(400, 30), [null, 'not_used', outcomes('contradiction')]);
  });

  it('asleep longer than in bed is rejected with a reason', async () => {
    const { id, phone } = await person();
    const answer = await phone.upload({
      sleep: [
        {
          id: 'x',
          start: '2026-03-08T22:00:00Z',
          end: '2026-03-09T05:00:00Z',
          asleep_minutes: 400,
          in_bed_minutes: 300,
        },
      ],
    });
    assert.match(JSON.stringify(answer), /in.bed/i);
    assert.equal((await nightsOf(id)).length, 0);
  });
});

describe('counts of several devices', () => {
  const steps = (start: string, end: string, value: number) => ({ metric: 'steps', start, end, value });
  it("a day's total does not add to finer data of another device", async () => {
    const { id, phone } = await person('UTC');
    const hours = Array.from({ length: 12 }, (_, index) => {
      const hour = String(index + 8).padStart(2, '0');
      return steps(`2026-03-09T${hour}:00:00Z`, `2026-03-09T${hour}:15:00Z`, 750);
    });
    await phone.upload({ samples: hours });
    await phone.upload({ source: IPHONE, samples: [steps('2026-03-09T00:00:00Z', '2026-03-10T00:00:00Z', 10_000)] });
    const value = await day(id, 'steps');
    assert.ok(value !== null && value >= 9_000 && value <= 10_000, String(value));
  });

  it('zeros of a watch that is not worn do not replace the steps of the phone', async () => {
    const { id, phone } = await person('UTC');
    const quarter = (minute: number, value: number) => {
      const start = new Date(Date.UTC(2026, 2, 9, 8, minute));
      return steps(start.toISOString(), new Date(start.getTime() + 900_000).toISOString(), value);
    };
    await phone.upload({ samples: Array.from({ length: 16 }, (_, index) => quarter(index * 15, 0)) });
    await phone.upload({ source: IPHONE, samples: [quarter(120, 1_200)] });
    assert.equal(await day(id, 'steps'), 1_200);
  });

  it('the mean heart rate is weighted by time', async () => {
    const { id, phone } = await person('UTC');
    const at = (ms: number, value: number) => ({ metric: 'heart_rate', start: new Date(ms).toISOString(), value });
    const first = Date.UTC(2026, 2, 9, 8);
    const run = Array.from({ length: 900 }, (_, index) => at(first + index * 1_000, 150));
    const rest = Array.from({ length: 15 }, (_, index) => at(first + HOUR_MS + index * 900_000, 60));
    await phone.upload({ samples: [...run, ...rest] });
    assert.equal(await day(id, 'heart_rate'), 65.6); // of 16 quarter hours, one of them at 150
  });
});

describe('workouts', () => {
  it('accepts the names of HealthKit and Health Connect in any letter case, and keeps unknown ones', async () => {
    const { id, phone } = await person();
    const workout = (key: string, sport_type: string, hour: string) => ({
      id: key,
      sport_type,
      start: `2026-03-09T${hour}:00:00Z`,
      end: `2026-03-09T${hour}:30:00Z`,
    });
    await phone.upload({
      workouts: [
        workout('1', 'Running', '06'),
        workout('2', 'HKWorkoutActivityTypeRunning', '08'),
        workout('3', 'traditionalStrengthTraining', '10'),
        workout('4', 'EXERCISE_TYPE_BIKING', '12'),
        workout('5', 'Quidditch', '14'),
      ],
    });
    const { body } = await api.get(`/v1/users/${id}/workouts?from_date=2026-03-09&to_date=2026-03-09`, FORM2);
    assert.deepEqual(
      body.data.map((one: JsonBody) => one.type),
      ['other', 'cycling', 'strength_training', 'running', 'running'],
    );
    const unknown = await api.get(`/v1/users/${id}/workouts/${body.data[0].id}`);
    assert.equal(unknown.body.name, 'Quidditch', unknown.text);
  });

  it('deleting one on the phone deletes it, whichever installation sent it', async () => {
    const { id, phone } = await person();
    await phone.upload({
      workouts: [{ id: 'w', sport_type: 'running', start: '2026-03-09T06:00:00Z', end: '2026-03-09T06:30:00Z' }],
      samples: [{ metric: 'weight', start: '2026-03-09T06:00:00Z', value: 70, unit: 'kg' }],
    });
    const again = await startPhone(service, id);
    await again.upload({
      deleted: [
        { kind: 'workout', id: 'w' },
        { kind: 'samples', metric: 'weight', start: '2026-03-09T06:00:00Z', end: '2026-03-09T06:00:00Z' },
      ],
    });
    const { body } = await api.get(`/v1/users/${id}/workouts?from_date=2026-03-09&to_date=2026-03-09`, FORM2);
    assert.equal(body.data.length, 0);
    assert.equal(await day(id, 'weight'), null);
  });
});

describe('body measurements', () => {
  it('a later manual weight wins over the scale, and gives a body mass index', async () => {
    const { id, phone } = await person();
    await phone.upload({
      samples: [
        { metric: 'weight', start: '2026-03-09T06:00:00Z', value: 70, unit: 'kg' },
        { metric: 'height', start: '2026-03-01T06:00:00Z', value: 175, unit: 'cm' },
      ],
    });
    await phone.upload({
      source: IPHONE,
      samples: [{ metric: 'weight', start: '2026-03-09T09:00:00Z', value: 69, unit: 'kg', recording_method: 'manual' }],
    });
    assert.equal(await day(id, 'weight'), 69);
    await scoreNow(service, id);
    const bmi = await day(id, 'body_mass_index');
    assert.ok(bmi !== null && Math.abs(bmi - 69 / 1.75 ** 2) < 0.1, String(bmi));
  });
});
