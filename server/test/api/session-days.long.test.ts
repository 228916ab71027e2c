// Tests the daily values from sleeps and workouts of several devices, and the effect of a disabled provider.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { assertSourcesExplained } from '../support/assert-sources-explained.ts';
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
const { db } = service.running.services;

const DATE = '2026-03-19';
const NEXT_DATE = '2026-03-20';
const RING = { provider: 'samsung_health', id: 'ring', device_class: 'ring' };
const WATCH = { provider: 'health_connect', id: 'watch', device_class: 'wrist' };
const PHONE = { provider: 'health_connect', id: 'phone', device_class: 'phone' };
const NIGHT = { id: 'night', start: '2026-03-18T23:00:00Z', end: '2026-03-19T07:00:00Z' };
const NAP = { id: 'nap', start: '2026-03-19T14:00:00Z', end: '2026-03-19T14:40:00Z' };
const STAGED_NAP = {
  ...NAP,
  stages: [
    { stage: 'light', start: '2026-03-19T14:00:00Z', end: '2026-03-19T14:20:00Z' },
    { stage: 'deep', start: '2026-03-19T14:20:00Z', end: '2026-03-19T14:35:00Z' },
  ],
};

async function createPerson() {
  const { id } = await createUser(api, { timezone: 'UTC' });
  const phone = await startPhone(service, id, { platform: 'android' });
  return {
    id: id as string,
    async upload(source: object, parts: object) {
      const body = await phone.upload({ source, ...parts });
      assert.deepEqual(body.rejected, []);
    },
  };
}

async function readDaily(id: string, date = DATE): Promise<Record<string, number>> {
  const { body } = await api.get(`/v1/users/${id}/daily?start_date=${date}&end_date=${date}`);
  return Object.fromEntries(body.data.map(({ metric, value }: JsonBody) => [metric, value]));
}

const listWorkouts = async (id: string) =>
  (await api.get(`/v1/users/${id}/workouts?start_date=${DATE}&end_date=${DATE}`)).body.data;

const explain = async (id: string, metric: string) =>
  (await api.get(`/v1/users/${id}/daily/explain?metric=${metric}&date=${DATE}`, { headers: { 'api-form': '2' } })).body;

async function readStrain(id: string): Promise<number> {
  clock.advance(2 * SECOND_MS);
  return waitUntil('the strain score', async () => {
    const due = await db.query('select 1 from scoring_queue where user_id = $1 and due_at <= $2', [id, clock.now()]);
    if (due.length > 0) return null;
    const { body } = await api.get(`/v1/users/${id}/scores?types=strain_score&from_date=${DATE}&to_date=${DATE}`);
    return body.series.strain_score[0];
  });
}

/** Waits until the rebuild after the change has ended. */
async function configure(id: string, change: object): Promise<void> {
  const { status, body } = await api.patch(`/v1/users/${id}/consolidation`, change);
  assert.deepEqual([status, body.status], [202, 'reconsolidating']);
  await waitUntil('the rebuild', async () => {
    const rows = await db.query(
      `select 1 from graphile_worker._private_jobs where payload::text like '%' || $1 || '%'`,
      [id],
    );
    return rows.length === 0;
  });
}

describe('naps', () => {
  it('200 of any device count in nap_duration, and explain names the device', async () => {
    const person = await createPerson();
    await person.upload(RING, { sleep: [{ ...NIGHT, asleep_minutes: 430 }] });
    await person.upload(WATCH, { sleep: [{ ...NAP, asleep_minutes: 30 }] });
    const daily = await readDaily(person.id);
    assert.deepEqual([daily.asleep, daily.nap_duration], [460, 30]);
    await assertSourcesExplained(api, person.id, DATE);
    const { value, candidates } = await explain(person.id, 'nap_duration');
    assert.deepEqual(
      [value, candidates.map(({ provider, outcome }: JsonBody) => [provider, outcome])],
      [30, [['health_connect', 'used']]],
    );
  });

  it('200 of two devices are added, next to the night of a third', async () => {
    const person = await createPerson();
    await person.upload(RING, { sleep: [{ ...NIGHT, asleep_minutes: 430 }] });
    await person.upload(WATCH, { sleep: [{ ...NAP, asleep_minutes: 30 }] });
    await person.upload(PHONE, {
      sleep: [{ id: 'evening', start: '2026-03-19T18:00:00Z', end: '2026-03-19T18:20:00Z' }],
    });
    assert.equal((await readDaily(person.id)).nap_duration, 50);
  });

  it('200 never replace a night without minutes, whatever the method', async () => {
    const person = await createPerson();
    await person.upload(RING, { sleep: [NIGHT] });
    await person.upload(WATCH, { sleep: [STAGED_NAP] });
    const check = async () => {
      const daily = await readDaily(person.id);
      for (const metric of ['asleep', 'deep_sleep', 'light_sleep', 'time_in_bed', 'restorative_sleep'])
        assert.ok(!(metric in daily), `${metric} ${daily[metric]}`);
      assert.deepEqual([daily.nap_duration, daily.sleep_end], [35, 420]);
    };
    await check();
    const { value, absence, records } = await explain(person.id, 'deep_sleep');
    assert.deepEqual(
      [value, absence.reason, records.map((one: JsonBody) => [one.value, one.outcome])],
      [
        null,
        'not_used',
        [
          [null, 'no_value'],
          [15, 'other_sleep'],
        ],
      ],
    );
    await configure(person.id, { metrics: { sleep_stages: { method: 'max' } } });
    await check();
    await configure(person.id, { metrics: { sleep_stages: { method: 'avg' } } });
    await check();
  });

  it('200 are not reported on a day with only a night, and disabled if the nap’s provider is disabled', async () => {
    const person = await createPerson();
    await person.upload(RING, { sleep: [{ ...NIGHT, asleep_minutes: 430 }] });
    const uploadNaps = async () => {
      const { value, absence, records } = await explain(person.id, 'nap_duration');
      return [value, absence?.reason ?? null, records.map((one: JsonBody) => [one.value, one.outcome])];
    };
    assert.deepEqual(await uploadNaps(), [null, 'not_reported', [[null, 'no_value']]]);
    await person.upload(WATCH, { sleep: [STAGED_NAP] });
    const bothRecords = (outcome: string) => [
      [null, 'no_value'],
      [35, outcome],
    ];
    assert.deepEqual(await uploadNaps(), [35, null, bothRecords('used')]);
    await configure(person.id, { providers: { health_connect: false } });
    assert.deepEqual(await uploadNaps(), [null, 'disabled', bothRecords('disabled')]);
  });

  it('200 do not become a night if the night’s provider is disabled for the metric', async () => {
    const person = await createPerson();
    await person.upload(RING, { sleep: [{ ...NIGHT, asleep_minutes: 430 }] });
    await person.upload(WATCH, { sleep: [STAGED_NAP] });
    await configure(person.id, { metrics: { sleep_stages: { providers: { samsung_health: false } } } });
    const daily = await readDaily(person.id);
    assert.deepEqual([daily.asleep, daily.deep_sleep, daily.nap_duration], [undefined, undefined, 35]);
  });
});

describe('a disabled provider', () => {
  const RUN = { id: 'run', sport_type: 'running', start: '2026-03-19T08:00:00Z', end: '2026-03-19T09:00:00Z' };
  const SAME_RUN = { ...RUN, id: 'same', end: '2026-03-19T08:40:00Z', distance_km: 3 };

  const OFF = { providers: { health_connect: false } };

  for (const [what, change] of [
    ['everywhere', OFF],
    ['for exercise and running', { metrics: { exercise: OFF, running: OFF } }],
  ] as const)
    it(`200 ${what} keeps its workouts in the list, and the day agrees with the list`, async () => {
      const person = await createPerson();
      await person.upload(WATCH, {
        workouts: [{ ...RUN, distance_km: 10, active_calories: 600 }],
        daily: [{ date: DATE, metric: 'exercise', value: 90 }],
      });
      await person.upload(RING, { workouts: [SAME_RUN] });
      const listed = await listWorkouts(person.id);
      assert.deepEqual(
        listed.map(({ duration, distance }: JsonBody) => [duration, distance]),
        [[60, 10]],
      );
      const before = await readDaily(person.id);
      const strain = await readStrain(person.id);
      assert.equal(before.exercise, 90, 'a daily value of the watch');
      await configure(person.id, change);
      assert.deepEqual(await listWorkouts(person.id), listed);
      const daily = await readDaily(person.id);
      assert.deepEqual(
        [daily.workout_count, daily.running_duration, daily.running, daily.workout_calories],
        [1, 60, 10, 600],
      );
      assert.equal(daily.exercise, 60);
      assert.equal(await readStrain(person.id), strain);
      await assertSourcesExplained(api, person.id, DATE);
      const exercise = await explain(person.id, 'exercise');
      assert.deepEqual(
        exercise.candidates.map((one: JsonBody) => [one.origin, one.original_value, one.outcome, one.contributed]),
        [
          ['sessions', 60, 'used', 60],
          ['sessions', 40, 'outranked', null],
        ],
      );
      assert.deepEqual(
        exercise.records.map((one: JsonBody) => [one.value, one.outcome]),
        [
          [60, 'used'],
          [40, 'outranked'],
        ],
      );
      const { value, candidates } = await explain(person.id, 'running');
      assert.deepEqual(
        [value, candidates.map(({ provider, outcome }: JsonBody) => [provider, outcome])],
        [
          10,
          [
            ['health_connect', 'used'],
            ['samsung_health', 'outranked'],
          ],
        ],
      );
    });

  it('200 leaves no second record of one night on another day', async () => {
    const person = await createPerson();
    const evening = (id: string, end: string, asleep: number) => ({
      sleep: [{ id, start: '2026-03-19T12:00:00Z', end, asleep_minutes: asleep }],
    });
    await person.upload(RING, evening('ring', '2026-03-19T23:50:00Z', 400));
    await person.upload(WATCH, evening('watch', '2026-03-19T23:55:00Z', 390));
    await person.upload(PHONE, evening('phone', '2026-03-20T00:05:00Z', 380));
    const morning = { start: '2026-03-20T09:00:00Z', end: '2026-03-20T09:30:00Z', asleep_minutes: 20 };
    await person.upload(RING, { sleep: [morning] });
    const days = async () => [(await readDaily(person.id)).asleep, (await readDaily(person.id, NEXT_DATE)).asleep];
    assert.deepEqual(await days(), [400, 20]);
    await configure(person.id, { metrics: { sleep_stages: { providers: { samsung_health: false } } } });
    assert.deepEqual(await days(), [390, undefined]);
    await configure(person.id, { providers: { samsung_health: false } });
    assert.deepEqual(await days(), [390, undefined]);
  });
});

describe('a break in the night around midnight', () => {
  const EVENING = { id: 'evening', start: '2026-03-18T22:30:00Z', end: '2026-03-18T23:40:00Z', asleep_minutes: 60 };
  const MORNING = { id: 'morning', start: '2026-03-19T00:40:00Z', end: '2026-03-19T07:00:00Z', asleep_minutes: 360 };
  const DAY_BEFORE = '2026-03-18';
  const listSleeps = async (id: string) =>
    (await api.get(`/v1/users/${id}/sleep?from_date=${DAY_BEFORE}&to_date=${NEXT_DATE}`)).body.data.map(
      ({ date, start_time, is_main_sleep }: JsonBody) => [date, start_time.slice(11, 16), is_main_sleep],
    );

  it('200 does not split the night: both parts count toward the morning, in lists, days and explain', async () => {
    const person = await createPerson();
    await person.upload(RING, { sleep: [EVENING] });
    assert.equal((await readDaily(person.id, DAY_BEFORE)).asleep, 60);
    await person.upload(RING, { sleep: [MORNING] });
    assert.deepEqual(await listSleeps(person.id), [
      [DATE, '00:40', true],
      [DATE, '22:30', true],
    ]);
    const daily = await readDaily(person.id);
    assert.deepEqual(
      [daily.asleep, daily.nap_duration, daily.sleep_start, daily.sleep_end],
      [420, undefined, -90, 420],
    );
    assert.deepEqual(await readDaily(person.id, DAY_BEFORE), {});
    const { night } = await explain(person.id, 'asleep');
    assert.deepEqual(
      [night.provider, night.start, night.end, night.sessions],
      [
        'samsung_health',
        EVENING.start,
        MORNING.end,
        [
          { start: EVENING.start, end: EVENING.end },
          { start: MORNING.start, end: MORNING.end },
        ],
      ],
    );
    assert.match(night.reason, /less than 90 minutes apart/);
    assert.equal((await explain(person.id, 'steps')).night, null);
  });

  it('200 follows deletions and corrections of one part', async () => {
    const person = await createPerson();
    await person.upload(RING, { sleep: [EVENING, MORNING] });
    const asleep = async () => [(await readDaily(person.id, DAY_BEFORE)).asleep, (await readDaily(person.id)).asleep];
    assert.deepEqual(await asleep(), [undefined, 420]);
    await person.upload(RING, { sleep: [{ ...EVENING, asleep_minutes: 50 }] });
    assert.deepEqual(await asleep(), [undefined, 410]);
    await person.upload(RING, { deleted: [{ kind: 'sleep', id: 'evening' }] });
    assert.deepEqual(await asleep(), [undefined, 360]);
    await person.upload(RING, { sleep: [EVENING] });
    assert.deepEqual(await asleep(), [undefined, 420]);
    await person.upload(RING, { sleep: [{ ...MORNING, start: '2026-03-19T01:10:00Z', asleep_minutes: 340 }] });
    assert.deepEqual(await asleep(), [60, 340], '90 minutes apart');
    await person.upload(RING, { deleted: [{ kind: 'sleep', id: 'morning' }] });
    assert.deepEqual(await asleep(), [60, undefined]);
  });

  it('200 keeps an evening nap before the night as a nap of its day', async () => {
    const person = await createPerson();
    const nap = { id: 'nap', start: '2026-03-18T18:30:00Z', end: '2026-03-18T19:30:00Z', asleep_minutes: 55 };
    const night = { ...MORNING, start: '2026-03-18T20:45:00Z' };
    await person.upload(RING, { sleep: [nap, night] });
    assert.equal((await readDaily(person.id, DAY_BEFORE)).asleep, 55);
    assert.equal((await readDaily(person.id)).asleep, 360);
  });
});
