// Tests the event feed: one order for all readers of an environment.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { AccountId, DeviceId, Tenant } from '../../src/domain/tenancy.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { EVENT_TYPES, tidyFeedJob } from '../../src/features/notify/events/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { TestApi } from '../support/test-api.ts';
import { readStoredEvents, writeEvent } from '../support/test-events.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser, issuePaths } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService();
after(() => service.stop());
const { db } = service.running.services;

type Feed = { api: TestApi; tenant: Tenant; key: string; write: typeof writeEvents };

/** A separate account, so that a test sees only its own events. */
async function openFeed(): Promise<Feed & { user: { id: string } }> {
  const account = await createAccount(service);
  const api = service.api(account.live);
  const tenant = { accountId: account.id as AccountId, environment: 'live' as const };
  return { api, tenant, key: account.live, user: await createUser(api), write: writeEvents };
}

async function writeEvents(feed: Feed, userId: string, count: number, event = {}): Promise<void> {
  for (let index = 0; index < count; index += 1) await writeEvent(db, feed.tenant, userId, event);
  await awaitPublished();
}

async function awaitPublished(): Promise<void> {
  await waitUntil('all events are published', async () => {
    const [row] = await db.query<{ waits: boolean }>('select exists (select from event_outbox) as waits');
    return row?.waits === false;
  });
}

const idsOf = (body: { events: { event_id: string }[] }) => body.events.map(({ event_id }) => event_id);

describe('GET /v1/events', () => {
  it('200 with no events and a cursor, in one shape in both forms', async () => {
    const { api } = await openFeed();
    for (const form of ['1', '2']) {
      const answer = await api.get('/v1/events', { headers: { 'api-form': form } });
      assert.equal(answer.status, 200);
      assert.deepEqual(Object.keys(answer.body), ['events', 'cursor', 'has_more']);
      assert.deepEqual([answer.body.events, answer.body.has_more], [[], false]);
      assert.equal(typeof answer.body.cursor, 'string');
      const again = await api.get(`/v1/events?cursor=${answer.body.cursor}&limit=10`, {
        headers: { 'api-form': form },
      });
      assert.equal(again.status, 200, again.text);
    }
  });

  it('200 from the beginning, page by page, each event once, and later events after that', async () => {
    const feed = await openFeed();
    await feed.write(feed, feed.user.id, 7);
    const all = (await feed.api.get('/v1/events')).body;
    assert.equal(all.events.length, 7);
    assert.equal(all.has_more, false);
    const seen: string[] = [];
    let cursor = '';
    let pages = 0;
    for (let hasMore = true; hasMore; pages += 1) {
      const answer = await feed.api.get(`/v1/events?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(answer.body));
      ({ cursor, has_more: hasMore } = answer.body);
    }
    assert.deepEqual([seen, pages], [idsOf(all), 3]);
    assert.equal(new Set(seen).size, 7);
    await feed.write(feed, feed.user.id, 2);
    const later = (await feed.api.get(`/v1/events?cursor=${cursor}`)).body;
    assert.equal(later.events.length, 2);
    assertEvery(idsOf(later), (id) => !seen.includes(id));
  });

  it('200 with an exact has_more: false on a page that ends with the last event', async () => {
    const feed = await openFeed();
    await feed.write(feed, feed.user.id, 3);
    const exact = (await feed.api.get('/v1/events?limit=3')).body;
    assert.deepEqual([exact.events.length, exact.has_more], [3, false]);
    assert.equal((await feed.api.get('/v1/events?limit=2')).body.has_more, true);
  });

  it('200 with the fields of each event, and the days that changed', async () => {
    const feed = await openFeed();
    const deviceId = ABSENT_ID as DeviceId;
    const days = { from: '2026-03-01' as LocalDate, to: '2026-03-04' as LocalDate };
    const event = { deviceId, metrics: ['steps', 'heart_rate'] as never, days, hasDeletions: true };
    await feed.write(feed, feed.user.id, 1, event);
    const [listed] = (await feed.api.get('/v1/events')).body.events;
    const { event_id, timestamp, ...rest } = listed;
    assert.match(event_id, /^[0-9a-f-]{36}$/);
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      event_type: 'data.updated',
      metrics: ['steps', 'heart_rate'],
      user_id: feed.user.id,
      device_id: ABSENT_ID,
      from_date: '2026-03-01',
      to_date: '2026-03-04',
      deleted: true,
    });
  });

  it('200 with the days of a sample: its end is exclusive, and an instantaneous value counts where it begins', async () => {
    const feed = await openFeed();
    const phone = await startPhone(service, feed.user.id, { key: feed.key });
    const cases = [
      ['steps', '2026-03-01T23:45:00Z', '2026-03-02T00:00:00Z', '2026-03-01'],
      ['steps', '2026-03-03T23:45:00Z', '2026-03-04T00:00:01Z', '2026-03-04'],
      ['steps', '2026-03-05T00:00:00Z', '2026-03-05T00:00:00Z', '2026-03-05'],
      ['heart_rate', '2026-03-07T23:45:00Z', '2026-03-08T00:05:00Z', '2026-03-07'],
    ] as const;
    for (const [metric, start, end] of cases) await phone.upload({ samples: [{ metric, start, end, value: 60 }] });
    await awaitPublished();
    const { events } = (await feed.api.get('/v1/events?event_type=data.updated')).body;
    assert.deepEqual(
      events.map((event: Record<string, string>) => [event.from_date, event.to_date]),
      cases.map(([, start, , last]) => [start.slice(0, 10), last]),
    );
  });

  it('200 with one event after an upload and one after the removal of its device', async () => {
    const feed = await openFeed();
    const phone = await startPhone(service, feed.user.id, { key: feed.key });
    await phone.upload({ samples: [{ metric: 'steps', start: '2026-03-01T08:00:00Z', value: 120 }] });
    const [device] = (await feed.api.get(`/v1/users/${feed.user.id}/devices`)).body.data;
    assert.equal((await feed.api.delete(`/v1/users/${feed.user.id}/devices/${device.id}`)).status, 204);
    await awaitPublished();
    const { events } = (await feed.api.get('/v1/events')).body;
    const brief = events.map((event: Record<string, unknown>) => [event.event_type, event.device_id, event.deleted]);
    assert.deepEqual(brief, [
      ['device.connected', device.id, undefined],
      ['data.updated', device.id, undefined],
      ['data.updated', device.id, true],
      ['device.disconnected', device.id, undefined],
    ]);
  });

  it('200 with filters, which may change between calls', async () => {
    const feed = await openFeed();
    const other = await createUser(feed.api);
    await feed.write(feed, feed.user.id, 2);
    await feed.write(feed, other.id, 1, { type: 'subject.synced' });
    await feed.write(feed, other.id, 2);
    const get = async (query: string) => (await feed.api.get(`/v1/events?${query}`)).body;
    assert.equal((await get(`user_id=${other.id}`)).events.length, 3);
    assert.equal((await get(`user_id=${other.id.toUpperCase()}`)).events.length, 3);
    assert.equal((await get('event_type=subject.synced')).events.length, 1);
    assert.equal((await get(`user_id=${other.id}&event_type=data.updated`)).events.length, 2);
    assert.equal((await get(`user_id=${feed.user.id}&event_type=subject.synced`)).events.length, 0);
    for (const type of EVENT_TYPES.filter((name) => !['data.updated', 'subject.synced'].includes(name)))
      assert.deepEqual((await get(`event_type=${type}`)).events, []);

    const first = await get(`user_id=${other.id}&limit=1`);
    assert.deepEqual([first.events.length, first.has_more], [1, true]);
    const rest = await get(`cursor=${first.cursor}`);
    assert.equal(rest.events.length, 2, 'the first filter skipped the events between');
    const none = await get(`event_type=device.failed`);
    assert.deepEqual(
      (await get(`cursor=${none.cursor}`)).events,
      [],
      'the last cursor is the same, whatever was filtered',
    );
  });

  it('200 without events for a user that is unknown, of another account, or not an id', async () => {
    const feed = await openFeed();
    await feed.write(feed, feed.user.id, 1);
    const foreign = await openFeed();
    await foreign.write(foreign, foreign.user.id, 1);
    for (const id of [ABSENT_ID, foreign.user.id, 'nobody']) {
      const answer = await feed.api.get(`/v1/events?user_id=${id}`);
      assert.deepEqual([answer.status, answer.body.events, answer.body.has_more], [200, [], false]);
      assert.deepEqual((await feed.api.get(`/v1/events?cursor=${answer.body.cursor}`)).body.events, []);
    }
  });

  it('200 with events of the key’s environment only', async () => {
    const feed = await openFeed();
    const { sandbox } = service.keys;
    await feed.write(feed, feed.user.id, 1);
    assert.deepEqual((await service.api(sandbox).get('/v1/events')).body.events, []);
  });

  it('400 for a limit out of bounds, an unknown type or parameter, and a cursor that is damaged or of another feed', async () => {
    const feed = await openFeed();
    for (const [query, path] of [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['limit=ten', 'limit'],
      ['event_type=data.lost', 'event_type'],
      ['event_type=data.updated,user.deleted', 'event_type'],
      ['page=2', 'page'],
      ['user_id=', 'user_id'],
      ['cursor=', 'cursor'],
    ] as const) {
      const answer = await feed.api.get(`/v1/events?${query}`);
      assert.deepEqual([answer.status, issuePaths(answer.body)], [400, [path]], query);
    }
    assert.equal((await feed.api.get('/v1/events?limit=1000')).status, 200);
    const own = (await feed.api.get('/v1/events')).body.cursor;
    const foreign = (await (await openFeed()).api.get('/v1/events')).body.cursor;
    for (const cursor of [foreign, `${own}A`, own.slice(1), 'x', '0']) {
      const answer = await feed.api.get(`/v1/events?cursor=${cursor}`);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_cursor'], cursor);
    }
  });

  it('402 while the account is past due', async () => {
    const account = await createAccount(service);
    const changed = await service
      .operator()
      .patch(`/admin/accounts/${encodeURIComponent(account.name)}`, { billing_status: 'past_due' });
    assert.equal(changed.status, 200, changed.text);
    const api = service.api(account.live);
    for (const path of ['/v1/events', '/v1/webhooks']) assert.equal((await api.get(path)).status, 402);
  });

  it('410 for a cursor whose events have been removed, with a cursor to continue from', async () => {
    const feed = await openFeed();
    const empty = (await feed.api.get('/v1/events')).body.cursor;
    await feed.write(feed, feed.user.id, 3);
    const behind = (await feed.api.get('/v1/events?limit=1')).body.cursor;
    const end = (await feed.api.get('/v1/events')).body.cursor;
    await db.query(`update feed_events set published_at = published_at - interval '91 days' where account_id = $1`, [
      feed.tenant.accountId,
    ]);
    await feed.write(feed, feed.user.id, 2);
    await tidyFeedJob.run(service.running.services, {});
    for (const cursor of [empty, behind]) {
      const answer = await feed.api.get(`/v1/events?cursor=${cursor}`);
      assert.deepEqual([answer.status, answer.body.error], [410, 'cursor_expired'], answer.text);
      const oldest = await feed.api.get(`/v1/events?cursor=${answer.body.details.oldest_cursor}`);
      assert.equal(oldest.body.events.length, 2);
    }
    assert.equal((await feed.api.get(`/v1/events?cursor=${end}`)).body.events.length, 2, 'nothing after it is gone');
    assert.equal((await feed.api.get('/v1/events')).body.events.length, 2, 'the beginning is the oldest kept event');
  });
});

describe('a deleted user', () => {
  it('has no events once the call returns, published or not, except user.deleted', async () => {
    const feed = await openFeed();
    const staying = await createUser(feed.api);
    await feed.write(feed, feed.user.id, 3);
    await feed.write(feed, staying.id, 1);
    await writeEvent(db, feed.tenant, feed.user.id); // may not be published yet
    const before = (await feed.api.get('/v1/events?limit=1')).body.cursor;
    assert.equal((await feed.api.delete(`/v1/users/${feed.user.id}`)).status, 202);
    const types = (body: { events: { event_type: string; user_id: string }[] }) =>
      body.events.filter(({ user_id }) => user_id === feed.user.id).map(({ event_type }) => event_type);
    const listed = types((await feed.api.get('/v1/events')).body);
    assert.ok(!listed.includes('data.updated'), 'at once');
    await awaitPublished();
    assert.deepEqual(types((await feed.api.get('/v1/events')).body), ['user.deleted']);
    assert.deepEqual(types((await feed.api.get(`/v1/events?cursor=${before}`)).body), ['user.deleted']);
    await waitUntil('the erasure', async () => {
      const rows = await db.query('select 1 from users where id = $1', [feed.user.id]);
      return rows.length === 0;
    });
    const left = await readStoredEvents(db, feed.user.id);
    assert.deepEqual(
      left.map(({ type }) => type),
      ['user.deleted'],
    );
    const { events } = (await feed.api.get('/v1/events?event_type=user.deleted')).body;
    assert.deepEqual([events[0].metrics, events[0].device_id], [[], null]);
    assert.equal((await feed.api.get(`/v1/events?user_id=${staying.id}`)).body.events.length, 1);
  });

  it('has no events left when it is deleted while they are being published', async () => {
    const feed = await openFeed();
    for (let round = 0; round < 20; round += 1) {
      const user = await createUser(feed.api);
      await Promise.all(Array.from({ length: 5 }, () => writeEvent(db, feed.tenant, user.id)));
      assert.equal((await feed.api.delete(`/v1/users/${user.id}`)).status, 202);
      const readTypes = async (): Promise<string[]> => {
        const { body } = await feed.api.get(`/v1/events?user_id=${user.id}`);
        return body.events.map(({ event_type }: { event_type: string }) => event_type);
      };
      assert.deepEqual(
        (await readTypes()).filter((type) => type !== 'user.deleted'),
        [],
        'at once',
      );
      const published = await waitUntil('user.deleted', async () => {
        const found = await readTypes();
        return found.length > 0 ? found : null;
      });
      assert.deepEqual(published, ['user.deleted']);
    }
  });
});
