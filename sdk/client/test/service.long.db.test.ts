// The client with the real service, in both forms.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { startTestService } from '../../../server/test/support/test-service.ts';
import { createAccount } from '../../../server/test/support/test-users.ts';
import { startSink } from '../../../server/test/support/webhook-sink.ts';
import {
  ConnectionError,
  type FeedEvent,
  InvalidBodyError,
  InvalidParameterError,
  NotFoundError,
  ReferenceTakenError,
  Tributary,
  verifyWebhook,
  WrongUserError,
} from '../src/index.ts';

const service = await startTestService({ environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
const sink = await startSink();
after(async () => {
  await sink.close();
  await service.stop();
});

async function open() {
  const { live } = await createAccount(service);
  const options = { baseUrl: `${service.url}/`, apiKey: live };
  return { one: new Tributary({ ...options, form: 1 }), two: new Tributary({ ...options, form: 2 }) };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function take<T>(count: number, items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

/** A phone of a new user, with an upload of two workouts and two nights. */
async function upload(two: Tributary<2>) {
  const user = await two.users.create({ external_ref: randomUUID() });
  const bootstrap = await two.sdkSessions.create(user.id, { installation_id: 'i1', platform: 'ios' });
  const anonymous = new Tributary({ baseUrl: service.url, form: 2 });
  const first = await anonymous.sdk.exchange({ client_token: bootstrap.client_token });
  const credentials = await anonymous.sdk.refresh({ refresh_token: first.refresh_token });
  const phone = new Tributary({ baseUrl: service.url, form: 2, token: credentials.access_token });
  const result = await phone.sdk.upload({
    upload_id: randomUUID(),
    source: { provider: 'apple_health', id: 'watch' },
    samples: [{ metric: 'steps', start: '2026-03-01T08:00:00Z', value: 120 }],
    workouts: [1, 2, 3].map((day) => ({
      sport_type: 'running',
      start: `2026-03-0${day}T08:00:00Z`,
      end: `2026-03-0${day}T09:00:00Z`,
    })),
    sleep: [{ start: '2026-03-01T22:00:00Z', end: '2026-03-02T06:00:00Z', asleep_minutes: 450 }],
  });
  assert.equal(result.accepted, 5);
  return { user, phone };
}

describe('users', () => {
  it('are created, read, changed, walked and deleted in both forms', async () => {
    const { one, two } = await open();
    const references = ['a', 'b', 'c'];
    for (const reference of references) await one.users.create({ reference_id: reference });
    const byPage = await collect(one.users.iterate({ per_page: 2 }));
    const byCursor = await collect(two.users.iterate({ limit: 2 }));
    assert.deepEqual(
      byPage.map((user) => user.reference_id),
      references.toReversed(),
    );
    assert.deepEqual(
      byCursor.map((user) => user.external_ref),
      references.toReversed(),
    );
    const id = byPage[0]?.id ?? '';
    await one.users.update(id, { timezone: 'Europe/Berlin' });
    assert.equal((await two.users.get(id)).timezone, 'Europe/Berlin');
    assert.equal((await one.users.get(id)).data.timezone, 'Europe/Berlin');
    assert.deepEqual(await one.users.delete(id), { data: { id, status: 'deleting' } });
    await assert.rejects(two.users.get(id), NotFoundError);
  });

  it('fail with the class of the code', async () => {
    const { two } = await open();
    const { id } = await two.users.create({ external_ref: 'a' });
    await assert.rejects(two.users.create({ external_ref: 'a' }), (error) => {
      assert.ok(error instanceof ReferenceTakenError);
      assert.equal(error.details.user_id, id);
      assert.match(error.requestId ?? '', /^req_/);
      return true;
    });
    await assert.rejects(two.users.create({ external_ref: 'b', nickname: 'x' } as never), InvalidBodyError);
  });
});

describe('data', () => {
  it('is read in both forms, with lists as arrays', async () => {
    const { one, two } = await open();
    const { user } = await upload(two);
    const dates = { start_date: '2026-03-01', end_date: '2026-03-03' };
    const range = { from_date: '2026-03-01', to_date: '2026-03-03' };
    const rows = await one.daily.get(user.id, { ...dates, metrics: ['steps', 'asleep'] });
    assert.deepEqual(
      rows.data.map(({ metric, value }) => [metric, value]),
      [
        ['steps', 120],
        ['asleep', 450],
      ],
    );
    const columns = await two.daily.get(user.id, { ...range, types: 'steps' });
    assert.deepEqual(columns.series.steps, [120, null, null]);
    assert.equal((await one.sleep.list(user.id, dates)).data[0]?.asleep, 450);
    assert.equal((await collect(two.sleep.iterate(user.id, range)))[0]?.asleep_minutes, 450);
    const byPage = await collect(one.workouts.iterate(user.id, { ...dates, per_page: 2 }));
    const byCursor = await collect(two.workouts.iterate(user.id, { ...range, limit: 2 }));
    assert.equal(byPage.length, 3);
    assert.deepEqual(
      byPage.map(({ id }) => id),
      byCursor.map(({ id }) => id),
    );
    assert.equal((await two.workouts.get(user.id, byCursor[0]?.id ?? '')).type, 'running');
    assert.equal((await two.timeseries.get(user.id, { ...dates, metrics: ['steps'] })).data[0]?.value, 120);
    assert.ok(Array.isArray((await two.scores.history(user.id, dates)).data));
    assert.ok((await one.scores.get(user.id)).data);
    assert.ok((await two.scores.get(user.id)).series);
    assert.ok(await two.daily.explain(user.id, { metric: 'steps', date: '2026-03-01' }));
    assert.ok(await two.scores.explain(user.id, { type: 'sleep_score', date: '2026-03-02' }));
  });

  it('is limited to one user with a user token', async () => {
    const { two } = await open();
    const user = await two.users.create({ external_ref: 'a' });
    const other = await two.users.create({ external_ref: 'b' });
    const browser = new Tributary({
      baseUrl: service.url,
      form: 2,
      token: async () => (await two.tokens.issueUserToken(user.id)).token,
    });
    assert.equal((await browser.daily.get(user.id)).dates.length, 30);
    await assert.rejects(browser.daily.get(other.id), WrongUserError);
  });
});

describe('an export', () => {
  const linesOf = async (file: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await collect(file))
      .toString()
      .split('\n');

  it('has the same records in both forms, in every format', async () => {
    const { one, two } = await open();
    const { user } = await upload(two);
    const query = { format: 'ndjson', resources: ['workouts', 'sleep'], from: '2026-03-01', to: '2026-03-03' } as const;
    const lines = await linesOf(await two.users.export(user.id, query));
    assert.deepEqual(
      lines.slice(0, -1).map((line) => JSON.parse(line).resource),
      ['sleep', 'workouts', 'workouts', 'workouts'],
    );
    assert.deepEqual(await linesOf(await one.users.export(user.id, { ...query, resources: 'sleep,workouts' })), lines);
    for (const [format, start] of Object.entries({ csv: 'date,metric', parquet: 'PAR1' }) as ['csv', string][])
      assert.ok((await linesOf(await two.users.export(user.id, { format, resources: 'daily' })))[0]?.startsWith(start));
    for (const format of ['fhir', 'omh', 'bundle'] as const)
      assert.ok((await linesOf(await two.users.export(user.id, { format }))).length > 4, format);
  });

  it('fails with the class of the code, and breaks off when its user is deleted', async () => {
    const { two } = await open();
    const { user, phone } = await upload(two);
    await assert.rejects(two.users.export(user.id, { format: 'csv' }), InvalidParameterError);
    await assert.rejects(two.users.export(randomUUID(), { format: 'ndjson' }), NotFoundError);
    const samples = Array.from({ length: 40_000 }, (_, index) => ({
      metric: 'heart_rate',
      start: new Date(Date.UTC(2026, 1, 1) + index * 20_000).toISOString(),
      value: 60 + (index % 40),
    }));
    for (let from = 0; from < samples.length; from += 10_000)
      await phone.sdk.upload({
        upload_id: randomUUID(),
        source: { provider: 'apple_health', id: 'watch' },
        samples: samples.slice(from, from + 10_000),
      });
    const file = await two.users.export(user.id, { format: 'fhir', resources: 'samples' });
    await two.users.delete(user.id);
    await assert.rejects(collect(file), ConnectionError);
  });
});

describe('devices and settings', () => {
  it('are read and changed', async () => {
    const { two } = await open();
    const { user } = await upload(two);
    const [device] = (await two.devices.list(user.id)).data;
    assert.equal(device?.provider, 'apple_health');
    const settings = { metrics: { steps: { method: 'max' } } } as const;
    assert.equal((await two.consolidation.preview(user.id, settings)).days_changed, 0);
    assert.equal((await two.consolidation.update(user.id, settings)).status, 'reconsolidating');
    assert.ok((await two.consolidation.get(user.id)).metrics);
    assert.ok((await two.consolidation.catalog()).metrics.length > 0);
    await two.consolidation.reset(user.id);
    assert.ok((await two.catalog.metrics()).data.length > 0);
    assert.ok((await two.catalog.providers()).data.length > 0);
    const [session] = (await two.sdkSessions.list(user.id)).data;
    await two.sdkSessions.revoke(user.id, session?.session_id ?? '');
    assert.equal(await two.devices.disconnect(user.id, device?.id ?? ''), undefined);
  });

  it('of the service need no credential', async () => {
    const anonymous = new Tributary({ baseUrl: service.url, form: 1 });
    assert.ok(await anonymous.service.health());
    assert.ok(await anonymous.service.version());
    assert.ok((await anonymous.tokens.signingKeys()).keys.length > 0);
  });
});

describe('events', () => {
  it('are walked, resumed from a cursor and followed', async () => {
    const { two } = await open();
    await upload(two);
    const types = (events: readonly FeedEvent[]) => events.map((event) => event.event_type);
    const before = await take(2, two.events.follow({ limit: 1 }, { pollMs: 10 }));
    const seen = before.flatMap(({ events }) => events);
    assert.deepEqual(types(seen), ['device.connected', 'data.updated']);
    const pages = await collect(two.events.pages({ limit: 1 }));
    assert.ok(pages.length >= 2);
    assert.deepEqual((await collect(two.events.iterate())).slice(0, 2), seen);
    const cursor = before.at(-1)?.cursor ?? '';
    const end = new AbortController();
    const followed = two.events.follow({ cursor, event_type: 'device.connected' }, { pollMs: 10, signal: end.signal });
    const next = followed.next();
    await upload(two);
    const { value } = await next;
    assert.deepEqual(types(value.events), ['device.connected']);
    end.abort(new Error('enough'));
    await assert.rejects(followed.next(), /enough/);
  });
});

describe('webhooks', () => {
  it('are delivered with signatures of both secrets after a rotation', async () => {
    const { two } = await open();
    const { data: webhook } = await two.webhooks.create({ url: sink.url('/a'), events: ['*'] });
    const rotated = await two.webhooks.rotateSecret(webhook.id);
    await two.webhooks.test(webhook.id);
    const [delivery] = await sink.wait('/a', 1, 30_000);
    assert.ok(delivery);
    for (const secret of [webhook.secret, rotated.data.secret]) {
      const event = await verifyWebhook({ secret, headers: delivery.headers, body: delivery.body });
      assert.equal(event.event_id, delivery.headers['webhook-id']);
    }
    assert.equal((await collect(two.webhooks.iterateDeliveries(webhook.id))).length, 1);
    await two.webhooks.update(webhook.id, { description: 'mine' });
    assert.equal((await two.webhooks.list()).data[0]?.description, 'mine');
    assert.equal(await two.webhooks.delete(webhook.id), undefined);
  });
});
