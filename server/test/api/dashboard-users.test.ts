// Tests the list of users on the dashboard: search, filters, coverage, scores and the search of everything.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatInstant } from '../../src/domain/time/calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { sampleAt } from '../support/generate-samples.ts';
import { liveDays, scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { startPhone } from '../support/test-phone.ts';
import { insertDevice, storeSamples } from '../support/test-samples.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const NOW = new Date('2026-03-11T20:00:00Z');
const service = await startTestService({ clock: createFrozenClock(NOW) });
after(() => service.stop());
const { db } = service.running.services;
const api = service.api();
const viewer = await createMember(service, 'default', 'viewer');
const dashboard = memberApi(service, viewer.cookie);

const read = async (path: string): Promise<JsonBody> => {
  const answer = await dashboard.get(`/dashboard/api/live/${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const references = (body: JsonBody): string[] => body.users.map(({ reference }: JsonBody) => reference);

const ada = await createUser(api, {
  external_ref: 'Ada',
  timezone: 'Europe/Berlin',
  metadata: { name: 'Ada Lovelace', mail: 'ada@example.org' },
});
const adam = await createUser(api, { external_ref: 'adam_2', metadata: { crm: 'crm_1234', plan: "o'brien \\ pro" } });
const zoe = await createUser(api, { external_ref: 'zoe%x' });

before(async () => {
  await (await startPhone(service, ada.id)).upload(liveDays('2026-02-28', 12));
  await scoreNow(service, ada.id);
  await insertDevice(db, zoe.id, { number: 1, provider: 'oura', deviceClass: 'ring', connectedAt: '2026-01-01' });
  await db.query(`update devices set status = 'reauthorize' where user_id = $1`, [zoe.id]);
  await db.query(`update users set created_at = $2 where id = $1`, [adam.id, new Date(NOW.getTime() - 4 * DAY_MS)]);
});

describe('GET /dashboard/api/{environment}/users', () => {
  it('200 lists users, newest first, with devices, coverage, scores and attention', async () => {
    const body = await read('users');
    assert.deepEqual(references(body), ['zoe%x', 'Ada', 'adam_2']);
    assert.deepEqual([body.total, body.counts], [3, { attention: 1, overrides: 0 }]);
    const [first, second, third] = body.users;
    assert.deepEqual([first.attention, second.attention, third.attention], [['reconnect'], [], ['no_data']]);
    assert.equal(second.scores.sleep_score.length, 7);
    assert.equal(typeof second.scores.sleep_score[6], 'number');
    assert.deepEqual(
      first.devices.map(({ device_class, status, coverage }: JsonBody) => [device_class, status, coverage]),
      [['ring', 'reauthorize', null]],
    );
  });

  it('200 sets the bits of the hours in which a device recorded data', async () => {
    const { id } = await createUser(api, { external_ref: 'covered' });
    const device = await insertDevice(db, id, { number: 1, connectedAt: '2026-01-01' });
    const at = (text: string) => sampleAt(Date.parse(text));
    await storeSamples(db, id, device.number, 'heart_rate', [at('2026-03-04T18:00:00Z'), at('2026-03-11T19:00:00Z')]);
    const body = await read('users?q=covered');
    assert.deepEqual(body.coverage, { from: '2026-03-04T18:00:00Z', step_hours: 6 });
    assert.deepEqual([...Uint8Array.fromBase64(body.users[0].devices[0].coverage)], [1, 0, 0, 1 << 4]);
  });

  it('200 finds users by the beginning of reference, id and metadata, as text and not as a pattern', async () => {
    const found = async (q: string) => references(await read(`users?q=${encodeURIComponent(q)}`)).sort();
    assert.deepEqual(await found('ada'), ['Ada', 'adam_2']);
    assert.deepEqual(await found('ADAM'), ['adam_2']);
    assert.deepEqual(await found('love'), ['Ada']);
    assert.deepEqual(await found('ada@ex'), ['Ada']);
    assert.deepEqual(await found('crm_12'), ['adam_2']);
    assert.deepEqual(await found("o'br"), ['adam_2']);
    assert.deepEqual(await found('zoe%'), ['zoe%x']);
    assert.deepEqual(await found('zoe_'), []);
    assert.deepEqual(await found(zoe.id), ['zoe%x']);
    assert.deepEqual(await found(zoe.id.slice(0, 23)), ['zoe%x']);
    for (const text of ["'", '\\', ':*', '& |', '%', '!']) assert.deepEqual(await found(text), [], text);
  });

  it('200 finds nobody by the beginning of the account’s id', async () => {
    const { account } = (await dashboard.get('/dashboard/api/session')).body;
    assert.deepEqual(references(await read(`users?q=${account.id.slice(0, 3)}`)), []);
  });

  it('200 filters, also within a search', async () => {
    assert.deepEqual(references(await read('users?filter=attention')), ['zoe%x']);
    assert.deepEqual(references(await read('users?filter=no_data')), ['adam_2']);
    assert.deepEqual(references(await read('users?filter=no_data&q=ada')), ['adam_2']);
    assert.deepEqual(references(await read('users?filter=attention&q=ada')), []);
    assert.deepEqual(references(await read('users?filter=overrides')), []);
    const change = { metrics: { steps: { method: 'max' } } };
    const changed = await api.patch(`/v1/users/${ada.id}/consolidation`, change);
    assert.equal(changed.status, 202, changed.text);
    const { users, counts } = await read('users?filter=overrides');
    assert.deepEqual([users[0].reference, users[0].overrides, counts.overrides], ['Ada', 1, 1]);
  });

  it('200 continues with the cursor, and 400 rejects the cursor of another filter', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const body: JsonBody = await read(`users?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...references(body));
      cursor = body.next_cursor;
    }
    assert.deepEqual(seen, references(await read('users')));
    const { next_cursor } = await read('users?limit=1');
    const other = await dashboard.get(`/dashboard/api/live/users?filter=no_data&cursor=${next_cursor}`);
    assert.deepEqual([other.status, other.body.error], [400, 'invalid_cursor']);
  });

  it('200 returns the list as CSV', async () => {
    const answer = await dashboard.get('/dashboard/api/live/users?q=zoe', { headers: { accept: 'text/csv' } });
    const [header, line] = answer.text.split('\r\n');
    assert.match(header ?? '', /^id,reference,timezone/);
    assert.match(line ?? '', /zoe%x.*oura \(reauthorize\).*reconnect/);
  });

  it('200 lists and finds nobody of another account or environment', async () => {
    const other = await createAccount(service);
    await createUser(service.api(other.live), { external_ref: 'ada-elsewhere', metadata: { name: 'Ada Lovelace' } });
    assert.deepEqual(references(await read('users?q=ada')).sort(), ['Ada', 'adam_2']);
    assert.deepEqual(references(await read('users?q=love')), ['Ada']);
    const sandbox = await dashboard.get('/dashboard/api/sandbox/users?q=ada');
    assert.deepEqual(sandbox.body.users, []);
  });
});

describe('GET /dashboard/api/{environment}/search', () => {
  const kinds = async (q: string) =>
    (await read(`search?q=${encodeURIComponent(q)}`)).map(({ kind, title }: JsonBody) => [kind, title]);

  it('200 finds users, webhooks and ids', async () => {
    assert.deepEqual(await kinds('adam'), [['user', 'adam_2']]);
    assert.deepEqual((await read('search?q=lovel'))[0].subtitle, 'name: Ada Lovelace');
    const created = await api.post('/v1/webhooks', { url: 'https://hooks.example.org/tributary', events: ['*'] });
    const webhook = created.body.data ?? created.body;
    assert.deepEqual(await kinds('hooks.example'), [['webhook', 'https://hooks.example.org/tributary']]);
    assert.deepEqual(await kinds(webhook.id), [['webhook', 'https://hooks.example.org/tributary']]);
    assert.deepEqual((await read('search?q=req_abc'))[0].path, 'requests/req_abc');
    assert.deepEqual(await kinds(''), []);
  });

  it('200 finds an event by its id', async () => {
    let feed: JsonBody[] = [];
    await waitUntil('an event is published', async () => {
      feed = (await api.get('/v1/events')).body.events;
      return feed.length > 0;
    });
    const { event_id: id, event_type: type } = feed[0] ?? {};
    assert.deepEqual(await kinds(id), [['event', type]]);
  });
});

describe('GET /dashboard/api/{environment}/users/{id}/scores/matrix', () => {
  const path = (rest: string) => `users/${ada.id}/scores/matrix?${rest}`;

  it('200 returns contributions that add up to every value', async () => {
    const body = await read(path('start_date=2026-02-28&end_date=2026-03-11'));
    assert.equal(body.dates.length, 12);
    let checked = 0;
    for (const { values, neutral, factors } of body.scores) {
      for (const [day, value] of values.entries()) {
        if (value === null) continue;
        const sum = factors.reduce(
          (total: number, { contributions }: JsonBody) => total + (contributions[day] ?? 0),
          neutral[day],
        );
        assert.equal(sum.toFixed(1), value.toFixed(1));
        checked += 1;
      }
    }
    assert.ok(checked > 20, String(checked));
  });

  it('200 explains the last day, present or absent', async () => {
    const { scores } = await read(path('start_date=2026-03-05&end_date=2026-03-11'));
    const explained = Object.fromEntries(scores.map((score: JsonBody) => [score.type, score.explained]));
    assert.equal(explained.recovery_score.factors.length > 0, true);
    assert.equal(explained.nutrition_score.absence.reason, 'waiting');
    const before = await read(path('start_date=2026-01-01&end_date=2026-01-02'));
    assert.deepEqual(
      before.scores.map((score: JsonBody) => score.explained.absence.reason),
      Array(6).fill('no_inputs'),
    );
  });

  it('400 rejects more than 90 days', async () => {
    const answer = await dashboard.get(`/dashboard/api/live/${path('start_date=2025-01-01&end_date=2026-03-11')}`);
    assert.deepEqual([answer.status, answer.body.error], [400, 'range_too_long']);
  });
});

describe('GET /dashboard/api/{environment}/users/{id}/samples', () => {
  it('200 returns samples, buckets or summaries of blocks with the same extremes', async () => {
    const { id } = await createUser(api, { external_ref: 'measured' });
    const device = await insertDevice(db, id, { number: 1, connectedAt: '2025-01-01' });
    const end = Date.parse('2026-03-11T18:00:00Z');
    const begin = end - 10 * DAY_MS;
    const samples = Array.from({ length: 10 * 24 * 12 }, (_, index) =>
      sampleAt(begin + index * 5 * MINUTE_MS, { value: 50 + ((index * 7919) % 131) }),
    );
    await storeSamples(db, id, device.number, 'heart_rate', samples);
    const get = (fromMs: number, points: number) =>
      read(
        `users/${id}/samples?metric=heart_rate&from=${formatInstant(new Date(fromMs))}&to=${formatInstant(new Date(end))}&points=${points}`,
      );
    const raw = await get(begin, 10_000);
    assert.deepEqual([raw.kind, raw.devices[0].count, raw.devices[0].v.length], ['sample', 2_880, 2_880]);
    const buckets = await get(begin, 500);
    assert.equal(buckets.kind, 'range');
    assert.equal(buckets.devices[0].step_ms, 30 * MINUTE_MS);
    const summaries = await get(begin, 40);
    assert.equal(summaries.devices[0].step_ms, 6 * HOUR_MS);
    for (const { devices } of [buckets, summaries]) {
      assert.equal(Math.min(...devices[0].min), Math.min(...raw.devices[0].v));
      assert.equal(Math.max(...devices[0].max), Math.max(...raw.devices[0].v));
    }
    const csv = await dashboard.get(
      `/dashboard/api/live/users/${id}/samples?metric=heart_rate&from=2026-03-11T17:00:00Z&to=2026-03-11T18:00:00Z`,
      { headers: { accept: 'text/csv' } },
    );
    assert.equal(csv.text.trim().split('\r\n').length, 13);
  });

  it('400 rejects metrics without samples and times in the wrong order', async () => {
    const get = (rest: string) => dashboard.get(`/dashboard/api/live/users/${ada.id}/samples?${rest}`);
    const metric = await get('metric=sleep_score&from=2026-03-11T17:00:00Z&to=2026-03-11T18:00:00Z');
    assert.deepEqual([metric.status, metric.body.error], [400, 'invalid_metric']);
    const order = await get('metric=steps&from=2026-03-11T17:00:00Z&to=2026-03-11T16:00:00Z');
    assert.deepEqual([order.status, order.body.error], [400, 'invalid_parameter']);
  });
});
