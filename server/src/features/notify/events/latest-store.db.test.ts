import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import type { AccountId, Tenant } from '../../../domain/tenancy.ts';
import { HOUR_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { countPeopleSince } from './latest-store.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const USERS = Array.from({ length: 20 }, () => randomUUID());
const STEP_MS = 10 * SECOND_MS;
const LIMIT = 1_000;
const db = await openTestDatabase({ after });

type Published = { readonly position: number; readonly userId: string; readonly atMs: number };

async function publish(events: readonly Published[]): Promise<Tenant> {
  const tenant: Tenant = { accountId: randomUUID() as AccountId, environment: 'live' };
  await db.query(
    `insert into feed_events (account_id, environment, position, id, user_id, type, body, published_at)
     select $1, 'live', position, gen_random_uuid(), user_id, 'data.updated', '{}', to_timestamp(at / 1000)
       from unnest($2::bigint[], $3::uuid[], $4::double precision[]) as published (position, user_id, at)`,
    [
      tenant.accountId,
      events.map(({ position }) => position),
      events.map(({ userId }) => userId),
      events.map(({ atMs }) => atMs),
    ],
  );
  return tenant;
}

/** An event every ten seconds. */
function makeEvents(count: number, positionOf: (index: number) => number): Published[] {
  return Array.from({ length: count }, (_, index) => ({
    position: positionOf(index),
    userId: USERS[index % USERS.length] ?? '',
    atMs: START + index * STEP_MS,
  }));
}

const countPeople = async (...query: Parameters<typeof countPeopleSince>) => (await countPeopleSince(...query)).people;

async function checkEveryTime(events: readonly Published[]): Promise<void> {
  const tenant = await publish(events);
  for (const sinceMs of [START - HOUR_MS, ...events.map(({ atMs }) => atMs), START + HOUR_MS]) {
    const people = new Set(events.filter(({ atMs }) => atMs >= sinceMs).map(({ userId }) => userId));
    const since = new Date(sinceMs);
    assert.equal(await countPeople(db, tenant, since, LIMIT), people.size, since.toISOString());
  }
}

describe('countPeopleSince', () => {
  it('counts users with an event since any time', () => checkEveryTime(makeEvents(33, (index) => index + 1)));

  it('counts them in a feed from which events were removed', () =>
    checkEveryTime(makeEvents(33, (index) => 1_000 + index ** 3)));

  it('counts them if the clocks of two publishers differ', () =>
    checkEveryTime(
      makeEvents(33, (index) => index + 1).map((event) => ({
        ...event,
        atMs: event.atMs - (event.position % 2) * 50 * SECOND_MS,
      })),
    ));

  it('counts nobody in an empty feed, and no event of another environment', async () => {
    const tenant = await publish(makeEvents(3, (index) => index + 1));
    assert.equal(await countPeople(db, { ...tenant, environment: 'sandbox' }, new Date(START), LIMIT), 0);
  });

  it('counts as many events as the limit, and returns null for more', async () => {
    const tenant = await publish(makeEvents(20, (index) => index + 1));
    const since = new Date(START + 10 * STEP_MS);
    assert.equal(typeof (await countPeople(db, tenant, since, 10)), 'number');
    assert.equal(await countPeople(db, tenant, since, 9), null);
  });
});
