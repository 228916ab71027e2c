// The connection to the database is lost at every statement and commit of a rebuild and of an erasure.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { publishWaiting } from '../../src/features/notify/events/publish.ts';
import { planDeliveries } from '../../src/features/notify/webhooks/index.ts';
import { eraseUserJob } from '../../src/features/people/users/index.ts';
import { rebuildUserJob } from '../../src/features/pipeline/ingest/index.ts';
import { failEverywhere } from '../support/failpoints.ts';
import { readStoredRows, type StoredRows } from '../support/stored-rows.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createLiveAccount, createUser } from '../support/test-users.ts';

const clock = createFrozenClock();
const service = await startTestService({ role: 'api', clock, environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
after(() => service.stop());
const { services } = service.running;

type World = { readonly accountId: string; readonly userId: string; readonly api: ReturnType<typeof service.api> };

/** A user of a new account with two devices that disagree, published events and deliveries that wait. */
async function createHistory(): Promise<World> {
  const account = await createLiveAccount(service);
  const api = service.api(account.live);
  const webhook = await api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] });
  assert.equal(webhook.status, 201, webhook.text);
  const { id } = await createUser(api, { timezone: 'Europe/Berlin' });
  const phone = await startPhone(service, id, { key: account.live, installationId: 'phone', platform: 'android' });
  await phone.upload({ upload_id: UPLOADS[0], ...recordsOf(1) });
  await phone.upload({ upload_id: UPLOADS[1], source: RING, ...recordsOf(2) });
  await publishWaiting(services.db, { limit: 100, subscriber: planDeliveries, now: clock.now() });
  return { accountId: account.id, userId: id, api };
}

const RING = { provider: 'samsung_health', id: 'ring', name: 'Ring', device_class: 'ring' };

/** The same for every user, because the raw layer stores them. */
const UPLOADS = [randomUUID(), randomUUID()] as const;

/** Over two months, so that both a sheet and the days after it are rebuilt. */
function recordsOf(factor: number) {
  const days = ['2026-01-30', '2026-01-31', '2026-02-01'];
  return {
    samples: days.flatMap((day) => [
      { metric: 'steps', start: `${day}T09:00:00Z`, end: `${day}T09:15:00Z`, value: 300 * factor },
      { metric: 'heart_rate', start: `${day}T23:30:00Z`, value: 60 + factor },
    ]),
    daily: days.map((date) => ({ metric: 'resting_heart_rate', date, value: 50 + factor })),
    sleep: [{ id: `night ${factor}`, start: '2026-01-30T22:00:00Z', end: '2026-01-31T06:00:00Z', heart_rate: 50 }],
    workouts: [{ id: 'run', start: '2026-01-31T17:00:00Z', end: '2026-01-31T17:40:00Z', sport_type: 'running' }],
  };
}

const read = ({ accountId, userId }: World): Promise<StoredRows> => readStoredRows(services.db, [accountId, userId]);

describe('a rebuild that loses its database', () => {
  for (const scope of ['all', 'choice'] as const)
    it(`ends with the days of one undisturbed rebuild (scope ${scope})`, (t) =>
      failEverywhere(t, {
        db: services.db,
        atLeast: { statements: 8, commits: 1 },
        async prepare() {
          const world = await createHistory();
          const change =
            scope === 'all'
              ? await world.api.patch(`/v1/users/${world.userId}`, { timezone: 'America/New_York' })
              : await world.api.patch(`/v1/users/${world.userId}/consolidation`, {
                  metrics: { steps: { method: 'max' } },
                  providers: { samsung_health: false },
                });
          assert.ok(change.status < 300, change.text);
          return world;
        },
        run: ({ accountId, userId }, db) =>
          rebuildUserJob.run(
            { ...services, db },
            { user_id: userId, account_id: accountId, environment: 'live', scope },
          ),
        read,
      }));
});

/**
 * The request log has only a block with calls that concern other things too, which the erasure replaces, and one that it removes. The
 * service also flushes every second, so the calls of a block are made at once, and it depends on the time how many blocks the earlier
 * calls have.
 */
async function createDeleted(): Promise<World> {
  const world = await createHistory();
  const { api, userId, accountId } = world;
  const readAbsent = () => api.get(`/v1/users/${userId}/workouts/${ABSENT_ID}`);
  await services.requestLog.flush();
  await services.db.query('delete from request_blocks where account_id = $1', [accountId]);
  const [ofUser, ofOther] = await Promise.all([readAbsent(), api.get('/v1/webhooks')]);
  assert.deepEqual([ofUser.status, ofOther.status], [404, 200]);
  await services.requestLog.flush();
  assert.equal((await readAbsent()).status, 404);
  await services.requestLog.flush();
  assert.equal((await api.delete(`/v1/users/${userId}`)).status, 202);
  return world;
}

describe('an erasure that loses its database', () => {
  it('removes everything, and records it once', async (t) => {
    await failEverywhere(t, {
      db: services.db,
      atLeast: { statements: 25, commits: 1 },
      prepare: createDeleted,
      run: ({ userId }, db) => eraseUserJob.run({ ...services, db }, { user_id: userId }),
      read,
    });
    const world = await createDeleted();
    await eraseUserJob.run(services, { user_id: world.userId });
    const { event_outbox = [], ...left } = await readStoredRows(services.db, [world.userId]);
    assert.deepEqual(left, {}, 'nothing about the user is left');
    assert.deepEqual(
      event_outbox.map((row) => JSON.parse(row).type),
      ['user.deleted'],
    );
  });
});
