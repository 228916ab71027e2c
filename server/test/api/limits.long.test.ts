// Tests the limits on what one user can store: devices, rejected uploads, raw payloads, sessions, tokens.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { Tenant, UserId } from '../../src/domain/tenancy.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { removeOldestUploads } from '../../src/features/intake/uploads/store.ts';
import { insertPayloads } from '../../src/features/store/raw-payloads/index.ts';
import { MAX_BYTES_PER_USER, removeOldestPayloads } from '../../src/features/store/raw-payloads/store.ts';
import { openUser, type UserHandle } from '../../src/features/tenancy/user-core/index.ts';
import { beginConnecting, walkThroughConsent } from '../support/connect-account.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createSandboxUser, createUser } from '../support/test-users.ts';

const MAX_DEVICES = 200;
const LAST_NUMBER = 32_767; // the maximum of a smallint
const clock = createMovableClock(new Date('2026-03-10T12:00:00Z'));
const service = await startTestService({ clock, role: 'api' });
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;

const source = (id: string) => ({ provider: 'apple_health', id, name: id, device_class: 'wrist' });
const steps = (value: number, day = '2026-03-09') => ({
  metric: 'steps',
  start: `${day}T10:00:00Z`,
  end: `${day}T10:05:00Z`,
  value,
});
const devicesOf = async (userId: string, key?: string) =>
  (await service.api(key).get(`/v1/users/${userId}/devices`)).body.data;
const countOf = async (table: string, userId: string): Promise<number> => {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from ${table} where user_id = $1`,
    [userId],
  );
  return row?.count ?? 0;
};

/** Inserts active devices without uploads. */
async function addDevices(userId: string, count: number): Promise<void> {
  await db.query(
    `insert into devices (user_id, id, number, provider, status, transport, device_class, identity, created_at, connected_at)
     select $1, gen_random_uuid(), 1000 + n, 'apple_health', 'active', 'sdk', 'app', json_build_array('apple_health', 'id', 'made up ' || n)::text, now(), now()
       from generate_series(1, $2::integer) n`,
    [userId, count],
  );
}

describe('devices of a user', () => {
  it('409 device_limit for the upload of a new source beyond 200, which stores nothing and fails no group; 200 for a known source', async ({
    mock,
  }) => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    await addDevices(id, MAX_DEVICES - 1);
    await phone.upload({ source: source('the last'), samples: [steps(1)] });
    const kept = await Promise.all(['devices', 'raw_payloads', 'uploads'].map((table) => countOf(table, id)));
    assert.deepEqual(kept, [MAX_DEVICES, 1, 1]);
    const groups = mock.method(service.running.services.metrics, 'countUploadGroup');
    for (let round = 0; round < 3; round += 1) {
      const refused = await phone.send({ upload_id: randomUUID(), source: source(randomUUID()), samples: [steps(2)] });
      assert.deepEqual([refused.status, refused.body.error], [409, 'device_limit'], refused.text);
      assert.deepEqual(refused.body.details, { limit: MAX_DEVICES });
    }
    assert.deepEqual(
      groups.mock.calls.map(({ arguments: [outcome] }) => outcome),
      ['stored', 'stored', 'stored'],
    );
    assert.deepEqual(
      await Promise.all(['devices', 'raw_payloads', 'uploads'].map((table) => countOf(table, id))),
      kept,
    );
    assert.equal((await phone.upload({ source: source('the last'), samples: [steps(3)] })).accepted, 1);
    const [first] = await devicesOf(id);
    assert.equal((await api.delete(`/v1/users/${id}/devices/${first.id}`)).status, 204);
    assert.equal((await phone.upload({ source: source('another'), samples: [steps(4)] })).accepted, 1);
  });

  it('409 device_limit for a connection beyond 200, including pending ones, until they expire', async () => {
    const { id } = await createSandboxUser(service);
    const sandbox = service.api(service.keys.sandbox);
    const begin = () => sandbox.post(`/v1/users/${id}/devices`, { provider: 'oura' });
    await addDevices(id, MAX_DEVICES - 2);
    for (let round = 0; round < 2; round += 1) assert.equal((await begin()).status, 200);
    const refused = await begin();
    assert.deepEqual([refused.status, refused.body.error], [409, 'device_limit'], refused.text);
    const phone = await startPhone(service, id, { key: service.keys.sandbox });
    const upload = { upload_id: randomUUID(), source: source('new'), samples: [steps(1)] };
    assert.equal((await phone.send(upload)).body.error, 'device_limit', 'pending connections count');
    clock.advance(31 * MINUTE_MS);
    assert.equal((await begin()).status, 200);
  });

  it('409 device_limit after 200 failed connections within a day', async () => {
    const { id } = await createSandboxUser(service);
    await db.query(
      `insert into devices (user_id, id, provider, status, transport, device_class, created_at, closes_at)
       select $1, gen_random_uuid(), 'oura', 'failed', 'cloud', 'ring', $2, $2 from generate_series(1, 200)`,
      [id, clock.now()],
    );
    const begin = () => service.api(service.keys.sandbox).post(`/v1/users/${id}/devices`, { provider: 'oura' });
    const refused = await begin();
    assert.deepEqual([refused.status, refused.body.error], [409, 'device_limit']);
    await db.query(
      `delete from devices where user_id = $1 and id in (select id from devices where user_id = $1 limit 1)`,
      [id],
    );
    assert.equal((await begin()).status, 200);
  });

  it('200 for a connection that was started below the limit', async () => {
    const { id } = await createSandboxUser(service);
    await addDevices(id, MAX_DEVICES - 1);
    const begun = await beginConnecting(service.api(service.keys.sandbox), id, 'whoop');
    await walkThroughConsent(begun.auth_url);
    const devices = await devicesOf(id, service.keys.sandbox);
    assert.equal(devices.find((device: { id: string }) => device.id === begun.id).status, 'active');
    assert.equal(devices.length, MAX_DEVICES);
  });

  it('never run out of numbers, however many were created and deleted before', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    await phone.upload({ source: source('first'), samples: [steps(1_000)] });
    await db.query('update devices set number = $2 where user_id = $1', [id, LAST_NUMBER]);
    for (const table of ['device_months', 'sample_blocks', 'raw_payloads', 'uploads'])
      await db.query(`update ${table} set device = $2 where user_id = $1`, [id, LAST_NUMBER]);
    const numbers = async () =>
      (
        await db.query<{ number: number }>('select number from devices where user_id = $1 order by created_at, id', [
          id,
        ])
      ).map(({ number }) => number);
    await phone.upload({ source: source('second'), samples: [steps(2_000, '2026-03-08')] });
    assert.deepEqual(await numbers(), [LAST_NUMBER, 1]);
    for (let round = 0; round < 3; round += 1) {
      await phone.upload({ source: source(`brief ${round}`), samples: [steps(3_000, '2026-03-07')] });
      const brief = (await devicesOf(id)).at(-1);
      assert.equal((await api.delete(`/v1/users/${id}/devices/${brief.id}`)).status, 204);
    }
    const daily = await api.get(`/v1/users/${id}/daily?types=steps&from_date=2026-03-07&to_date=2026-03-09`, {
      headers: { 'api-form': '2' },
    });
    assert.deepEqual(daily.body.series.steps, [null, 2_000, 1_000], daily.text);
  });

  it('remember at most 200 deleted ones, so that a loop does not fill the database', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    await db.query(
      `insert into devices (user_id, id, number, provider, status, transport, device_class, identity, created_at, connected_at, disconnected_at)
       select $1, gen_random_uuid(), n, 'apple_health', 'disconnected', 'sdk', 'app', 'gone ' || n, now(), now(), $2::timestamptz - n * interval '1 hour'
         from generate_series(1, 250) n`,
      [id, clock.now()],
    );
    await phone.upload({ source: source('now'), samples: [steps(1)] });
    const [device] = await devicesOf(id);
    assert.equal((await api.delete(`/v1/users/${id}/devices/${device.id}`)).status, 204);
    const rows = await db.query<{ identity: string }>('select identity from devices where user_id = $1', [id]);
    assert.equal(rows.length, MAX_DEVICES);
    assert.ok(
      rows.some(({ identity }) => identity === 'gone 1') && !rows.some(({ identity }) => identity === 'gone 250'),
    );
    const again = await phone.send({ upload_id: randomUUID(), source: source('now'), samples: [steps(1)] });
    assert.equal(again.body.rejected[0].error, 'device_disconnected', 'the newest is remembered');
  });
});

describe('rejected uploads', () => {
  it('200 without storing a device, a payload or a response; a retry gets the same response', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    const body = {
      upload_id: randomUUID(),
      source: source('liar'),
      samples: [{ metric: 'nonsense' }, { metric: 'steps' }],
    };
    const first = await phone.send(body);
    assert.deepEqual([first.status, first.body.accepted, first.body.rejected_count], [200, 0, 2], first.text);
    for (let round = 0; round < 5; round += 1)
      await phone.send({ ...body, upload_id: randomUUID(), source: source(randomUUID()) });
    const kept = await Promise.all(
      ['devices', 'raw_payloads', 'uploads', 'event_outbox'].map((table) => countOf(table, id)),
    );
    assert.deepEqual(kept, [0, 0, 0, 0]);
    assert.deepEqual((await phone.send(body)).body, first.body);
    const mended = await phone.send({ ...body, samples: [steps(7)] });
    assert.deepEqual([mended.status, mended.body.accepted], [200, 1], 'its id is not used up');
    assert.equal(await countOf('raw_payloads', id), 1);
  });

  it('200 for an empty upload, which stores only its device', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    await phone.upload({ samples: [] });
    const kept = await Promise.all(['devices', 'raw_payloads', 'uploads'].map((table) => countOf(table, id)));
    assert.deepEqual(kept, [1, 0, 0]);
  });
});

async function openHandle(id: string): Promise<UserHandle> {
  const [row] = await db.query<{ account_id: Tenant['accountId'] }>('select account_id from users where id = $1', [id]);
  assert.ok(row);
  const handle = await openUser(db, { accountId: row.account_id, environment: 'live' }, id as UserId);
  assert.ok(handle);
  return handle;
}

describe('raw payloads', () => {
  const insert = async (user: UserHandle, days: number, bytes: number) => {
    const receivedAt = new Date(clock.now().getTime() - days * DAY_MS);
    const id = randomUUID();
    const payload = {
      id,
      device: 1 as never,
      kind: 'sdk_upload' as const,
      context: {},
      receivedAt,
      packed: Buffer.alloc(bytes),
    };
    await db.transaction((tx) => insertPayloads(tx, user, [payload]));
    return id;
  };
  const idsOf = async ({ userId }: UserHandle) =>
    (await db.query<{ id: string }>('select id from raw_payloads where user_id = $1', [userId])).map(({ id }) => id);

  it('of one user stay below the quota: the oldest are deleted, and other users keep theirs', async () => {
    const [one, other] = [await openHandle((await createUser(api)).id), await openHandle((await createUser(api)).id)];
    const [oldest, newer, newest] = [
      await insert(one, 9, 1_000),
      await insert(one, 5, 1_000),
      await insert(one, 1, 1_000),
    ];
    const theirs = await insert(other, 20, 1_000);
    await db.transaction((tx) => removeOldestPayloads(tx, one, 5_000));
    assert.equal((await idsOf(one)).length, 3, 'nothing is deleted within the quota');
    await db.transaction((tx) => removeOldestPayloads(tx, one, 3_000));
    assert.deepEqual(new Set(await idsOf(one)), new Set([newer, newest]));
    assert.ok(!(await idsOf(one)).includes(oldest));
    assert.deepEqual(await idsOf(other), [theirs]);
  });

  it('beyond the quota are deleted when new ones arrive', async () => {
    const user = await openHandle((await createUser(api)).id);
    const part = MAX_BYTES_PER_USER / 8;
    const payload = Buffer.alloc(part);
    for (let days = 10; days > 0; days -= 1)
      await db.query(
        `insert into raw_payloads (user_id, id, device, kind, context, received_at, payload)
         values ($1, $2, 1, 'sdk_upload', '{}', $3, $4)`,
        [user.userId, randomUUID(), new Date(clock.now().getTime() - days * DAY_MS), payload],
      );
    await insert(user, 0, MAX_BYTES_PER_USER / 16);
    const [row] = await db.query<{ bytes: string; oldest: Date }>(
      'select sum(octet_length(payload)) as bytes, min(received_at) as oldest from raw_payloads where user_id = $1',
      [user.userId],
    );
    assert.ok(row);
    assert.ok(Number(row.bytes) <= MAX_BYTES_PER_USER && Number(row.bytes) > MAX_BYTES_PER_USER / 2, row.bytes);
    assert.equal(
      Math.round((clock.now().getTime() - row.oldest.getTime()) / DAY_MS),
      7,
      'seven parts of eight, and the new one',
    );
  });

  it('keep a limited number of upload responses: the oldest are deleted', async () => {
    const { id } = await createUser(api);
    const user = await openHandle(id);
    const phone = await startPhone(service, id);
    const uploads = [];
    for (let round = 0; round < 5; round += 1) {
      uploads.push((await phone.upload({ samples: [steps(round + 1)] })).upload_id);
      clock.advance(1_000);
    }
    await db.transaction((tx) => removeOldestUploads(tx, user, 2));
    const left = await db.query<{ upload_id: string }>('select upload_id from uploads where user_id = $1', [id]);
    assert.deepEqual(new Set(left.map(({ upload_id }) => upload_id)), new Set(uploads.slice(-2)));
  });
});

describe('SDK sessions and tokens', () => {
  const MAX_SESSIONS = 100;
  const begin = (id: string, installation: string) =>
    api.post(
      `/v1/users/${id}/sdk-sessions`,
      { installation_id: installation, platform: 'ios' },
      { headers: { 'idempotency-key': randomUUID() } },
    );

  it('409 session_limit beyond 100 installations; a known one, or one that replaces a revoked one, is accepted', async () => {
    const { id } = await createUser(api);
    for (let round = 0; round < MAX_SESSIONS; round += 1) assert.equal((await begin(id, `phone ${round}`)).status, 201);
    const refused = await begin(id, 'one more');
    assert.deepEqual(
      [refused.status, refused.body.error, refused.body.details],
      [409, 'session_limit', { limit: MAX_SESSIONS }],
    );
    const known = await begin(id, 'phone 7');
    assert.equal(known.status, 200, known.text);
    const token = (await api.post('/v1/auth/mobile-token', { user_id: id })).body.token;
    const exchange = (installation: string) =>
      service.api(null).post('/v1/sdk/sessions/exchange', { client_token: token, installation_id: installation });
    assert.equal((await exchange('by token')).body.error, 'session_limit');
    assert.equal((await api.delete(`/v1/users/${id}/sdk-sessions/${known.body.session_id}`)).status, 204);
    assert.equal((await exchange('by token')).status, 200, 'the token was not used up');
    await db.query(
      `insert into sdk_sessions (id, user_id, installation_id, sources, scopes, status, created_at, client_expires_at)
       select gen_random_uuid(), $1, 'gone', '{}', '{}', 'revoked', now() - interval '1 hour', now() from generate_series(1, 150)`,
      [id],
    );
    const listed = (await api.get(`/v1/users/${id}/sdk-sessions`)).body;
    assert.equal(
      (await api.delete(`/v1/users/${id}/sdk-sessions/${(listed.data ?? listed.sessions)[0].session_id}`)).status,
      204,
    );
    assert.equal((await begin(id, 'new')).status, 201);
    const [row] = await db.query<{ count: number }>(
      `select count(*)::integer as count from sdk_sessions where user_id = $1 and status = 'revoked'`,
      [id],
    );
    assert.equal(row?.count, MAX_SESSIONS);
  });

  it('remember at most 200 idempotency keys and 100 mobile tokens per user: the oldest are deleted', async () => {
    const { id } = await createUser(api);
    await db.query(
      `insert into sdk_session_requests (user_id, idempotency_key, body_hash, session_id, client_token_version, created_at)
       select $1, gen_random_uuid(), '', gen_random_uuid(), 1, $2::timestamptz - n * interval '1 minute' from generate_series(1, 400) n`,
      [id, clock.now()],
    );
    assert.equal((await begin(id, 'phone')).status, 201);
    assert.equal(await countOf('sdk_session_requests', id), 200);
    const tokens = [];
    for (let round = 0; round < 101; round += 1) {
      tokens.push((await api.post('/v1/auth/mobile-token', { user_id: id })).body.token);
      clock.advance(10);
    }
    assert.equal(await countOf('mobile_tokens', id), 100);
    const exchange = (token: string) => service.api(null).post('/v1/sdk/sessions/exchange', { client_token: token });
    assert.equal((await exchange(tokens[0])).status, 401);
    assert.equal((await exchange(tokens[1])).status, 200);
    assert.equal((await exchange(tokens[100])).status, 200);
  });
});
