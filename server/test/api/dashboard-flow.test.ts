// Tests what the dashboard shows of events and webhooks: lists, the live stream, health, recovery and the overview.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { METRICS } from '../../src/domain/metrics/index.ts';
import { parseScrape, seriesValue } from '../support/scrape.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const LIMIT_MS = 30_000;
const service = await startTestService({ environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
const sink = await startSink();
after(async () => {
  await service.stop();
  await sink.close();
});
const { services } = service.running;
const PREFIX = '/dashboard/api/live';

async function openAccount() {
  const account = await createAccount(service);
  const { cookie } = await createMember(service, account.name, 'developer');
  const api = service.api(account.live);
  const user = await createUser(api, { external_ref: 'ada' });
  const register = async (path: string, status: number) => {
    sink.answer(path, status);
    return (await api.post('/v1/webhooks', { url: sink.url(path), events: ['*'], description: path })).body.data;
  };
  const trigger = (
    type = 'data.updated',
    metrics: string[] | undefined = type === 'data.updated' ? ['steps'] : undefined,
  ) => service.operator().post('/admin/events', { event_type: type, user_id: user.id, metrics });
  return { account, api, user, register, trigger, cookie, member: memberApi(service, cookie) };
}

async function countEvents(accountId: string): Promise<number> {
  return (await services.db.query('select 1 from feed_events where account_id = $1', [accountId])).length;
}

const until = (what: string, read: () => Promise<unknown>) => waitUntil(what, read, LIMIT_MS) as Promise<JsonBody>;

describe('GET /dashboard/api/{environment}/events', () => {
  it('200 lists events newest first, with the reference and the deliveries', async () => {
    const { member, register, trigger, user } = await openAccount();
    const webhook = await register('/events', 204);
    await trigger();
    await trigger('score.updated');
    const events = await until('both events delivered', async () => {
      const { data } = (await member.get(`${PREFIX}/events`)).body;
      return data.length === 2 && data.every((event: JsonBody) => event.deliveries[0]?.status === 'succeeded') && data;
    });
    assert.deepEqual(
      events.map((event: JsonBody) => [event.type, event.reference_id, event.user_id, event.deliveries[0].webhook_id]),
      [
        ['score.updated', 'ada', user.id, webhook.id],
        ['data.updated', 'ada', user.id, webhook.id],
      ],
    );
    const older = await member.get(`${PREFIX}/events?before=${events[0].position}&types=data.updated`);
    assert.deepEqual([older.body.data.length, older.body.has_more], [1, false]);
    assert.equal((await member.get(`${PREFIX}/events?types=nonsense`)).status, 400);
  });

  it('200 lists the events of users that a text finds', async () => {
    const { member, api, trigger, user } = await openAccount();
    const other = await createUser(api, { external_ref: 'bela' });
    await trigger();
    await service.operator().post('/admin/events', { event_type: 'score.updated', user_id: other.id });
    await until('both events', async () => (await member.get(`${PREFIX}/events`)).body.data.length === 2);
    const { body } = await member.get(`${PREFIX}/events?q=AD`);
    assert.deepEqual([body.data.map((event: JsonBody) => event.reference_id), body.user_ids], [['ada'], [user.id]]);
    const both = await member.get(`${PREFIX}/events?q=bel&types=score.updated&user_id=${other.id}`);
    assert.deepEqual(
      both.body.data.map((event: JsonBody) => event.reference_id),
      ['bela'],
    );
    const nobody = await member.get(`${PREFIX}/events?q=nobody`);
    assert.deepEqual([nobody.body.data, nobody.body.user_ids], [[], []]);
  });
});

describe('GET /dashboard/api/{environment}/events/{event_id}', () => {
  it('200 returns the event, and 404 that of another account', async () => {
    const { member, trigger } = await openAccount();
    await trigger();
    await trigger('score.updated');
    const [newest, first] = await until('both events', async () => {
      const { data } = (await member.get(`${PREFIX}/events`)).body;
      return data.length === 2 && data;
    });
    assert.deepEqual((await member.get(`${PREFIX}/events/${first.id}`)).body.data, first);
    assert.equal((await member.get(`${PREFIX}/events/${newest.id}`)).body.data.type, 'score.updated');
    const other = await openAccount();
    assert.equal((await other.member.get(`${PREFIX}/events/${first.id}`)).status, 404);
    assert.equal((await member.get(`${PREFIX}/events/nonsense`)).status, 404);
  });
});

describe('webhooks on the dashboard', () => {
  it('200 shows a failing webhook with what waits, its deliveries and the headers of an attempt', async () => {
    const { member, register, trigger, user } = await openAccount();
    const webhook = await register('/failing', 500);
    await trigger();
    const health = await until('a failed attempt', async () => {
      const { data } = (await member.get(`${PREFIX}/webhooks/${webhook.id}`)).body;
      return data.health.failing_since !== null && data.health;
    });
    assert.equal(health.waiting, 1);
    assert.equal(health.strip[0].last_status, 500);
    assert.deepEqual([health.last_failure.status, health.last_failure.error], [500, 'status']);
    await services.usage.flush();
    const { hours } = (await member.get(`${PREFIX}/webhooks/${webhook.id}`)).body.data.health;
    assert.equal(hours.length, 24);
    assert.deepEqual(hours.at(-1), { n: 1, bad: 1 });
    assert.equal(Date.parse(health.disables_at) - Date.parse(health.failing_since), 5 * 86_400_000);
    const [delivery] = (await member.get(`${PREFIX}/deliveries?status=retrying`)).body.data;
    assert.deepEqual([delivery.webhook_id, delivery.reference_id], [webhook.id, 'ada']);
    assert.deepEqual(delivery.summary.metrics, ['steps']);
    const count = async (query: string) => (await member.get(`${PREFIX}/deliveries?${query}`)).body.data.length;
    assert.deepEqual([await count('user=ada'), await count(`user=${user.id}`), await count('user=eva')], [1, 1, 0]);
    const { data } = (await member.get(`${PREFIX}/deliveries/${delivery.id}`)).body;
    const headers = Object.fromEntries(
      data.attempts[0].request_headers.map(({ name, value }: JsonBody) => [name, value]),
    );
    const sent = sink.at('/failing')[0];
    assert.deepEqual(headers['webhook-signature'], sent?.headers['webhook-signature']);
    assert.equal(data.body, sent?.body);
    assert.ok(new StandardWebhook(webhook.secret).verify(data.body, headers));
    assert.equal(data.retry_delays_ms.length, 9);
    const found = await member.get(`${PREFIX}/search?q=${delivery.id}`);
    assert.equal(found.status, 200);
    assert.equal((await member.get(`${PREFIX}/deliveries/${delivery.id}`)).status, 200);
  });

  it('recovers failed deliveries, and a dry run only counts them', async () => {
    const { member, register, trigger } = await openAccount();
    const webhook = await register('/recover', 500);
    const since = new Date(Date.now() - 60_000).toISOString();
    for (let count = 0; count < 3; count += 1) await trigger();
    await until('three failed attempts', async () => sink.at('/recover').length >= 3);
    await until('the outcomes', async () => {
      const { data } = (await member.get(`${PREFIX}/deliveries?webhook_id=${webhook.id}&status=retrying`)).body;
      return data.length === 3;
    });
    await services.db.query(
      `update webhook_deliveries set status = 'failed', due_at = null, claim = null where webhook_id = $1`,
      [webhook.id],
    );
    sink.answer('/recover', 204);
    const path = `${PREFIX}/webhooks/${webhook.id}/recover`;
    assert.deepEqual((await member.post(path, { since, dry_run: true })).body, { count: 3, dry_run: true });
    assert.deepEqual((await member.post(path, { since })).body, { count: 3, dry_run: false });
    await until('all delivered', async () => {
      const { data } = (await member.get(`${PREFIX}/deliveries?webhook_id=${webhook.id}&status=succeeded`)).body;
      return data.length === 3;
    });
  });

  it('404 for a webhook or delivery of another account', async () => {
    const { register, trigger, member } = await openAccount();
    const other = await openAccount();
    const webhook = await register('/mine', 204);
    await trigger();
    const [delivery] = await until('a delivery', async () => {
      const { data } = (await member.get(`${PREFIX}/deliveries`)).body;
      return data.length > 0 && data;
    });
    const since = new Date().toISOString();
    assert.equal((await other.member.get(`${PREFIX}/webhooks/${webhook.id}`)).status, 404);
    assert.equal((await other.member.get(`${PREFIX}/deliveries/${delivery.id}`)).status, 404);
    assert.equal((await other.member.post(`${PREFIX}/webhooks/${webhook.id}/recover`, { since })).status, 404);
    assert.deepEqual((await other.member.get(`${PREFIX}/deliveries?webhook_id=${webhook.id}`)).body.data, []);
  });
});

describe('GET /dashboard/api/{environment}/overview', () => {
  it('200 names a failing webhook first, with its cause and what waits, and 304 for the same version', async () => {
    const { member, register, trigger } = await openAccount();
    const webhook = await register('/plug', 503);
    await trigger();
    await until('a failed attempt', async () => {
      const { data } = (await member.get(`${PREFIX}/webhooks/${webhook.id}`)).body;
      return data.health.failing_since !== null;
    });
    await services.usage.flush();
    const { status, body, headers } = await member.get(`${PREFIX}/overview?range=day`);
    assert.equal(status, 200);
    const [first] = body.attention;
    assert.deepEqual(
      [first.kind, first.level, first.subject, first.name, first.cause, first.count],
      ['webhook_failing', 'bad', webhook.id, '/plug', '503', 1],
    );
    assert.equal(body.flow.outlets[0].waiting, 1);
    assert.equal(body.flow.events, 1);
    assert.deepEqual([body.series.bucket_ms, body.series.events.n.length], [3_600_000, 24]);
    assert.equal(body.series.events.n.at(-1), 1);
    assert.deepEqual(body.flow.types, [{ type: 'data.updated', n: 1 }]);
    assert.equal(body.users, 1);
    const again = await member.get(`${PREFIX}/overview?range=day`, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    assert.equal(again.status, 304);
  });
});

describe('GET /dashboard/api/{environment}/first-steps', () => {
  it('200 ticks what the request log has seen', async () => {
    const { member, api, user } = await openAccount();
    await services.requestLog.flush();
    const before = (await member.get(`${PREFIX}/first-steps`)).body;
    assert.equal(before.created.status, 201);
    assert.deepEqual([before.explained, before.is_listening, before.is_connected], [null, false, false]);
    await api.get(`/v1/users/${user.id}/daily/explain?metric=steps&date=2026-03-01`);
    await api.get('/v1/events');
    await services.requestLog.flush();
    const later = (await member.get(`${PREFIX}/first-steps`)).body;
    assert.equal(later.explained.status, 200);
    assert.equal(later.is_listening, true);
  });
});

describe('GET /dashboard/api/{environment}/live', () => {
  it('200 streams events, calls and webhooks, and continues after Last-Event-ID', async () => {
    const { cookie, api, trigger, register } = await openAccount();
    await register('/live', 204);
    const first = await openStream(cookie);
    await trigger();
    await api.get('/v1/users');
    await until(
      'an event, a call and a delivery',
      async () => first.names().length >= 3 && first.has('event') && first.has('request') && first.has('deliveries'),
    );
    const lastId = first.lastId();
    await first.close();
    await trigger('score.updated');
    await until('the event is published', async () =>
      services.db.query('select 1 from event_outbox').then((rows) => rows.length === 0),
    );
    const second = await openStream(cookie, lastId);
    await until('the missed event', async () => second.text().includes('score.updated'));
    assert.ok(!second.text().includes('"type":"data.updated"'));
    await second.close();
  });

  it('is observed when its reader disconnects, as every response that is cut off', async () => {
    const { cookie } = await createMember(service, 'default', 'viewer');
    const before = await readLiveTimes();
    const stream = await openStream(cookie);
    await stream.close();
    await waitUntil('the request is counted', async () => (await readLiveTimes()).count > before.count, LIMIT_MS);
  });

  it('is observed with the time until its first byte, not with how long it was open', async () => {
    const { cookie } = await createMember(service, 'default', 'viewer');
    const before = await readLiveTimes();
    const startMs = performance.now();
    const stream = await openStream(cookie);
    const openedMs = performance.now() - startMs;
    await waitUntil('a longer time', async () => performance.now() - startMs > 2 * openedMs, LIMIT_MS);
    await stream.close();
    await waitUntil('the request is counted', async () => (await readLiveTimes()).count > before.count, LIMIT_MS);
    const seconds = (await readLiveTimes()).seconds - before.seconds;
    assert.ok(seconds * 1_000 <= openedMs, `${seconds} s, opened in ${openedMs} ms`);
  });

  it('ends before the next event if its session ended or shows another account', async () => {
    const { account, trigger, cookie } = await openAccount();
    const owner = memberApi(service, (await createMember(service, account.name, 'owner')).cookie);
    const [removed, kept] = [await createMember(service, account.name, 'viewer'), await openStream(cookie)];
    const signedOut = await createMember(service, account.name, 'viewer');
    const streams = [await openStream(removed.cookie), await openStream(signedOut.cookie)];
    assert.equal((await owner.delete(`/dashboard/api/members/${removed.memberId}`)).status, 204);
    assert.equal((await memberApi(service, signedOut.cookie).delete('/dashboard/api/session')).status, 204);
    await trigger();
    await until('the event', async () => kept.has('event'));
    for (const stream of streams) await until('the end of the stream', async () => stream.hasEnded());
    for (const stream of streams) assert.ok(!stream.has('event'), stream.text());
    await kept.close();
  });

  it('continues with the newest of many missed events, each of them long', async () => {
    const { account, user, trigger, cookie } = await openAccount();
    const metrics = METRICS.slice(0, 60).map(({ id }) => id);
    await trigger('data.updated', metrics);
    await until('the event is published', async () => (await countEvents(account.id)) === 1);
    await services.db.query(
      `with head as (update feed_heads set position = 701 where account_id = $1 and environment = 'live')
       insert into feed_events (account_id, environment, position, id, user_id, type, body, published_at)
       select account_id, environment, n, gen_random_uuid(), user_id, type, body, published_at
         from feed_events, generate_series(2, 701) n where user_id = $2 and position = 1`,
      [account.id, user.id],
    );
    const stream = await openStream(cookie, 'e1r0');
    await until('the newest event', async () => stream.text().includes('"position":701,'));
    const positions = [...stream.text().matchAll(/"position":(\d+),/g)].map(([, position]) => Number(position));
    assert.deepEqual(
      positions,
      Array.from({ length: 500 }, (_, index) => 202 + index),
    );
    await stream.close();
  });

  it('continues behind any message of a round that was cut off', async () => {
    const { account, api, trigger, cookie } = await openAccount();
    const countCalls = async () => {
      const rows = await services.db.query<{ size: number }>('select size from request_blocks where account_id = $1', [
        account.id,
      ]);
      return rows.reduce((sum, { size }) => sum + size, 0);
    };
    for (const metric of ['steps', 'heart_rate', 'weight']) await trigger('data.updated', [metric]);
    await until('the events', async () => (await countEvents(account.id)) === 3);
    const calls = await countCalls();
    for (let call = 0; call < 3; call += 1) await api.get('/v1/users');
    await until('the calls', async () => (await countCalls()) >= calls + 3);
    const whole = await openStream(cookie, 'e0r0');
    const messages = whole.entries();
    await whole.close();
    assert.ok(messages.length > 6);
    for (const [index, { id }] of messages.entries()) {
      const rest = await openStream(cookie, id);
      assert.deepEqual(
        rest.entries().map(({ data }) => data),
        messages.slice(index + 1).map(({ data }) => data),
        `after message ${index}`,
      );
      await rest.close();
    }
  });

  it('200 for HEAD, which opens no stream', async () => {
    const { member } = await openAccount();
    for (let count = 0; count < 6; count += 1) {
      const { status, headers } = await member.call('HEAD', `${PREFIX}/live?topics=events`);
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream']);
    }
  });

  it('429 for a fifth stream of a member', async () => {
    const { cookie } = await openAccount();
    const streams = await Promise.all(Array.from({ length: 4 }, () => openStream(cookie)));
    const fifth = await fetch(`${service.url}${PREFIX}/live?topics=events`, { headers: { cookie } });
    assert.equal(fifth.status, 429);
    await Promise.all(streams.map((stream) => stream.close()));
  });
});

async function readLiveTimes(): Promise<{ count: number; seconds: number }> {
  const metrics = parseScrape(await (await fetch(`${service.url}/metrics`)).text());
  const labels = { route: '/dashboard/api/:environment/live', status: '200' };
  const read = (part: string) => seriesValue(metrics, `tributary_http_request_seconds_${part}`, labels) ?? 0;
  return { count: read('count'), seconds: read('sum') };
}

async function openStream(cookie: string, lastId?: string) {
  const abort = new AbortController();
  const response = await fetch(`${service.url}${PREFIX}/live?topics=events,requests,deliveries`, {
    headers: { cookie, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    signal: abort.signal,
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  let [text, hasEnded] = ['', false];
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array);
    hasEnded = true;
  })().catch(() => undefined);
  const names = () => [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  await waitUntil('the stream opens', () => names().includes('open'), LIMIT_MS);
  return {
    text: () => text,
    hasEnded: () => hasEnded,
    names,
    has: (name: string) => names().includes(name),
    /** Events and calls. */
    entries: () =>
      [...text.matchAll(/^id: (\w+)\nevent: (?:event|request)\ndata: (.+)\n\n/gm)].map(([, id = '', data]) => ({
        id,
        data,
      })),
    lastId: () => [...text.matchAll(/^id: (\w+)$/gm)].at(-1)?.[1],
    async close() {
      abort.abort();
      await reading;
    },
  };
}
