// Tests deliveries: schedule, misbehaving receivers, pauses, deletion, the log. The tests move the clock instead of waiting.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { SERVICE_TIMEOUTS } from '../../src/compose.ts';
import type { AccountId, Tenant } from '../../src/domain/tenancy.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { removeDeliveriesJob, tidyDeliveriesJob } from '../../src/features/notify/webhooks/index.ts';
import { awaitRounds } from '../support/loop-rounds.ts';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { writeEvent } from '../support/test-events.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Answering, type Received, startSink } from '../support/webhook-sink.ts';

const clock = createMovableClock();
const environment = { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' };
const logLines: string[] = [];
const service = await startTestService({ clock, environment, logLines });
const sink = await startSink();
after(async () => {
  await sink.close();
  await service.stop();
});
const { db } = service.running.services;
let paths = 0;

type Scene = {
  readonly account: string;
  readonly api: TestApi;
  readonly tenant: Tenant;
  readonly webhook: JsonBody;
  readonly path: string;
  readonly userId: string;
  send(event?: object): Promise<void>;
  /** Deliveries of the webhook, newest first. */
  deliveries(query?: string): Promise<JsonBody[]>;
  /** Waits until the newest delivery has that many attempts, and returns it. */
  attempted(count: number): Promise<JsonBody>;
};

/** An account with one webhook whose receiver gives this response. */
async function setScene(answering?: Answering | number, fields: object = {}): Promise<Scene> {
  const account = await createAccount(service);
  const api = service.api(account.live);
  const path = `/scene-${++paths}`;
  if (answering !== undefined) sink.answer(path, answering);
  const made = await api.post('/v1/webhooks', { url: sink.url(path), events: ['*'], ...fields });
  assert.equal(made.status, 201, made.text);
  const webhook = made.body.data;
  const tenant = { accountId: account.id as AccountId, environment: 'live' as const };
  const { id: userId } = await createUser(api);
  const deliveries = async (query = '') => {
    const answer = await api.get(`/v1/webhooks/${webhook.id}/deliveries${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  return {
    account: account.name,
    api,
    tenant,
    webhook,
    path,
    userId,
    deliveries,
    send: (event) => writeEvent(db, tenant, userId, event),
    attempted: (count) =>
      waitUntil(`${count} attempts`, async () => {
        const [newest] = await deliveries();
        return newest && newest.attempts.length >= count ? newest : null;
      }),
  };
}

const readWebhook = async ({ api }: Scene) => (await api.get('/v1/webhooks')).body.data[0];
/** With the independent library. Its own check would compare with the real time, from which our clock was moved away. */
function signatureOf(secret: string, received: Received | undefined): string {
  const { headers, body } = received ?? { headers: {} as Received['headers'], body: '' };
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  return new Verifier(secret).sign(String(headers['webhook-id']), at, body);
}

/** Waits until everything due was published, claimed and sent, before asserting that nothing was sent. */
async function awaitAllSent({ webhook }: Scene): Promise<void> {
  await awaitRounds(service.running, ['publisher', 'dispatcher'], 3);
  const claimed = 'select 1 from webhook_deliveries where webhook_id = $1 and claim is not null';
  await waitUntil('no attempt is in flight', async () => (await db.query(claimed, [webhook.id])).length === 0);
}

describe('a delivery', () => {
  it('succeeds with any 2xx and is logged with its attempt', async () => {
    const scene = await setScene((response) => response.writeHead(201).end('thanks'));
    await scene.send();
    const delivery = await scene.attempted(1);
    const [received] = sink.at(scene.path);
    assert.equal(delivery.event_id, received?.headers['webhook-id']);
    assert.deepEqual(
      [delivery.status, delivery.event_type, delivery.webhook_id, delivery.next_attempt_at, delivery.test],
      ['succeeded', 'data.updated', scene.webhook.id, null, false],
    );
    const [{ attempted_at, duration_ms, ...attempt }] = delivery.attempts;
    assert.deepEqual(attempt, { status: 201, error: null, response_body: 'thanks' });
    assert.ok(duration_ms >= 0 && Math.abs(Date.parse(attempted_at) - clock.now().getTime()) < 60_000);
    assert.equal((await readWebhook(scene)).last_delivery_at !== null, true);
  });

  it('goes only to webhooks that subscribed to its type, in its environment', async () => {
    const scene = await setScene(204, { events: ['user.deleted', 'subject.synced'] });
    const other = await setScene();
    await scene.send({ type: 'device.connected' });
    await scene.send({ type: 'subject.synced' });
    await sink.wait(scene.path, 1);
    assert.deepEqual(
      (await scene.deliveries()).map((delivery: JsonBody) => delivery.event_type),
      ['subject.synced'],
    );
    assert.deepEqual(await other.deliveries(), []);
  });

  it('fails without another attempt if its type is unsubscribed; others and tests continue', async () => {
    const scene = await setScene(500);
    const base = `/v1/webhooks/${scene.webhook.id}`;
    await scene.send({ type: 'device.connected' });
    await scene.attempted(1);
    await scene.send({ type: 'subject.synced' });
    await waitUntil('both were tried', async () => {
      const tried = (await scene.deliveries()).filter(({ attempts }: JsonBody) => attempts.length === 1);
      return tried.length === 2;
    });
    assert.equal((await scene.api.patch(base, { description: 'the same types' })).status, 200);
    assert.equal((await scene.deliveries('?status=pending')).length, 2, 'no type was removed');
    assert.equal((await scene.api.patch(base, { status: 'disabled' })).status, 200);
    assert.equal((await scene.api.patch(base, { events: ['subject.synced'] })).status, 200);
    sink.answer(scene.path, 204);
    assert.equal((await scene.api.patch(base, { status: 'active' })).status, 200);
    clock.advance(MINUTE_MS);
    await waitUntil('nothing waits', async () => (await scene.deliveries('?status=pending')).length === 0);
    assert.deepEqual(
      (await scene.deliveries()).map((one: JsonBody) => [one.event_type, one.status, one.attempts.length]),
      [
        ['subject.synced', 'succeeded', 2],
        ['device.connected', 'failed', 1],
      ],
    );
    assert.equal((await scene.api.post(`${base}/test?event_type=device.connected`)).status, 202);
    assert.equal((await scene.attempted(1)).test, true);
  });

  it('has ten attempts by the schedule, with one id and a new signature each, and then fails', async () => {
    const scene = await setScene((response) => response.writeHead(500).end('no\0pe'));
    const delays = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((h) => h * HOUR_MS)];
    await scene.send();
    for (const [index, planned] of delays.entries()) {
      const delivery = await scene.attempted(index + 1);
      assert.equal(delivery.status, 'pending');
      const last = delivery.attempts[index];
      assert.deepEqual([last.status, last.error, last.response_body], [500, 'status', 'nope']);
      const waitMs = Date.parse(delivery.next_attempt_at) - Date.parse(last.attempted_at) - last.duration_ms;
      assert.ok(Math.abs(waitMs / planned - 1) <= 0.21, `attempt ${index + 2} after ${waitMs} ms`);
      clock.advance(waitMs - 2 * SECOND_MS);
      if (index === 2) {
        await awaitAllSent(scene);
        assert.equal(sink.at(scene.path).length, index + 1, 'not before its time');
      }
      clock.advance(3 * SECOND_MS);
    }
    const delivery = await scene.attempted(10);
    assert.deepEqual([delivery.status, delivery.next_attempt_at], ['failed', null]);
    clock.advance(3 * DAY_MS);
    await awaitAllSent(scene);
    const received = sink.at(scene.path);
    assert.equal(received.length, 10);
    assert.equal(new Set(received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size, 1);
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-signature'])).size, 10);
  });

  it('waits as long as Retry-After says', async () => {
    const scene = await setScene((response) => response.writeHead(503, { 'retry-after': '3600' }).end());
    await scene.send();
    const delivery = await scene.attempted(1);
    const waitMs = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempts[0].attempted_at);
    assert.ok(Math.abs(waitMs - HOUR_MS) < 30 * SECOND_MS, String(waitMs));
  });
});

describe('a receiver that misbehaves', () => {
  const cases: [string, Answering, number | null, string][] = [
    ['resets', (response) => response.socket?.resetAndDestroy(), null, 'connection'],
    ['redirects', (response) => response.writeHead(302, { location: sink.url('/elsewhere') }).end(), 302, 'redirect'],
    [
      'announces 10 GB',
      (response) => {
        response.writeHead(200, { 'content-length': String(10 * 1024 ** 3) });
        response.write('x');
      },
      200,
      'too_large',
    ],
    [
      'sends an endless body',
      (response) => {
        response.writeHead(200);
        const piece = Buffer.alloc(65_536, 120);
        const send = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', send);
        send();
      },
      200,
      'too_large',
    ],
    ['does not send HTTP', (response) => response.socket?.end('hello\r\n\r\n'), null, 'protocol'],
  ];
  for (const [name, answering, status, error] of cases) {
    it(`${name}: records a failed attempt and retries`, async () => {
      const scene = await setScene(answering);
      await scene.send();
      const delivery = await scene.attempted(1);
      assert.deepEqual([delivery.attempts[0].status, delivery.attempts[0].error], [status, error]);
      assert.deepEqual([delivery.status, delivery.attempts[0].response_body], ['pending', '']);
      assert.deepEqual(sink.at('/elsewhere'), []);
      sink.answer(scene.path, 204);
      clock.advance(7 * SECOND_MS);
      assert.equal((await scene.attempted(2)).status, 'succeeded');
    });
  }

  it('that hangs delays no other', async () => {
    const hanging = await setScene(() => undefined);
    for (let count = 0; count < 20; count += 1) await hanging.send();
    await sink.wait(hanging.path, 2);
    const healthy = await setScene();
    await healthy.send();
    await sink.wait(healthy.path, 1);
    assert.equal(
      sink.at(hanging.path).length,
      2,
      'an endpoint without a success gets a limited number of parallel attempts',
    );
    await hanging.api.delete(`/v1/webhooks/${hanging.webhook.id}`);
  });

  it('that hangs fails its attempt after 15 s, or after the time that a test sets', async () => {
    assert.equal(service.running.services.settings.deliveryTimeoutMs, 15_000);
    const timeouts = { ...SERVICE_TIMEOUTS, deliveryMs: SECOND_MS };
    const impatient = await startTestService({ environment, timeouts });
    try {
      const api = impatient.api();
      sink.answer('/hangs', () => undefined);
      const { id } = (await api.post('/v1/webhooks', { url: sink.url('/hangs'), events: ['*'] })).body.data;
      assert.equal((await api.post(`/v1/webhooks/${id}/test`)).status, 202);
      const [attempt] = await waitUntil('the end of the attempt', async () => {
        const [delivery] = (await api.get(`/v1/webhooks/${id}/deliveries`)).body.data;
        return delivery?.attempts.length > 0 ? delivery.attempts : null;
      });
      assert.deepEqual([attempt.status, attempt.error], [null, 'timeout']);
      assert.ok(attempt.duration_ms >= 0.9 * SECOND_MS, `${attempt.duration_ms} ms`);
    } finally {
      await impatient.stop();
    }
  });

  it('whose address was public at registration and is private now is rejected when connecting', async () => {
    const strict = await startTestService();
    try {
      const api = strict.api();
      const { id } = (await api.post('/v1/webhooks', { url: 'https://hooks.example/in', events: ['*'] })).body.data;
      const { services } = strict.running;
      const url = sink.url('/private').replace('127.0.0.1', '127.1');
      await services.db.query('update webhooks set url = $2 where id = $1', [id, url]);
      await api.post(`/v1/webhooks/${id}/test`);
      const delivery = await waitUntil('the attempt', async () => {
        const [newest] = (await api.get(`/v1/webhooks/${id}/deliveries`)).body.data;
        return newest.attempts.length > 0 ? newest : null;
      });
      assert.deepEqual([delivery.status, delivery.attempts[0].error], ['failed', 'refused_address']);
      assert.deepEqual(sink.at('/private'), []);
    } finally {
      await strict.stop();
    }
  });
});

describe('a webhook is disabled', () => {
  it('at once by 410, with the reason and a log line; pending deliveries are held', async () => {
    const scene = await setScene(410);
    await scene.send();
    await waitUntil('disabled', async () => (await readWebhook(scene)).status === 'disabled');
    assert.equal((await readWebhook(scene)).disabled_reason, 'gone');
    assert.ok(logLines.some((line) => line.includes(scene.webhook.id) && line.includes('410')));
    await scene.send();
    await awaitAllSent(scene);
    assert.equal(sink.at(scene.path).length, 1);
    assert.equal((await scene.deliveries()).length, 1, 'the feed has the later events');

    sink.answer(scene.path, 204);
    const enabled = await scene.api.patch(`/v1/webhooks/${scene.webhook.id}`, { status: 'active' });
    assert.deepEqual([enabled.body.data.status, enabled.body.data.disabled_reason], ['active', null]);
    await scene.send();
    await sink.wait(scene.path, 2);
  });

  it('not by a 410 of the URL that it had before; the delivery goes to the new one', async () => {
    let answerLate = () => {};
    const scene = await setScene((response) => {
      answerLate = () => response.writeHead(410).end();
    });
    await scene.send();
    await sink.wait(scene.path, 1);
    const moved = `${scene.path}-moved`;
    const { status } = await scene.api.patch(`/v1/webhooks/${scene.webhook.id}`, { url: sink.url(moved) });
    assert.equal(status, 200);
    answerLate();
    await sink.wait(moved, 1);
    const [delivery] = await waitUntil('a success', async () => {
      const deliveries = await scene.deliveries();
      return deliveries[0]?.status === 'succeeded' ? deliveries : undefined;
    });
    assert.deepEqual(
      delivery?.attempts.map((attempt: JsonBody) => attempt.status),
      [410, 204],
    );
    assert.equal((await readWebhook(scene)).status, 'active');
  });

  it('after five days of failures only, but not after one success in between', async () => {
    const failing = await setScene(500);
    const sporadic = await setScene((response) => response.writeHead(500).end());
    for (let day = 0; day < 5; day += 1) {
      for (const scene of [failing, sporadic]) {
        await scene.send();
        await scene.attempted(1);
      }
      if (day === 3) {
        sink.answer(sporadic.path, 204);
        await sporadic.send();
        await waitUntil('a success', async () => (await readWebhook(sporadic)).last_delivery_at !== null);
        sink.answer(sporadic.path, 500);
      }
      assert.equal((await readWebhook(failing)).status, 'active', `day ${day}`);
      clock.advance(DAY_MS + MINUTE_MS);
    }
    for (const scene of [failing, sporadic]) await scene.send();
    await waitUntil('disabled', async () => (await readWebhook(failing)).status === 'disabled');
    assert.equal((await readWebhook(failing)).disabled_reason, 'failing');
    assert.ok(logLines.some((line) => line.includes(failing.webhook.id) && line.includes('five days')));
    await sporadic.attempted(1);
    assert.equal((await readWebhook(sporadic)).status, 'active');
    await sporadic.api.delete(`/v1/webhooks/${sporadic.webhook.id}`);
  });
});

describe('a pause', () => {
  it('holds pending and new deliveries; both are sent later, except those older than their schedule', async () => {
    const scene = await setScene();
    const change = (status: string) => scene.api.patch(`/v1/webhooks/${scene.webhook.id}`, { status });
    assert.equal((await change('disabled')).body.data.disabled_reason, 'paused');
    await scene.send({ type: 'device.connected' });
    await waitUntil('a held delivery', async () => (await scene.deliveries()).length === 1);
    clock.advance(76 * HOUR_MS);
    await scene.send({ type: 'subject.synced' });
    await waitUntil('another', async () => (await scene.deliveries()).length === 2);
    await awaitAllSent(scene);
    assert.equal(sink.at(scene.path).length, 0);
    await change('active');
    await sink.wait(scene.path, 1);
    await waitUntil('both settled', async () => (await scene.deliveries('?status=pending')).length === 0);
    assert.deepEqual(
      (await scene.deliveries()).map(({ event_type, status, attempts }: JsonBody) => [
        event_type,
        status,
        attempts.length,
      ]),
      [
        ['subject.synced', 'succeeded', 1],
        ['device.connected', 'failed', 0],
      ],
    );
  });

  it('409 for a test and a retry meanwhile', async () => {
    const scene = await setScene();
    await scene.send();
    const { id } = await scene.attempted(1);
    await scene.api.patch(`/v1/webhooks/${scene.webhook.id}`, { status: 'disabled' });
    for (const path of ['test', `deliveries/${id}/retry`]) {
      const answer = await scene.api.post(`/v1/webhooks/${scene.webhook.id}/${path}`);
      assert.deepEqual([answer.status, answer.body.error], [409, 'webhook_disabled']);
      assert.deepEqual(answer.body.details, { disabled_reason: 'paused' });
    }
  });
});

describe('a webhook of a revoked key', () => {
  for (const before of ['active', 'paused', 'gone'] as const)
    it(`receives nothing from before it is enabled again (${before})`, async () => {
      const scene = await setScene(before === 'gone' ? 410 : 500);
      const operator = service.operator();
      const second = await operator.post('/admin/keys', {
        account: scene.account,
        environment: 'live',
        name: 'second',
      });
      const api = service.api(second.body.key);
      const witness = `${scene.path}-witness`;
      assert.equal((await api.post('/v1/webhooks', { url: sink.url(witness), events: ['*'] })).status, 201);
      const read = async (query = '') =>
        (await api.get(`/v1/webhooks/${scene.webhook.id}/deliveries${query}`)).body.data as JsonBody[];
      const change = (status: string) => api.patch(`/v1/webhooks/${scene.webhook.id}`, { status });

      await scene.send({ type: 'device.connected' });
      await sink.wait(scene.path, 1);
      await waitUntil('an attempt', async () => (await read())[0]?.attempts.length === 1);
      if (before === 'paused') await change('disabled');
      const ended = await operator.post('/admin/keys/revoke', {
        account: scene.account,
        environment: 'live',
        end_webhooks: true,
      });
      assert.equal(ended.body.ended.webhooks, 1, ended.text);
      const find = async () =>
        ((await api.get('/v1/webhooks')).body.data as JsonBody[]).find(({ id }) => id === scene.webhook.id);
      assert.equal((await find())?.disabled_reason, 'key_revoked');
      assert.deepEqual(
        (await read()).map(({ status }) => status),
        ['failed'],
        'pending deliveries are cancelled',
      );
      await change('disabled');
      assert.equal((await find())?.disabled_reason, 'key_revoked', 'a pause does not enable it');

      await scene.send({ type: 'subject.synced' });
      await sink.wait(witness, 2);
      assert.equal((await read()).length, 1, 'nothing is scheduled');
      sink.answer(scene.path, 204);
      assert.equal((await change('active')).body.data.disabled_reason, null);
      await scene.send();
      await sink.wait(scene.path, 2);
      await waitUntil('all settled', async () => (await read('?status=pending')).length === 0);
      assert.deepEqual(
        (await read()).map(({ event_type, status }) => [event_type, status]),
        [
          ['data.updated', 'succeeded'],
          ['device.connected', 'failed'],
        ],
      );
    });
});

describe('no attempt starts after the response', () => {
  const changes = {
    'a pause': () => ({ status: 'disabled' }),
    'another URL': () => ({ url: sink.url('/another-url') }),
    'other event types': () => ({ events: ['user.deleted'] }),
  };
  for (const what of ['DELETE', 'a pause', 'another URL', 'other event types'] as const) {
    it(`of ${what}, however many are in progress`, async () => {
      for (let round = 0; round < 10; round += 1) {
        const scene = await setScene((response) => setTimeout(() => response.writeHead(204).end(), 3));
        await Promise.all(Array.from({ length: 30 }, () => scene.send()));
        await sink.wait(scene.path, 1);
        await delay(round * 5);
        const path = `/v1/webhooks/${scene.webhook.id}`;
        const answer = await (what === 'DELETE' ? scene.api.delete(path) : scene.api.patch(path, changes[what]()));
        const answeredMs = performance.now();
        assert.ok(answer.status === 204 || answer.status === 200, answer.text);
        await awaitAllSent(scene);
        const late = sink.at(scene.path).filter(({ atMs }) => atMs > answeredMs);
        assert.deepEqual(late.length, 0, `round ${round}: ${late.map(({ atMs }) => atMs - answeredMs)} ms late`);
      }
    });
  }

  it('of DELETE, and pending deliveries are removed', async () => {
    const scene = await setScene(500);
    for (let count = 0; count < 3; count += 1) await scene.send();
    await waitUntil('three attempts', () => sink.at(scene.path).length === 3);
    await scene.api.delete(`/v1/webhooks/${scene.webhook.id}`);
    await removeDeliveriesJob.run(service.running.services, { webhook_id: scene.webhook.id });
    const rows = await db.query('select 1 from webhook_deliveries where webhook_id = $1', [scene.webhook.id]);
    assert.equal(rows.length, 0);
    clock.advance(HOUR_MS);
    await awaitAllSent(scene);
    assert.equal(sink.at(scene.path).length, 3);
  });
});

describe('the log of deliveries', () => {
  it('200 page by page, newest first, by status', async () => {
    const scene = await setScene();
    for (let count = 0; count < 5; count += 1) await scene.send();
    await waitUntil('five successes', async () => (await scene.deliveries('?status=succeeded')).length === 5);
    const all = (await scene.deliveries()).map(({ id }: JsonBody) => id);
    assert.deepEqual(all, all.toSorted().reverse());
    const base = `/v1/webhooks/${scene.webhook.id}/deliveries`;
    const first = (await scene.api.get(`${base}?limit=3`)).body;
    const second = (await scene.api.get(`${base}?limit=3&cursor=${first.next_cursor}`)).body;
    assert.deepEqual(
      [...first.data, ...second.data].map(({ id }: JsonBody) => id),
      all,
    );
    assert.equal(second.next_cursor, null);
    assert.deepEqual(await scene.deliveries('?status=failed'), []);
    const foreign = await scene.api.get(`${base}?status=failed&cursor=${first.next_cursor}`);
    assert.deepEqual([foreign.status, foreign.body.error], [400, 'invalid_cursor']);
    assert.equal((await scene.api.get(`${base}?status=lost`)).status, 400);
    assert.equal((await scene.api.get(`${base}?limit=101`)).status, 400);
  });

  it('202 and one more attempt, at once, of a delivery that is pending, failed or succeeded', async () => {
    const scene = await setScene(500);
    await scene.send();
    const { id } = await scene.attempted(1);
    const retry = () => scene.api.post(`/v1/webhooks/${scene.webhook.id}/deliveries/${id}/retry`);
    const answer = await retry();
    assert.equal(answer.status, 202, answer.text);
    assert.deepEqual([answer.body.data.id, answer.body.data.status], [id, 'pending']);
    await scene.attempted(2);
    sink.answer(scene.path, 204);
    await retry();
    assert.equal((await scene.attempted(3)).status, 'succeeded');
    await retry();
    assert.equal((await scene.attempted(4)).status, 'succeeded');
    assert.equal(new Set(sink.at(scene.path).map(({ headers }) => headers['webhook-id'])).size, 1);
    for (const unknown of [ABSENT_ID, 'x']) {
      const missing = await scene.api.post(`/v1/webhooks/${scene.webhook.id}/deliveries/${unknown}/retry`);
      assert.deepEqual([missing.status, missing.body.error], [404, 'not_found']);
      assert.ok(missing.body.message.includes(unknown));
    }
  });

  it('202 any number of times: the latest twenty attempts are kept', async () => {
    const scene = await setScene((response) => response.writeHead(500).end(String(sink.at(scene.path).length)));
    await scene.send();
    const { id } = await scene.attempted(1);
    const latest = async () => Number((await scene.deliveries())[0].attempts.at(-1).response_body);
    for (let made = 1; made < 23; made += 1) {
      assert.equal((await scene.api.post(`/v1/webhooks/${scene.webhook.id}/deliveries/${id}/retry`)).status, 202);
      await waitUntil('one more attempt', async () => (await latest()) === made + 1);
    }
    const [{ attempts, status }] = await scene.deliveries();
    assert.deepEqual(
      attempts.map(({ response_body }: JsonBody) => Number(response_body)),
      Array.from({ length: 20 }, (_, index) => index + 4),
    );
    assert.equal(status, 'failed', 'the schedule counts deleted attempts too');
  });

  it('202 for a test event: sent once, marked, in no feed', async () => {
    const scene = await setScene(500, { events: ['subject.synced'] });
    for (const [query, type] of [
      ['', 'subject.synced'],
      ['?event_type=user.deleted', 'user.deleted'],
    ] as const) {
      const answer = await scene.api.post(`/v1/webhooks/${scene.webhook.id}/test${query}`);
      assert.equal(answer.status, 202, answer.text);
      assert.deepEqual([answer.body.data.test, answer.body.data.event_type], [true, type]);
      const delivery = await waitUntil('its attempt', async () =>
        (await scene.deliveries()).find(
          ({ id, attempts }: JsonBody) => id === answer.body.data.id && attempts.length === 1,
        ),
      );
      assert.equal(delivery.status, 'failed');
      const received = sink.at(scene.path).at(-1);
      const event = JSON.parse(received?.body ?? '{}');
      assert.deepEqual([event.test, event.event_type, event.event_id], [true, type, delivery.event_id]);
      assert.equal(received?.headers['webhook-signature'], signatureOf(scene.webhook.secret, received));
    }
    assert.deepEqual((await scene.api.get('/v1/events')).body.events, []);
    assert.equal((await scene.api.post(`/v1/webhooks/${scene.webhook.id}/test?event_type=x`)).status, 400);
  });

  it('deletes entries older than a month', async () => {
    const scene = await setScene();
    await scene.send();
    await scene.attempted(1);
    await db.query(`update webhook_deliveries set created_at = created_at - interval '31 days' where webhook_id = $1`, [
      scene.webhook.id,
    ]);
    await scene.send();
    await waitUntil('two', async () => (await scene.deliveries()).length === 2);
    await tidyDeliveriesJob.run(service.running.services, {});
    assert.equal((await scene.deliveries()).length, 1);
  });
});

describe('a new secret', () => {
  it('signs at once, together with the previous one for a day', async () => {
    const scene = await setScene();
    const rotated = (await scene.api.post(`/v1/webhooks/${scene.webhook.id}/rotate-secret`)).body.data;
    await scene.send();
    const [first] = await sink.wait(scene.path, 1);
    const signatures = String(first?.headers['webhook-signature']).split(' ');
    assert.deepEqual(signatures, [signatureOf(rotated.secret, first), signatureOf(scene.webhook.secret, first)]);
    clock.advance(DAY_MS + SECOND_MS);
    await scene.send();
    const [, second] = await sink.wait(scene.path, 2);
    assert.equal(second?.headers['webhook-signature'], signatureOf(rotated.secret, second));
  });

  it('leaves every secret its day if it is rotated again', async () => {
    const scene = await setScene();
    const rotate = async () =>
      (await scene.api.post(`/v1/webhooks/${scene.webhook.id}/rotate-secret`)).body.data.secret as string;
    const second = await rotate();
    clock.advance(HOUR_MS);
    const third = await rotate();
    const signaturesOf = async (count: number) => {
      await scene.send();
      const received = (await sink.wait(scene.path, count))[count - 1];
      const signatures = String(received?.headers['webhook-signature']).split(' ');
      return { signatures, expected: (...secrets: string[]) => secrets.map((one) => signatureOf(one, received)) };
    };
    const both = await signaturesOf(1);
    assert.deepEqual(both.signatures, both.expected(third, second, scene.webhook.secret));
    clock.advance(DAY_MS - HOUR_MS);
    const later = await signaturesOf(2);
    assert.deepEqual(later.signatures, later.expected(third, second));
    clock.advance(HOUR_MS);
    const last = await signaturesOf(3);
    assert.deepEqual(last.signatures, last.expected(third));
  });
});

describe('a deleted user', () => {
  it('has only user.deleted: pending deliveries are not sent', async () => {
    const scene = await setScene(500);
    await scene.send();
    await scene.attempted(1);
    sink.answer(scene.path, 204);
    assert.equal((await scene.api.delete(`/v1/users/${scene.userId}`)).status, 202);
    await awaitAllSent(scene); // a minute later, an attempt in flight counts as lost and is repeated
    clock.advance(MINUTE_MS);
    const received = await sink.wait(scene.path, 2);
    assert.equal(JSON.parse(received[1]?.body ?? '{}').event_type, 'user.deleted');
    await awaitAllSent(scene);
    assert.equal(sink.at(scene.path).length, 2);
    const types = (await scene.deliveries()).map(({ event_type }: JsonBody) => event_type);
    assert.deepEqual(types, ['user.deleted']);
  });
});
