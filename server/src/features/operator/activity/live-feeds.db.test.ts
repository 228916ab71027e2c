// Tests the feeds behind the live streams: their readers, and the entries that a reader missed.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestSession } from '../../../../test/support/test-members.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { Database } from '../../../platform/db/database.ts';
import { AppError, isUnavailable } from '../../../platform/errors.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import { createLogger } from '../../../platform/log.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { createLiveFeeds } from './live-feeds.ts';
import { openLiveStream } from './live-stream.ts';

const db = await openTestDatabase({ after });
const log = createLogger('silent');

async function publish({ tenant, userId }: UserHandle, position: number): Promise<void> {
  const body = { event_id: randomUUID(), event_type: 'data.updated', metrics: [], user_id: userId, device_id: null };
  await db.query(
    `with head as (
       insert into feed_heads (account_id, environment, position) values ($1, $2, $3)
       on conflict (account_id, environment) do update set position = excluded.position)
     insert into feed_events (account_id, environment, position, id, user_id, type, body, published_at)
     values ($1, $2, $3, $4, $5, 'data.updated', $6, now())`,
    [tenant.accountId, tenant.environment, position, body.event_id, userId, JSON.stringify(body)],
  );
}

function createReader(sessionId: string = randomUUID()) {
  const positions: number[] = [];
  let hasEnded = false;
  return {
    sessionId,
    positions,
    hasEnded: () => hasEnded,
    receive: ({ events }: { readonly events: readonly { readonly position: number }[] }) =>
      void positions.push(...events.map(({ position }) => position)),
    end() {
      hasEnded = true;
    },
  };
}

/** Feeds whose reads go through `database`. */
async function startFeeds(t: { after(end: () => Promise<void>): void }, database: Database = db) {
  const user = await createTestUser(db);
  const feeds = createLiveFeeds({ db: database, log });
  const loop = feeds.start();
  t.after(() => loop.stop());
  return { user, feeds };
}

describe('a feed', () => {
  it('is kept for its readers, whenever the stream of an ended session closes', async (t) => {
    const { user, feeds } = await startFeeds(t);
    const ended = createReader();
    const first = await feeds.open(user.tenant, null, ended);
    await publish(user, 1);
    await waitUntil('the end of the session is found', () => ended.hasEnded());
    const second = await feeds.open(user.tenant, null, createReader());
    second.close();
    const reader = createReader(await createTestSession(db, user.tenant));
    await feeds.open(user.tenant, null, reader);
    first.close();
    await publish(user, 2);
    await waitUntil('the next event', () => reader.positions.includes(2));
    assert.deepEqual(ended.positions, []);
  });

  it('has no reader whose missed events could not be read', async (t) => {
    let isAway = false;
    const away: Database = {
      ...db,
      query: async (text, values) => {
        if (isAway) throw new AppError('unavailable');
        return db.query(text, values);
      },
    };
    const { user, feeds } = await startFeeds(t, away);
    const sessionId = await createTestSession(db, user.tenant);
    await publish(user, 1);
    const [lost, reader] = [createReader(sessionId), createReader(sessionId)];
    await feeds.open(user.tenant, null, reader);
    isAway = true;
    await assert.rejects(feeds.open(user.tenant, { event: 0, request: 0 }, lost));
    isAway = false;
    await publish(user, 2);
    await waitUntil('the next event', () => reader.positions.includes(2));
    assert.deepEqual(lost.positions, []);
  });

  it('reads only what a reader missed', async (t) => {
    let read: string[] = [];
    const counted: Database = {
      ...db,
      async query<Row extends Record<string, unknown>>(...args: Parameters<Database['query']>) {
        const rows = await db.query<Row>(...args);
        const [text] = args;
        if (typeof text !== 'string' && text.name === 'latest_events') read.push(...rows.map(() => 'event'));
        if (typeof text === 'string' && text.includes('request_blocks')) read.push('requests');
        return rows;
      },
    };
    const user = await createTestUser(db);
    for (let position = 1; position <= 9; position += 1) await publish(user, position);
    const { open } = createLiveFeeds({ db: counted, log });
    const reader = await open(user.tenant, null, createReader());
    t.after(async () => reader.close());
    read = [];
    const { missed } = await open(user.tenant, { event: 7, request: reader.start.request }, createReader());
    assert.deepEqual(
      missed?.events.map(({ position }) => position),
      [8, 9],
    );
    assert.deepEqual(read, ['event', 'event']);
  });
});

describe('a stream that cannot be opened', () => {
  it('fails the call only, and can be opened later', async () => {
    const user = await createTestUser(db);
    const away: Database = { ...db, query: async () => Promise.reject(new AppError('unavailable')) };
    const services = { liveFeeds: createLiveFeeds({ db: away, log }) };
    const caller = { kind: 'member', memberId: randomUUID(), sessionId: randomUUID(), tenant: user.tenant };
    const open = () =>
      openLiveStream({ services, caller: caller as MemberCaller }, { topics: ['events'], cursor: null });
    for (let call = 0; call < 5; call += 1) {
      await assert.rejects(open(), isUnavailable);
      await setImmediate(); // the stream closes
    }
  });
});
