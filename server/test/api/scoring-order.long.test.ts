// Scores depend on the data, not on its order of arrival: a night that began in the evening corrects that evening's scores.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { HOUR_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const LAST = '2026-03-20' as LocalDate;
const EVENING = new Date(`${LAST}T23:55:00Z`);
const DATES = Array.from({ length: 9 }, (_, days) => addDays(LAST, days - 8));
const QUARTER_MS = HOUR_MS / 4;

const clock = createFrozenClock(EVENING);
const service = await startTestService({ clock });
after(() => service.stop());
const { db } = service.running.services;

/** Heart rate per quarter hour, higher from 21:00 on, when the user is already in bed; some steps, and a run at noon. */
function makeDay(date: LocalDate, position: number) {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const at = (quarter: number) => new Date(midnight + quarter * QUARTER_MS).toISOString();
  const heartRate = Array.from({ length: 95 }, (_, quarter) => ({
    metric: 'heart_rate',
    start: at(quarter),
    value: (quarter < 84 ? 62 : 95) + ((quarter * 7 + position * 3) % 9),
  }));
  return {
    samples: [...heartRate, { metric: 'steps', start: at(40), end: at(41), value: 900 }],
    daily: [{ date, metric: 'resting_heart_rate', value: 52 + (position % 3) }],
    workouts: [{ id: `run-${date}`, sport_type: 'running', start: at(48), end: at(50), heart_rate: { avg_bpm: 150 } }],
  };
}

/** From 21:00 of the day before to 06:00. */
const nightOf = (date: LocalDate) => ({
  id: `night-${date}`,
  start: `${addDays(date, -1)}T21:00:00Z`,
  end: `${date}T06:00:00Z`,
  asleep_minutes: 480,
  in_bed_minutes: 540,
  heart_rate_variability: 55,
});

async function settle(userId: string): Promise<void> {
  clock.advance(2 * SECOND_MS);
  await waitUntil('the scores', async () => {
    const due = 'select 1 from scoring_queue where user_id = $1 and due_at <= $2';
    return (await db.query(due, [userId, clock.now()])).length === 0;
  });
}

/** A token is valid for an hour, so each upload of a later day gets a new one. */
async function upload(id: string, data: object): Promise<void> {
  const phone = await startPhone(service, id);
  const { rejected } = await phone.upload(data);
  assert.deepEqual(rejected, []);
}

async function createPhoneUser(): Promise<string> {
  const { id } = await createUser(service.api());
  const days = DATES.map(makeDay);
  await upload(id, {
    samples: days.flatMap(({ samples }) => samples),
    daily: days.flatMap(({ daily }) => daily),
    workouts: days.flatMap(({ workouts }) => workouts),
    sleep: DATES.map(nightOf),
  });
  return id;
}

async function readDays(userId: string): Promise<JsonBody> {
  const rows = await db.query<JsonBody>(
    `select date::text as date, recovery_score, strain_score, sleep_score, stress_score, energy_reserve_score
       from scores where user_id = $1 order by date`,
    [userId],
  );
  return Object.fromEntries(rows.map(({ date, ...scores }) => [date, scores]));
}

describe('scores of an evening', () => {
  it('follow the night that began in it, and later days follow too, as if the night had arrived first', async () => {
    const late = await createPhoneUser();
    await settle(late);
    const early = await createPhoneUser();
    const night = nightOf(addDays(LAST, 1));
    const morning = makeDay(addDays(LAST, 1), 9);
    clock.advance(8 * HOUR_MS);
    await settle(late);
    const before = await readDays(late);
    for (const type of ['strain_score', 'stress_score', 'energy_reserve_score'])
      assert.notEqual(before[LAST][type], null, type);
    await upload(late, { sleep: [night], daily: morning.daily });
    await upload(early, { sleep: [night], daily: morning.daily });
    await settle(late);
    await settle(early);
    const after = await readDays(late);
    assert.deepEqual(after, await readDays(early));
    for (const type of ['strain_score', 'stress_score', 'energy_reserve_score'])
      assert.notEqual(after[LAST][type], before[LAST][type], type);
    assert.notEqual(after[addDays(LAST, 1)].recovery_score, null);
  });

  it('follow a night that is corrected, deleted, or removed with its device', async () => {
    const id = await createPhoneUser();
    // Scores of the present day change only every few hours, so the day after the night must have ended too.
    clock.advance(36 * HOUR_MS);
    await settle(id);
    const without = await readDays(id);
    const night = nightOf(addDays(LAST, 1));
    const source = { provider: 'apple_health', id: 'other-watch', device_class: 'wrist' };
    const stressOf = async () => (await readDays(id))[LAST].stress_score;
    await upload(id, { source, sleep: [night] });
    await settle(id);
    const asleep = await stressOf();
    assert.notEqual(asleep, without[LAST].stress_score);
    await upload(id, {
      source,
      sleep: [{ ...night, start: `${LAST}T22:30:00Z`, in_bed_minutes: 450, asleep_minutes: 400 }],
    });
    await settle(id);
    assert.notEqual(await stressOf(), asleep, 'corrected');
    assert.notEqual(await stressOf(), without[LAST].stress_score, 'corrected');
    await upload(id, { source, deleted: [{ kind: 'sleep', id: night.id }] });
    await settle(id);
    assert.deepEqual(await readDays(id), without, 'deleted');
    await upload(id, { source, sleep: [night] });
    await settle(id);
    assert.equal(await stressOf(), asleep, 'sent again');
    const { body } = await service.api().get(`/v1/users/${id}/devices`);
    assert.equal(body.data.length, 2);
    assert.equal((await service.api().delete(`/v1/users/${id}/devices/${body.data[1].id}`)).status, 204);
    await settle(id);
    assert.deepEqual(await readDays(id), without, 'device deleted');
  });
});
