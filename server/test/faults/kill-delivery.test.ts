// kill -9 while events are written, published and delivered: each event of an acknowledged upload is in the feed once and
// reaches the receiver at least once, and a reader who continues from its cursor misses none.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { DELIVERY_CLAIM_MS } from '../../src/features/notify/webhooks/claim-times.ts';
import { assertSameState } from '../support/assert-same-state.ts';
import {
  apiOf,
  listDatabasePids,
  openServiceHarness,
  queryEmbedded,
  type ReadyService,
  waitFor,
} from '../support/service-process.ts';
import { createApi, type JsonBody, type TestApi } from '../support/test-api.ts';
import { startSink, type WebhookSink } from '../support/webhook-sink.ts';
import { planKills } from './kill-plan.ts';
import { createRandom, type Random } from './random.ts';

const KILLS = planKills({ inProof: 200 });
const SEED = Number(process.env.FAULT_SEED ?? 1);
const PHONES = 4;
const FAIL_EVERY = 23; // the receiver resets one of this many requests
const RETRIES_MS = 60_000; // one or two retries, on a busy machine

const WHAT_WAITS = `select now(), w.due_at as looked_at, d.id, d.due_at, d.claimed_until, d.attempts
  from webhook_deliveries d join webhooks w on w.id = d.webhook_id where d.status <> 'succeeded' limit 20`;

type Phone = {
  readonly userId: string;
  readonly token: string;
  requested: number;
  acknowledged: number;
  /** Uploads whose connection broke. */
  unanswered: number;
};

describe('kill -9 between the event and its receiver', () => {
  it(`publishes once and delivers at least once over ${KILLS.description}`, async (t) => {
    const harness = await openServiceHarness(t);
    const random = createRandom(t, SEED);
    const sink = await startSink();
    t.after(() => sink.close());
    const reset = new Set<string | string[] | undefined>(); // each once, because the second retry comes after five minutes
    sink.answer('/hook', (response) => {
      const id = sink.received.at(-1)?.headers['webhook-id'];
      if (sink.received.length % FAIL_EVERY !== 0 || reset.has(id)) return void response.writeHead(204).end();
      reset.add(id);
      response.socket?.resetAndDestroy();
    });
    const environment = { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' };
    const start = () => harness.start({ environment }).ready();
    let service = await start();
    const key = service.keys.live;
    const webhook = await registerWebhook(service, sink);
    const phones = await Promise.all(Array.from({ length: PHONES }, (_, index) => openPhone(service, index)));
    const reader = { cursor: '', seen: [] as JsonBody[] };

    let lost = 0;
    for (let round = 0; KILLS.goesOn(); round += 1) {
      const unanswered = await killUnderLoad(service, key, { phones, reader, random, round });
      const killedAt = new Date();
      service = await start();
      const claims = await endLostClaims(harness.dataDir, killedAt);
      lost += claims;
      KILLS.count(unanswered > 0 && claims > 0);
    }
    KILLS.assertHit();
    await waitFor('all events are published', RETRIES_MS, async () => {
      const [row] = await queryEmbedded<{ waits: boolean }>(
        harness.dataDir,
        'select exists (select from event_outbox) as waits',
      );
      return row?.waits === false;
    });
    await followFeed(service, key, reader);
    verifyFeed(await readWholeFeed(service, key), reader.seen, phones);
    await waitFor('all events were received', RETRIES_MS, async () => {
      const received = new Set(sink.at('/hook').map(({ headers }) => headers['webhook-id']));
      const isComplete = reader.seen.every(({ event_id }) => received.has(event_id));
      if (!isComplete) await retryFailedTwice(apiOf(service, key), webhook.id);
      return isComplete;
    }).catch(async (error) => {
      const waiting = await queryEmbedded(harness.dataDir, WHAT_WAITS);
      throw new Error(`still to come: ${JSON.stringify(waiting)}`, { cause: error });
    });
    verifyDeliveries(sink, reader.seen, webhook.secret);
    const requests = sink.at('/hook').length;
    t.diagnostic(`${reader.seen.length} events, ${requests} requests, ${sum(phones)} acknowledged uploads`);
    t.diagnostic(
      `${KILLS.hits()} kills met uploads and deliveries; ${lost} deliveries were claimed by a killed service`,
    );
  });
});

/** As if DELIVERY_CLAIM_MS had passed since the kill; claims.db.test.ts tests that time. Returns the number of claims. */
async function endLostClaims(dataDir: string, killedAt: Date): Promise<number> {
  const ended = await queryEmbedded(
    dataDir,
    `with lost as (
       update webhook_deliveries set claimed_until = now()
        where claim is not null and claimed_until < $1::timestamptz returning webhook_id)
     update webhooks set due_at = now() where id in (select webhook_id from lost) returning (select count(*)::int from lost) as count`,
    [new Date(killedAt.getTime() + DELIVERY_CLAIM_MS)],
  );
  return Number(ended[0]?.count ?? 0);
}

async function registerWebhook(service: ReadyService, sink: WebhookSink): Promise<JsonBody> {
  const made = await apiOf(service).post('/v1/webhooks', { url: sink.url('/hook'), events: ['*'] });
  assert.equal(made.status, 201, made.text);
  return made.body.data;
}

/** Makes retries due, which would otherwise wait five minutes; a kill may have broken one of the two connections. */
async function retryFailedTwice(api: TestApi, webhookId: string): Promise<void> {
  const path = `/v1/webhooks/${webhookId}/deliveries`;
  const pending = await api.get(`${path}?status=pending&limit=100`);
  assert.ok([200, 429].includes(pending.status), pending.text);
  for (const { id, attempts } of pending.body.data ?? [])
    if (attempts.length >= 2) await api.post(`${path}/${id}/retry`);
}

async function openPhone(service: ReadyService, index: number): Promise<Phone> {
  const api = apiOf(service);
  const user = await api.post('/v1/users', { reference_id: `person ${index}` });
  const session = await api.post(
    `/v1/users/${user.body.data.id}/sdk-sessions`,
    { installation_id: randomUUID(), platform: 'ios' },
    { headers: { 'idempotency-key': randomUUID() } },
  );
  const exchanged = await apiOf(service, null).post('/v1/sdk/sessions/exchange', {
    client_token: session.body.client_token,
  });
  assert.equal(exchanged.status, 200, exchanged.text);
  return {
    userId: user.body.data.id,
    token: exchanged.body.access_token,
    requested: 0,
    acknowledged: 0,
    unanswered: 0,
  };
}

type Load = {
  readonly phones: readonly Phone[];
  readonly reader: { cursor: string; seen: JsonBody[] };
  readonly random: Random;
  readonly round: number;
};

/**
 * Phones upload and a reader polls until the service is killed; every second time together with its database. Returns the number of
 * uploads in progress.
 */
async function killUnderLoad(
  service: ReadyService,
  key: string,
  { phones, reader, random, round }: Load,
): Promise<number> {
  const unansweredBefore = countUnanswered(phones);
  const clients = phones.map(async (phone) => {
    while (!service.hasExited()) await upload(service, phone);
  });
  const polling = (async () => {
    while (!service.hasExited()) {
      await readPage(service, key, reader).catch(forgiveLostConnection);
      await delay(5);
    }
  })();
  const goal = sum(phones) + random.integer(1, 40);
  await waitFor(`${goal} uploads`, RETRIES_MS, async () => sum(phones) >= goal);
  await delay(random.integer(0, 250)); // at any point of the publisher's and the dispatcher's rounds
  const database = round % 2 === 1 ? await listDatabasePids(service.dataDir) : [];
  service.signal('SIGKILL');
  for (const pid of database) killIfThere(pid);
  await service.exited;
  await Promise.all([...clients, polling]);
  return countUnanswered(phones) - unansweredBefore;
}

/** Each is for another hour, so that each changes something. */
async function upload(service: ReadyService, phone: Phone): Promise<void> {
  const start = new Date(Date.UTC(2024, 0, 1, phone.requested++)).toISOString();
  const body = {
    upload_id: randomUUID(),
    source: { provider: 'apple_health', id: 'watch' },
    samples: [{ metric: 'heart_rate', start, value: 60 }],
  };
  const answer = await createApi(service.url, phone.token).post('/v1/sdk/uploads', body).catch(forgiveLostConnection);
  if (answer === null) phone.unanswered += 1;
  else if (answer.status === 200) phone.acknowledged += 1;
  else if (answer.status === 429) await delay(50);
  else assert.equal(answer.status, 503, answer.text);
}

async function readPage(service: ReadyService, key: string, reader: Load['reader']): Promise<boolean> {
  const query = reader.cursor === '' ? '' : `&cursor=${reader.cursor}`;
  const answer = await apiOf(service, key).get(`/v1/events?limit=50${query}`);
  if (answer.status !== 200) {
    assert.ok([429, 503].includes(answer.status), answer.text);
    return true;
  }
  reader.seen.push(...answer.body.events);
  reader.cursor = answer.body.cursor;
  return answer.body.has_more;
}

async function followFeed(service: ReadyService, key: string, reader: Load['reader']): Promise<void> {
  while (await readPage(service, key, reader)) await delay(10);
}

async function readWholeFeed(service: ReadyService, key: string): Promise<JsonBody[]> {
  const reader = { cursor: '', seen: [] };
  await followFeed(service, key, reader);
  return reader.seen;
}

function verifyFeed(feed: readonly JsonBody[], seen: readonly JsonBody[], phones: readonly Phone[]): void {
  assertSameState(seen, feed, 'the reader saw all events in order');
  assert.equal(new Set(feed.map(({ event_id }) => event_id)).size, feed.length, 'no duplicates');
  for (const { userId, requested, acknowledged } of phones) {
    const updates = feed.filter(({ user_id, event_type }) => user_id === userId && event_type === 'data.updated');
    assert.ok(updates.length >= acknowledged && updates.length <= requested, `${updates.length} of ${acknowledged}`);
  }
}

function verifyDeliveries(sink: WebhookSink, feed: readonly JsonBody[], secret: string): void {
  const events = new Map(feed.map((event) => [event.event_id, event]));
  const verifier = new Verifier(secret);
  for (const { headers, body } of sink.at('/hook')) {
    const id = String(headers['webhook-id']);
    assert.deepEqual(JSON.parse(body), events.get(id), 'what was sent is in the feed');
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    assert.equal(headers['webhook-signature'], verifier.sign(id, at, body));
  }
}

function forgiveLostConnection(error: unknown): null {
  if (error instanceof assert.AssertionError) throw error;
  return null;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function countUnanswered(phones: readonly Phone[]): number {
  return phones.reduce((total, { unanswered }) => total + unanswered, 0);
}

function sum(phones: readonly Phone[]): number {
  return phones.reduce((total, { acknowledged }) => total + acknowledged, 0);
}
