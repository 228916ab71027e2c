// Tests the operator API for events: finding a feed, reading its pages, and writing test events.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { EVENT_TYPES } from '../../src/features/notify/events/index.ts';
import type { JsonBody } from '../support/test-api.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser, issuePaths } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService();
after(() => service.stop());
const operator = service.operator();
const search = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
const findFeed = (parameters: Record<string, string>) => operator.get(`/admin/feed?${search(parameters)}`);
const readFeed = (parameters: Record<string, string>) => operator.get(`/admin/events?${search(parameters)}`);
const trigger = (body: object) => operator.post('/admin/events', body);

/** An account with a user, and its live feed as the account reads it. */
async function openAccount() {
  const { name, live } = await createAccount(service);
  const api = service.api(live);
  const user = await createUser(api, { timezone: 'Pacific/Kiritimati' });
  const tenant = { account: name, environment: 'live' };
  const awaitEvents = (count: number): Promise<JsonBody[]> =>
    waitUntil(`${count} events`, async () => {
      const { events } = (await api.get('/v1/events')).body;
      return events.length >= count ? events : null;
    });
  return { name, api, user, tenant, key: live, awaitEvents };
}

describe('GET /admin/feed', () => {
  it('200 by account and environment, or by user', async () => {
    const { tenant, user } = await openAccount();
    for (const parameters of [tenant, { user_id: user.id }, { ...tenant, user_id: user.id }]) {
      const { status, body } = await findFeed(parameters);
      assert.equal(status, 200);
      assert.deepEqual([body.account, body.environment], [tenant.account, 'live']);
    }
  });

  it('200 with a cursor after all current events and before future ones', async () => {
    const { tenant, user, awaitEvents } = await openAccount();
    await trigger({ event_type: 'data.updated', user_id: user.id });
    await awaitEvents(1);
    const { end_cursor } = (await findFeed(tenant)).body;
    assert.deepEqual((await readFeed({ ...tenant, cursor: end_cursor })).body.events, []);
    const { event_id } = (await trigger({ event_type: 'score.updated', user_id: user.id })).body;
    await awaitEvents(2);
    const { events } = (await readFeed({ ...tenant, cursor: end_cursor })).body;
    assert.deepEqual(
      events.map((text: string) => JSON.parse(text).event_id),
      [event_id],
    );
  });

  it('404 for an unknown account or user, and for a user of another account', async () => {
    const { tenant, user, name } = await openAccount();
    for (const [parameters, message] of [
      [{ account: 'nobody', environment: 'sandbox' }, 'Account nobody was not found.'],
      [{ user_id: ABSENT_ID }, `User ${ABSENT_ID} was not found.`],
      [{ user_id: 'me' }, 'User me was not found.'],
      [{ ...tenant, user_id: user.id, environment: 'sandbox' }, `User ${user.id} is in ${name}, live.`],
      [{ user_id: user.id, account: 'default' }, `User ${user.id} is in ${name}, live.`],
    ] as const) {
      const answer = await findFeed(parameters);
      assert.deepEqual([answer.status, answer.body.message], [404, message]);
    }
  });

  it('400 without an account or user', async () => {
    for (const parameters of [{}, { account: 'default' }, { environment: 'sandbox' }])
      assert.equal((await findFeed(parameters as Record<string, string>)).status, 400);
    assert.equal((await findFeed({ account: 'default', environment: 'test' })).status, 400);
  });
});

describe('GET /admin/events', () => {
  it('200 with the bodies of GET /v1/events, its filters and pages', async () => {
    const { tenant, api, user, awaitEvents } = await openAccount();
    for (const event_type of ['data.updated', 'device.failed', 'data.updated'])
      await trigger({ event_type, user_id: user.id });
    await awaitEvents(3);
    const own = (await api.get('/v1/events')).body;
    const { events, has_more } = (await readFeed(tenant)).body;
    assert.deepEqual(
      events.map((text: string) => JSON.parse(text)),
      own.events,
    );
    assert.equal(has_more, false);
    const filtered = await readFeed({ ...tenant, event_type: 'data.updated', user_id: user.id, limit: '1' });
    assert.deepEqual([filtered.body.events, filtered.body.has_more], [[events[0]], true]);
    const next = await readFeed({ ...tenant, cursor: filtered.body.cursor });
    assert.deepEqual(next.body.events, events.slice(1));
  });

  it('404 for an unknown account, 400 for a cursor of another feed', async () => {
    const answer = await readFeed({ account: 'nobody', environment: 'sandbox' });
    assert.deepEqual([answer.status, answer.body.message], [404, 'Account nobody was not found.']);
    const { end_cursor } = (await findFeed({ account: 'default', environment: 'sandbox' })).body;
    const foreign = await readFeed({ account: 'default', environment: 'live', cursor: end_cursor });
    assert.deepEqual([foreign.status, foreign.body.error], [400, 'invalid_cursor']);
  });
});

describe('POST /admin/events', () => {
  it('201 for every type; only the feed of that account and environment has it', async () => {
    const { name, user, awaitEvents } = await openAccount();
    const made = [];
    for (const event_type of EVENT_TYPES) {
      const { status, body } = await trigger({ event_type, user_id: user.id });
      assert.equal(status, 201);
      assert.deepEqual([body.event_type, body.account, body.environment], [event_type, name, 'live']);
      made.push([body.event_id, event_type, user.id]);
    }
    const events = await awaitEvents(EVENT_TYPES.length);
    assert.deepEqual(
      events.map((event) => [event.event_id, event.event_type, event.user_id]),
      made,
    );
    assert.deepEqual((await readFeed({ account: name, environment: 'sandbox' })).body.events, []);
  });

  it('201 with metrics in catalog order, and the given days', async () => {
    const { user, awaitEvents } = await openAccount();
    const days = { from: '2026-03-01', to: '2026-03-02' };
    const metrics = ['weight', 'steps', 'steps'];
    await trigger({ event_type: 'data.updated', user_id: user.id, metrics, days });
    await trigger({ event_type: 'data.updated', user_id: user.id, days: { from: '2026-03-05' } });
    await trigger({ event_type: 'subject.synced', user_id: user.id, days: { to: '2026-03-06' } });
    await trigger({ event_type: 'score.updated', user_id: user.id, metrics: ['sleep_score'], days });
    const events = await awaitEvents(4);
    assert.deepEqual(
      events.map(({ metrics, from_date, to_date, scores }) => [metrics, from_date, to_date, scores]),
      [
        [['steps', 'weight'], '2026-03-01', '2026-03-02', undefined],
        [['steps'], '2026-03-05', '2026-03-05', undefined],
        [['steps'], '2026-03-06', '2026-03-06', undefined],
        [['sleep_score'], '2026-03-01', '2026-03-02', ['sleep_score']],
      ],
    );
  });

  it('201 with the current day of the user and the newest device, unless given', async () => {
    const { user, key, awaitEvents } = await openAccount();
    const phone = await startPhone(service, user.id, { key });
    await phone.upload({ samples: [{ metric: 'heart_rate', start: '2026-03-09T11:00:00+01:00', value: 60 }] });
    const before = await awaitEvents(2);
    const { body } = await trigger({ event_type: 'data.updated', user_id: user.id });
    const own = await trigger({ event_type: 'subject.synced', user_id: user.id });
    const today = () => Temporal.Now.plainDateISO('Pacific/Kiritimati').toString();
    assert.deepEqual([body.from_date, body.to_date], [today(), today()]);
    assert.equal(body.device_id, before[0]?.device_id);
    assert.equal(own.body.device_id, null);
  });

  it('400 for an unknown type, which lists the known ones', async () => {
    const { user } = await openAccount();
    const answer = await trigger({ event_type: 'data.deleted', user_id: user.id });
    assert.equal(answer.status, 400);
    for (const type of EVENT_TYPES) assert.match(answer.body.details.issues[0].message, new RegExp(type));
  });

  it('400 for invalid metrics and days; nothing is written', async () => {
    const { user, tenant, awaitEvents } = await openAccount();
    for (const [body, paths] of [
      [{ event_type: 'data.updated', metrics: ['steps', 'stepz'] }, ['metrics']],
      [{ event_type: 'data.updated', metrics: ['sleep_score'] }, ['metrics']],
      [{ event_type: 'score.updated', metrics: ['steps'] }, ['metrics']],
      [{ event_type: 'data.updated', metrics: [] }, ['metrics']],
      [{ event_type: 'data.updated', days: { from: '2026-02-30', to: 'x' } }, ['days.from', 'days.to']],
      [{ event_type: 'data.updated', days: { from: '2026-03-02', to: '2026-03-01' } }, ['days.to']],
      [{ event_type: 'device.connected', metrics: ['steps'], days: { to: '2026-03-02' } }, ['metrics', 'days']],
    ] as const) {
      const answer = await trigger({ user_id: user.id, ...body });
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(issuePaths(answer.body), paths);
    }
    await trigger({ event_type: 'user.deleted', user_id: user.id });
    await awaitEvents(1);
    assert.equal((await readFeed(tenant)).body.events.length, 1);
  });

  it('404 for an unknown user and for a deleted one', async () => {
    const { api, user } = await openAccount();
    await api.delete(`/v1/users/${user.id}`);
    for (const id of [ABSENT_ID, 'me', user.id]) {
      const answer = await trigger({ event_type: 'data.updated', user_id: id });
      assert.deepEqual([answer.status, answer.body.message], [404, `User ${id} was not found.`]);
    }
  });
});
