// An application that receives a flood of webhooks does not delay those of other applications.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, beforeEach, describe, it, mock } from 'node:test';
import { listAppsById } from '../../src/features/clouds/provider-apps/index.ts';
import {
  becomeReader,
  insertWebhooks,
  listProviderWebhooks,
} from '../../src/features/clouds/provider-webhooks/store.ts';
import { newId } from '../../src/platform/ids.ts';
import { APP, type Connected, openTestCloud } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '3' });
const { db } = cloud.services;

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_webhooks', 'provider_accounts'])
    await cloud.query(`delete from ${table}`);
});

const AT = new Date('2026-03-01T12:00:00Z');

function store(provider: string, bodies: readonly string[], appId = APP): Promise<void> {
  const rows = bodies.map((body) => ({ id: newId(), provider, appId, body: Buffer.from(body), receivedAt: AT }));
  return insertWebhooks(db, rows);
}

async function notifyOura({ providerUserId }: Connected): Promise<void> {
  const event = { event_type: 'update', data_type: 'workout', object_id: 'w-1', event_time: '2026-03-01T11:00:00Z' };
  const body = JSON.stringify({ ...event, user_id: providerUserId });
  const stamp = String(Math.floor(cloud.clock.now().getTime() / 1_000));
  const [app] = await listAppsById(cloud.services, 'oura', APP);
  const signature = createHmac('sha256', app?.client.clientSecret ?? '')
    .update(stamp + body)
    .digest('hex');
  const headers = { 'x-oura-signature': signature, 'x-oura-timestamp': stamp, 'content-type': 'application/json' };
  assert.equal((await cloud.notify('oura', { body, headers })).status, 200);
}

const countOf = async (table: string) =>
  (await cloud.query<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count;

const fill = <Item>(length: number, make: (index: number) => Item) => Array.from({ length }, (_, index) => make(index));

describe('a flood of webhooks for one application', () => {
  it('does not delay the webhook of another', async () => {
    const connected = await cloud.connect('oura');
    await cloud.query('delete from sync_tasks');
    await store(
      'withings',
      fill(1_000, (index) => `userid=${index}&appli=1&startdate=1&enddate=2`),
    );
    await notifyOura(connected);
    assert.equal(await cloud.processWebhooks(), 100, 'the rest of the round is for the flood');
    assert.equal(await countOf(`sync_tasks where details ->> 'id' = 'w-1'`), 1);
    assert.equal(await countOf('provider_webhooks'), 901);
  });

  it('does not delay it either if each of its webhooks is as large as a round', async () => {
    await store(
      'garmin',
      fill(3, () => JSON.stringify({ padding: 'x'.repeat(9 * 1_048_576) })),
    );
    await store('oura', ['{}']);
    const heads = new Set<string>();
    for (let round = 0; round < 64 && heads.size < 2; round += 1)
      for (const { provider } of await listProviderWebhooks(db, 100)) heads.add(provider);
    assert.deepEqual([...heads].sort(), ['garmin', 'oura']);
  });

  it('keeps the order of the webhooks of each application', async () => {
    for (let index = 0; index < 60; index += 1) {
      await store('withings', [String(index)], index % 2 === 0 ? 'one' : 'two');
      await store('oura', [String(index)]);
    }
    const listed = await listProviderWebhooks(db, 90);
    assert.equal(listed.length, 90);
    const byApp = Map.groupBy(listed, ({ provider, appId }) => `${provider} ${appId}`);
    assert.equal(byApp.size, 3);
    for (const [app, webhooks] of byApp) {
      const numbers = webhooks.map(({ body }) => Number(body.toString()));
      assert.equal(numbers.length, 30, app);
      assert.deepEqual(
        numbers,
        numbers.toSorted((one, other) => one - other),
        app,
      );
    }
  });

  it('reads those of each application after one that cannot be processed', async () => {
    const connected = await cloud.connect('oura');
    await cloud.query('delete from sync_tasks');
    const event = { event_type: 'update', data_type: 'workout', object_id: 'w-2', event_time: '2026-03-01T11:00:00Z' };
    await store('oura', [JSON.stringify({ ...event, user_id: 'a\u0000b' })]); // text that PostgreSQL rejects
    await store('oura', [JSON.stringify({ ...event, user_id: connected.providerUserId })]);
    await store('withings', ['userid=1&appli=1', 'userid=2&appli=1']);
    await cloud.processWebhooks();
    assert.equal(await countOf('provider_webhooks'), 0);
    assert.equal(await countOf(`sync_tasks where details ->> 'id' = 'w-2'`), 1);
  });

  it('keeps their order if another process reads while they are read one by one', async () => {
    const { providerUserId } = await cloud.connect('oura');
    await cloud.query('delete from sync_tasks');
    const change = (object_id: string, user_id = providerUserId) =>
      JSON.stringify({ event_type: 'update', data_type: 'workout', object_id, user_id, event_time: AT.toISOString() });
    await store('oura', [change('first'), change('unreadable', 'a\u0000b'), change('last')]);
    const transaction = db.transaction.bind(db);
    let calls = 0;
    const spy = mock.method(db, 'transaction', (work: Parameters<typeof transaction>[0]) => {
      calls += 1;
      return calls === 2 ? whileAnotherReads(() => transaction(work)) : transaction(work);
    });
    const whileAnotherReads = <Result>(work: () => Promise<Result>): Promise<Result> =>
      transaction(async (other) => {
        assert.ok(await becomeReader(other));
        return work();
      });
    assert.equal(await cloud.processWebhooks(), 0);
    spy.mock.restore();
    assert.equal(await countOf('sync_tasks'), 0, 'the last is not read before the first');
    assert.equal(await countOf('provider_webhooks'), 3);
    assert.equal(await cloud.processWebhooks(), 3);
    const tasks = await cloud.query<{ id: string }>(
      `select details ->> 'id' as id from sync_tasks order by sync_tasks.id`,
    );
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['first', 'last'],
    );
  });
});
