// The connection to the database is lost at every statement and commit that publishes events or delivers them.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { AccountId, Tenant } from '../../src/domain/tenancy.ts';
import { publishWaiting } from '../../src/features/notify/events/publish.ts';
import { Dispatcher } from '../../src/features/notify/webhooks/dispatcher.ts';
import { planDeliveries } from '../../src/features/notify/webhooks/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { assertEvery } from '../support/assert-every.ts';
import { failEverywhere } from '../support/failpoints.ts';
import { readStoredRows } from '../support/stored-rows.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { writeEvent } from '../support/test-events.ts';
import { startTestService } from '../support/test-service.ts';
import { createLiveAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const clock = createFrozenClock();
const service = await startTestService({
  role: 'api',
  clock,
  environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' },
});
const sink = await startSink();
after(async () => {
  await sink.close();
  await service.stop();
});
const { services } = service.running;

type World = { readonly accountId: string; readonly path: string };

/** An account with events that wait, one webhook for all of them and one for another type. */
async function writeEvents(events: number): Promise<World> {
  const account = await createLiveAccount(service);
  const api = service.api(account.live);
  const { id } = await createUser(api);
  const path = `/${account.id}`;
  for (const types of [['*'], ['score.updated']]) {
    const made = await api.post('/v1/webhooks', { url: sink.url(path), events: types });
    assert.equal(made.status, 201, made.text);
  }
  const tenant: Tenant = { accountId: account.id as AccountId, environment: 'live' };
  for (let count = 0; count < events; count += 1) await writeEvent(services.db, tenant, id);
  return { accountId: account.id, path };
}

async function publish(db: Database): Promise<void> {
  while ((await publishWaiting(db, { limit: 100, subscriber: planDeliveries, now: clock.now() })).length > 0);
}

async function publishAll({ accountId }: World, db: Database): Promise<boolean> {
  await publish(db);
  const waiting = await services.db.query('select 1 from event_outbox where account_id = $1 limit 1', [accountId]);
  return waiting.length === 0;
}

describe('a publisher that loses its database', () => {
  it('publishes each event once and plans its deliveries with it', (t) =>
    failEverywhere(t, {
      db: services.db,
      atLeast: { statements: 8, commits: 1 },
      prepare: () => writeEvents(3),
      run: (_, db) => publish(db),
      // The lost connection has the lock of the publisher until the server has rolled back.
      retry: (world, db) => waitUntil('the events are published', () => publishAll(world, db)),
      read: ({ accountId }) => readStoredRows(services.db, [accountId]),
    }));
});

describe('a dispatcher that loses its database', () => {
  for (const [title, status, events] of [
    ['records each successful delivery once', 204, 3],
    ['counts each failed attempt once', 500, 3],
    ['disables a webhook that is gone once', 410, 1], // which one of several finds out depends on their order
  ] as const)
    it(title, async (t) => {
      await failEverywhere(t, {
        db: services.db,
        atLeast: { statements: 8, commits: 2 },
        async prepare() {
          const world = await writeEvents(events);
          await publish(services.db);
          sink.answer(world.path, status);
          return world;
        },
        run: deliver,
        checkFailed: (world) => assertCounted(world, events),
        // An attempt takes time, also on a frozen clock.
        read: ({ accountId }) => readStoredRows(services.db, [accountId], { ignoresTimes: true }),
      });
    });
});

/**
 * Until a round has nothing to send. A dispatcher that is stopped makes the attempts that it has begun, writes their outcomes and
 * releases the other deliveries.
 */
async function deliver(world: World, db: Database): Promise<void> {
  for (let sent = -1; sent < sink.at(world.path).length; ) {
    sent = sink.at(world.path).length;
    await endClaims(world);
    const dispatcher = new Dispatcher({ ...services, db });
    try {
      await dispatcher.claim();
    } finally {
      await dispatcher.end();
    }
  }
}

/** Whichever of the deliveries are done: an attempt, its count and its status are stored together, and only once. */
async function assertCounted({ accountId }: World, events: number): Promise<void> {
  const deliveries = await services.db.query<{ isWhole: boolean }>(
    `select jsonb_array_length(attempts) = attempt_count and attempt_count <= 1
            and (status = 'succeeded') = coalesce((attempts->-1->>'status')::int < 300, false) as "isWhole"
       from webhook_deliveries where account_id = $1`,
    [accountId],
  );
  assert.equal(deliveries.length, events);
  assertEvery(deliveries, ({ isWhole }) => isWhole);
}

/** As if DELIVERY_CLAIM_MS had passed; claims.db.test.ts tests that time. */
async function endClaims({ accountId }: World): Promise<void> {
  await services.db.query(
    `with ended as (update webhook_deliveries set claimed_until = $2 where account_id = $1 and claim is not null)
     update webhooks set due_at = least(due_at, $2) where account_id = $1 and due_at is not null`,
    [accountId, clock.now()],
  );
}
