// Tests the counts of the dashboard's home page while the process keeps a part of them.
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createMember, memberApi } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';

const ANSWER_KEPT_MS = 5_000;
const COUNT_KEPT_MS = 60_000;
let aheadMs = 0;
const clock = { now: () => new Date(), monotonicMs: () => performance.now() + aheadMs };
const environment = { TRIBUTARY_MASTER_KEY: '1'.repeat(64) };
const service = await startTestService({ clock, environment });
after(() => service.stop());
const { db } = service.running.services;

async function openAccount() {
  const account = await createAccount(service);
  const { cookie } = await createMember(service, account.name, 'viewer');
  const readFrom = async (from: typeof service, environment: string) => {
    const { status, body, text } = await memberApi(from, cookie).get(
      `/dashboard/api/${environment}/overview?range=day`,
    );
    assert.equal(status, 200, text);
    const [phones] = body.flow.sources;
    return [body.users, phones?.devices ?? 0, body.flow.people];
  };
  /** Adds users, each with a phone and an event. */
  const addUsers = async (count: number, environment = 'live') => {
    await db.query(
      `with added as (
         insert into users (id, account_id, environment, reference_id, score_status, created_at)
         select gen_random_uuid(), $1, $2, gen_random_uuid()::text, 'ready', now() from generate_series(1, $3) returning id)
       insert into devices (user_id, id, provider, status, transport) select id, gen_random_uuid(), 'apple_health', 'active', 'sdk' from added`,
      [account.id, environment, count],
    );
    await db.query(
      `insert into feed_events (account_id, environment, position, id, user_id, type, body, published_at)
       select $1, $2, coalesce((select max(position) from feed_events where account_id = $1 and environment = $2), 0) + row_number() over (),
              gen_random_uuid(), u.id, 'data.updated', '{}', now()
         from users u where u.account_id = $1 and u.environment = $2 and not exists (select from feed_events e where e.user_id = u.id)`,
      [account.id, environment],
    );
    await db.query(
      'update account_environments set user_count = user_count + $3 where account_id = $1 and environment = $2',
      [account.id, environment, count],
    );
  };
  return { read: (environment = 'live') => readFrom(service, environment), readFrom, addUsers };
}

it('counts few devices and people again for every answer', async () => {
  const { read, addUsers } = await openAccount();
  await addUsers(3);
  assert.deepEqual(await read(), [3, 3, 3]);
  await addUsers(2);
  assert.deepEqual(await read(), [3, 3, 3], 'an answer is kept');
  aheadMs += ANSWER_KEPT_MS;
  assert.deepEqual(await read(), [5, 5, 5]);
});

it('counts many devices and people once a minute, in each process and for each environment and account', async (test) => {
  const databaseUrl = service.config.databaseUrl ?? assert.fail('no database');
  const second = await startTestService({ clock, environment, databaseUrl });
  test.after(() => second.stop());
  const [one, other] = [await openAccount(), await openAccount()];
  await one.addUsers(501);
  await one.addUsers(2, 'sandbox');
  await other.addUsers(502);
  assert.deepEqual(await one.read(), [501, 501, 501]);
  assert.deepEqual(await other.read(), [502, 502, 502]);
  assert.deepEqual(await one.read('sandbox'), [2, 2, 2]);
  await one.addUsers(1);
  await one.addUsers(1, 'sandbox');
  aheadMs += ANSWER_KEPT_MS;
  assert.deepEqual(await one.read(), [502, 501, 501], 'devices and people were counted within a minute');
  assert.deepEqual(await one.read('sandbox'), [3, 3, 3]);
  assert.deepEqual(await other.read(), [502, 502, 502]);
  assert.deepEqual(await one.readFrom(second, 'live'), [502, 502, 502], 'another process counts itself');
  aheadMs += COUNT_KEPT_MS;
  assert.deepEqual(await one.read(), [502, 502, 502]);
});
