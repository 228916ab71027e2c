// The slots of a provider: an account with many devices does not delay the syncs of others.
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { startSyncer } from '../../src/features/clouds/sync/index.ts';
import { openTestCloud } from '../support/test-cloud.ts';
import { waitUntil } from '../support/wait-until.ts';

const SLOTS = 8;
const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '1' });
const { stub, clock } = cloud;

it('the device of another account is synced in the next free slot', async (t) => {
  const held = new Map<string, PromiseWithResolvers<void>>();
  const gateOf = (token: string) => held.getOrInsertComputed(token, () => Promise.withResolvers<void>());
  stub.answer('/oura/v2/webhook/subscription', ({ method }) => ({ json: method === 'GET' ? [] : { id: 's' } }));
  stub.answer('/oura/v2/usercollection', async ({ headers }) => {
    await gateOf(headers.authorization ?? '').promise;
    return { json: { data: [], next_token: null } };
  });
  const connect = (accessToken: string) => cloud.connect('oura', { tokens: { accessToken } });
  const many = [];
  for (let index = 0; index < SLOTS + 4; index += 1) many.push(await connect(`many-${index}`));
  const ids = many.map(({ user }) => user.userId);
  for (const [table, column] of [
    ['users', 'id'],
    ['synced_devices', 'user_id'],
  ])
    await cloud.query(`update ${table} set account_id = $1 where ${column} = any($2)`, [
      many[0]?.user.tenant.accountId,
      ids,
    ]);
  await cloud.query(
    `insert into synced_devices (user_id, device_id, account_id, environment, provider, app_id, due_at, failures)
     select gen_random_uuid(), gen_random_uuid(), account_id, environment, provider, app_id, due_at + interval '1 ms', 0
       from (select * from synced_devices where user_id = $1) one, generate_series(1, 2500)`,
    [ids[0]],
  );
  const syncer = startSyncer(cloud.services);
  t.after(() => {
    for (const gate of held.values()) gate.resolve();
    stub.answer('/oura/v2/usercollection', { json: { data: [], next_token: null } });
    return syncer.stop();
  });
  const seen = () => [...held.keys()].map((token) => token.replace('Bearer ', ''));
  await waitUntil('all slots in use', () => seen().length === SLOTS);
  clock.advance(SECOND_MS);
  await connect('other');
  held.get(`Bearer ${seen()[0]}`)?.resolve();
  await waitUntil('another device', () => seen().length > SLOTS);
  assert.equal(seen()[SLOTS], 'other');
});
