// data.updated has `deleted: true` wherever a day has lost a value, whether by deletion or correction.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-20T12:00:00Z')) });
after(() => service.stop());
const { db } = service.running.services;

const NIGHT = {
  id: 'night',
  start: '2026-03-17T22:00:00Z',
  end: '2026-03-18T06:00:00Z',
  asleep_minutes: 420,
  in_bed_minutes: 480,
  heart_rate_variability: 55,
};
const { heart_rate_variability: _, ...NIGHT_WITHOUT_HRV } = NIGHT;
const RUN = { id: 'run', sport_type: 'running', start: '2026-03-17T10:00:00Z', end: '2026-03-17T11:00:00Z' };
const WALK = { metric: 'steps', start: '2026-03-17T22:00:00Z', end: '2026-03-18T02:00:00Z', value: 4_000 };
const STEPS = { date: '2026-03-17', metric: 'steps', value: 8_000 };

/** The first upload, the second, and whether the second event has `deleted: true`; null: there is no second event. */
const CASES: Record<string, readonly [object, object, true | undefined | null]> = {
  'a sleep that now ends on another day': [
    { sleep: [NIGHT] },
    { sleep: [{ ...NIGHT, start: '2026-03-18T22:00:00Z', end: '2026-03-19T06:00:00Z' }] },
    true,
  ],
  'a sleep without any values that now ends on another day': [
    { sleep: [{ id: 'bed', start: NIGHT.start, end: NIGHT.end }] },
    { sleep: [{ id: 'bed', start: '2026-03-18T22:00:00Z', end: '2026-03-19T06:00:00Z' }] },
    true,
  ],
  'a sleep that no longer has a value': [{ sleep: [NIGHT] }, { sleep: [NIGHT_WITHOUT_HRV] }, true],
  'a workout that now begins on another day': [
    { workouts: [RUN] },
    { workouts: [{ ...RUN, start: '2026-03-18T10:00:00Z', end: '2026-03-18T11:00:00Z' }] },
    true,
  ],
  'a sample that no longer reaches into the next day': [
    { samples: [WALK] },
    { samples: [{ ...WALK, end: '2026-03-17T23:00:00Z' }] },
    true,
  ],
  'deleted samples': [
    { samples: [WALK] },
    { deleted: [{ kind: 'samples', metric: 'steps', start: WALK.start, end: WALK.start }] },
    true,
  ],
  'a deleted sleep': [{ sleep: [NIGHT] }, { deleted: [{ kind: 'sleep', id: 'night' }] }, true],
  'a deleted workout': [{ workouts: [RUN] }, { deleted: [{ kind: 'workout', id: 'run' }] }, true],
  'a deletion of what was never there': [{ sleep: [NIGHT] }, { deleted: [{ kind: 'workout', id: 'run' }] }, null],
  'a sleep with another value': [{ sleep: [NIGHT] }, { sleep: [{ ...NIGHT, heart_rate_variability: 60 }] }, undefined],
  'a sleep that ends later on the same day': [
    { sleep: [NIGHT] },
    { sleep: [{ ...NIGHT, end: '2026-03-18T07:00:00Z' }] },
    undefined,
  ],
  'a sample with another value': [{ samples: [WALK] }, { samples: [{ ...WALK, value: 4_500 }] }, undefined],
  'a daily value of another amount': [{ daily: [STEPS] }, { daily: [{ ...STEPS, value: 9_000 }] }, undefined],
  'more data': [{ sleep: [NIGHT], workouts: [RUN] }, { samples: [WALK], daily: [STEPS] }, undefined],
};

/** Of each data.updated event of a user, in order. */
async function readDeleted(userId: string): Promise<(true | undefined)[]> {
  const rows = await db.query<{ deleted: boolean }>(
    `select deleted from (
       select 0 as stage, position as event_order, coalesce((body::jsonb ->> 'deleted')::boolean, false) as deleted
         from feed_events where user_id = $1 and type = 'data.updated'
       union all
       select 1, seq, has_deletions from event_outbox where user_id = $1 and type = 'data.updated') e
     order by stage, event_order`,
    [userId],
  );
  return rows.map(({ deleted }) => (deleted ? true : undefined));
}

describe('data.updated', () => {
  for (const [name, [first, then, expected]] of Object.entries(CASES))
    it(`${expected === true ? 'carries deleted: true' : expected === null ? 'is not sent' : 'has no deleted'} after ${name}`, async () => {
      const { id } = await createUser(service.api());
      const phone = await startPhone(service, id);
      for (const upload of [first, then]) assert.deepEqual((await phone.upload(upload)).rejected, []);
      assert.deepEqual(await readDeleted(id), expected === null ? [undefined] : [undefined, expected]);
    });

  it('carries deleted: true after a device was deleted', async () => {
    const { id } = await createUser(service.api());
    const phone = await startPhone(service, id);
    await phone.upload({ sleep: [{ id: 'bed', start: NIGHT.start, end: NIGHT.end }], workouts: [RUN] });
    const { body } = await service.api().get(`/v1/users/${id}/devices`);
    const [device] = body.data as JsonBody[];
    assert.equal((await service.api().delete(`/v1/users/${id}/devices/${device?.id}`)).status, 204);
    assert.deepEqual(await readDeleted(id), [undefined, true]);
  });
});
