// A deletion by a phone works after the app was reinstalled, whichever installation sent the data.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { replayUser } from '../../src/features/operator/replay/replay.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { IPHONE, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date('2026-03-20T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const { services } = service.running;

const NIGHT = { id: 'night', start: '2026-03-17T22:00:00Z', end: '2026-03-18T06:00:00Z', asleep_minutes: 420 };
const RUN = { id: 'run', sport_type: 'running', start: '2026-03-18T10:00:00Z', end: '2026-03-18T11:00:00Z' };
const WALK = { metric: 'steps', start: '2026-03-18T08:00:00Z', end: '2026-03-18T09:00:00Z', value: 4_000 };
const WEIGHT = { metric: 'weight', start: '2026-03-18T07:00:00Z', value: 70 };
const DATA = { sleep: [NIGHT], workouts: [RUN], samples: [WALK, WEIGHT] };

/** Each deletion, and the data that remains. */
const DELETIONS: Record<string, { deleted: object; left: object }> = {
  'a sleep': { deleted: { kind: 'sleep', id: 'night' }, left: { asleep: null } },
  'a workout': { deleted: { kind: 'workout', id: 'run' }, left: { workouts: [] } },
  'a sample': {
    deleted: { kind: 'samples', metric: 'steps', start: WALK.start, end: WALK.start },
    left: { steps: null },
  },
};
const WHOLE = { asleep: 420, steps: 4_000, weight: 70, workouts: ['running'] };

async function readAll(userId: string): Promise<object> {
  const day = 'from_date=2026-03-18&to_date=2026-03-18';
  const daily = await service.api().get(`/v1/users/${userId}/daily?types=asleep,steps,weight&${day}`);
  const workouts = await service.api().get(`/v1/users/${userId}/workouts?${day}`);
  const series = Object.entries<(number | null)[]>(daily.body.series).map(([metric, [value]]) => [metric, value]);
  const sports = workouts.body.data.map(({ type }: JsonBody) => type);
  return { ...Object.fromEntries(series), workouts: sports };
}

/** Ways in which sources identify themselves: not at all, by model and name, by id. */
const SOURCES: Record<string, object> = {
  'without a description': { provider: 'apple_health' },
  'with a model and a name': { provider: 'apple_health', model: 'iPhone15,2', name: 'Phone' },
  'with an id': IPHONE,
};

describe('after a reinstall', () => {
  for (const [described, source] of Object.entries(SOURCES))
    for (const [name, { deleted, left }] of Object.entries(DELETIONS))
      for (const isSentAgain of [false, true])
        it(`${name} of a source ${described} is deleted${isSentAgain ? ' that the new installation sent again' : ''}`, async () => {
          const { id } = await createUser(service.api());
          await (await startPhone(service, id)).upload({ source, ...DATA });
          clock.advance(HOUR_MS);
          const again = await startPhone(service, id);
          if (isSentAgain) await again.upload({ source, ...DATA });
          assert.deepEqual(await readAll(id), WHOLE);
          const answer = await again.upload({ source, deleted: [deleted] });
          assert.ok(answer.deleted >= 1);
          assert.deepEqual(await readAll(id), { ...WHOLE, ...left });
        });

  it('a deletion applies to several installations, and keeps records that are sent with it', async () => {
    const { id } = await createUser(service.api());
    const source = { provider: 'apple_health' };
    for (let installation = 0; installation < 3; installation += 1)
      await (await startPhone(service, id)).upload({ source, ...DATA });
    const phone = await startPhone(service, id);
    const corrected = { ...RUN, sport_type: 'hiking' };
    const { accepted, deleted } = await phone.upload({
      source,
      workouts: [corrected],
      deleted: [{ kind: 'workout', id: 'run' }],
    });
    assert.deepEqual([accepted, deleted], [1, 3]);
    assert.deepEqual(await readAll(id), { ...WHOLE, workouts: ['hiking'] });
  });

  it('a moved workout leaves a day with a long sample of the same large upload, as in small uploads', async () => {
    const source = { provider: 'apple_health' };
    const exercise = (start: string, end: string, value: number) => ({
      metric: 'exercise',
      start: `2026-03-${start}:00Z`,
      end: `2026-03-${end}:00Z`,
      value,
    });
    const long = exercise('15T12:00', '18T12:00', 600);
    const beats = Array.from({ length: 40_000 }, (_, index) => ({
      metric: 'heart_rate',
      start: new Date(Date.parse('2026-03-16T00:00:00Z') + index * SECOND_MS).toISOString(),
      value: 60 + (index % 20),
    }));
    const moved = { ...RUN, start: '2026-03-19T10:00:00Z', end: '2026-03-19T11:00:00Z' };
    const deleted = [{ kind: 'workout', id: 'run' }];
    const readExercise = async (uploads: readonly object[]) => {
      const { id } = await createUser(service.api());
      await (await startPhone(service, id)).upload({ source, workouts: [RUN] });
      clock.advance(HOUR_MS);
      const phone = await startPhone(service, id);
      await phone.upload({ source: IPHONE, samples: [exercise('18T15:00', '18T15:15', 10)] });
      for (const upload of uploads) await phone.upload({ source, ...upload });
      const { body } = await service
        .api()
        .get(`/v1/users/${id}/daily?types=exercise&from_date=2026-03-15&to_date=2026-03-19`);
      return body.series.exercise;
    };
    const inSmallUploads = await readExercise([
      { samples: [long] },
      { workouts: [moved], deleted },
      { samples: beats },
    ]);
    assert.deepEqual(await readExercise([{ samples: [long, ...beats], workouts: [moved], deleted }]), inSmallUploads);
  });

  it('a deletion does not affect other sources and other users', async () => {
    const { id } = await createUser(service.api());
    const other = await createUser(service.api());
    const [phone, theirs] = [await startPhone(service, id), await startPhone(service, other.id)];
    await theirs.upload({ source: { provider: 'apple_health' }, ...DATA });
    await phone.upload({ source: IPHONE, ...DATA });
    const reinstalled = await startPhone(service, id);
    const all = Object.values(DELETIONS).map(({ deleted }) => deleted);
    assert.equal((await reinstalled.upload({ source: { provider: 'apple_health' }, deleted: all })).deleted, 0);
    assert.deepEqual([await readAll(id), await readAll(other.id)], [WHOLE, WHOLE]);
  });

  it('a deleted record stays deleted when the payloads are replayed', async () => {
    const { id, tenant } = await createTenantUser();
    const source = { provider: 'apple_health' };
    await (await startPhone(service, id)).upload({ source, ...DATA });
    clock.advance(HOUR_MS);
    const again = await startPhone(service, id);
    await again.upload({ source, deleted: Object.values(DELETIONS).map(({ deleted }) => deleted) });
    const left = { asleep: null, steps: null, weight: 70, workouts: [] };
    assert.deepEqual(await readAll(id), left);
    await replayUser(services, tenant, id as Parameters<typeof replayUser>[2]);
    await waitUntil('the rebuild', async () => {
      const waiting = `select 1 from graphile_worker.jobs where task_identifier = 'rebuild_user'`;
      return (await services.db.query(waiting)).length === 0;
    });
    assert.deepEqual(await readAll(id), left);
  });
});

async function createTenantUser() {
  const { id } = await createUser(service.api());
  const [row] = await services.db.query<{ account_id: string; environment: string }>(
    'select account_id, environment from users where id = $1',
    [id],
  );
  assert.ok(row);
  const tenant = { accountId: row.account_id, environment: row.environment } as Parameters<typeof replayUser>[1];
  return { id, tenant };
}
