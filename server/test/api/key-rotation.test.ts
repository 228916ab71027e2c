// Tests rotation with an overlap, also under concurrency, and renaming, listing and auditing keys.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY_MS, DAY_SECONDS, HOUR_MS, HOUR_SECONDS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { revokeKey } from '../../src/features/operator/admin/revoke-key.ts';
import { FIRST_START, rotateApiKey } from '../../src/features/tenancy/accounts/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createMovableClock();
const environment = { TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') };
const service = await startTestService({ clock, environment });
const second = await startTestService({ clock, environment, databaseUrl: service.config.databaseUrl ?? '' });
after(async () => {
  await second.stop();
  await service.stop();
});
const operator = service.operator();
const { db } = service.running.services;

async function statusOf(key: string, where = service): Promise<string> {
  const { status, body } = await where.api(key).get('/v1/users');
  return status === 200 ? '200' : `${status} ${body.error}`;
}

const statusesOf = (keys: readonly string[]) => Promise.all(keys.map((key) => statusOf(key)));

async function rotate(body: object): Promise<JsonBody> {
  const answer = await operator.post('/admin/keys/rotate', body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function listKeys(account: string): Promise<JsonBody[]> {
  const answer = await operator.get(`/admin/keys?account=${encodeURIComponent(account)}&environment=live`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** An account with one live key, and how to name that key. */
async function openAccount() {
  const account = await createAccount(service);
  const [key] = await listKeys(account.name);
  return {
    ...account,
    keyId: key.id as string,
    byName: { account: account.name, environment: 'live', name: 'default' },
  };
}

describe('a rotation with an overlap', () => {
  it('201 the old key works in every process until the overlap ends, then 401 invalid_token with the time', async () => {
    const { name, live, byName } = await openAccount();
    const startMs = clock.now().getTime();
    const rotated = await rotate({ ...byName, overlap_seconds: DAY_SECONDS });
    assert.ok(Math.abs(Date.parse(rotated.replaced.ends_at) - startMs - DAY_MS) < MINUTE_MS, rotated.replaced.ends_at);
    assert.deepEqual(await statusesOf([live, rotated.key]), ['200', '200']);
    assert.equal(await statusOf(live, second), '200');
    const [current, old] = await listKeys(name);
    assert.deepEqual([current.name, current.status, current.ends_at], ['default', 'active', null]);
    assert.deepEqual(
      [old.name, old.status, old.ends_at, old.replaced_by],
      ['default', 'ending', rotated.replaced.ends_at, rotated.id],
    );

    clock.advance(DAY_MS - MINUTE_MS);
    assert.deepEqual(await statusesOf([live, rotated.key]), ['200', '200']);
    clock.advance(2 * MINUTE_MS);
    for (const where of [service, second]) {
      const { status, body } = await where.api(live).get('/v1/users');
      assert.deepEqual([status, body.error], [401, 'invalid_token']);
      assert.deepEqual(body.details, { ended_at: rotated.replaced.ends_at });
      assert.match(body.message, /revoked or replaced/);
    }
    assert.equal(await statusOf(rotated.key), '200');
    assert.deepEqual(
      (await listKeys(name)).map(({ status }) => status),
      ['active', 'revoked'],
    );
  });

  it('401 at the end of the overlap also for a cached key', async () => {
    const { live, byName } = await openAccount();
    const { replaced } = await rotate({ ...byName, overlap_seconds: 2 });
    assert.equal(await statusOf(live), '200');
    const endedMs = await waitUntil('the old key is rejected', async () =>
      (await statusOf(live)) === '200' ? null : clock.now().getTime(),
    );
    assert.ok(endedMs >= Date.parse(replaced.ends_at), 'not before the end');
    assert.equal(await statusOf(live), '401 invalid_token');
  });

  it('201 without an overlap, or with 0, the old key ends at once, and with it keys that it replaced', async () => {
    for (const extra of [{}, { overlap_seconds: 0 }]) {
      const { live, byName } = await openAccount();
      const next = await rotate({ ...byName, overlap_seconds: DAY_SECONDS });
      const last = await rotate({ ...byName, overlap_seconds: DAY_SECONDS });
      assert.deepEqual(await statusesOf([live, next.key, last.key]), ['200', '200', '200']);
      const only = await rotate({ ...byName, ...extra });
      const ended = '401 invalid_token';
      assert.deepEqual(await statusesOf([live, next.key, last.key, only.key]), [ended, ended, ended, '200']);
    }
  });

  it('201 a key that was replaced earlier ends no later than its replacement', async () => {
    const { name, live, byName } = await openAccount();
    const next = await rotate({ ...byName, overlap_seconds: DAY_SECONDS });
    const last = await rotate({ ...byName, overlap_seconds: HOUR_SECONDS });
    const ends = (await listKeys(name)).map(({ id, ends_at, replaced_by }) => [id, ends_at, replaced_by]);
    assert.equal(ends.length, 3);
    assert.deepEqual(ends[0], [last.id, null, null]);
    assertEvery(
      ends.slice(1),
      ([, ends_at, replaced_by]) => ends_at === last.replaced.ends_at && replaced_by === last.id,
    );
    clock.advance(HOUR_MS + MINUTE_MS);
    assert.deepEqual(await statusesOf([live, next.key, last.key]), ['401 invalid_token', '401 invalid_token', '200']);
  });

  it('201 keys created beside the rotated one keep working', async () => {
    const { name, byName } = await openAccount();
    const beside = (await operator.post('/admin/keys', { ...byName, name: 'beside' })).body.key;
    await rotate(byName);
    await rotate({ ...byName, overlap_seconds: 60 });
    clock.advance(DAY_MS);
    assert.equal(await statusOf(beside), '200');
    assert.equal((await listKeys(name)).filter(({ status }) => status === 'active').length, 2);
  });

  it('201 the overlap does not extend the life of a key', async () => {
    const { live, byName, keyId } = await openAccount();
    const expiresAt = new Date(clock.now().getTime() + HOUR_MS);
    await db.query('update api_keys set expires_at = $2 where id = $1', [keyId, expiresAt]);
    const { replaced } = await rotate({ ...byName, overlap_seconds: DAY_SECONDS });
    assert.equal(Date.parse(replaced.ends_at), expiresAt.getTime());
    assert.equal(await statusOf(live), '200');
    clock.advance(HOUR_MS);
    assert.equal(await statusOf(live), '401 invalid_token');
  });

  it('revoking a key during its overlap ends it at once and leaves the new key', async () => {
    const { live, byName, keyId } = await openAccount();
    const next = await rotate({ ...byName, overlap_seconds: DAY_SECONDS });
    assert.equal((await operator.post('/admin/keys/revoke', { id: keyId })).body.revoked, 1);
    assert.deepEqual(await statusesOf([live, next.key]), ['401 invalid_token', '200']);
    assert.equal((await operator.post('/admin/keys/revoke', { id: keyId })).body.revoked, 0);
  });

  it('400 for an overlap that is negative, longer than 7 days or not a whole number', async () => {
    const { live, byName } = await openAccount();
    for (const overlap_seconds of [-1, 7 * DAY_SECONDS + 1, 1.5, '24h', true]) {
      const refused = await operator.post('/admin/keys/rotate', { ...byName, overlap_seconds });
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_body'], String(overlap_seconds));
    }
    assert.equal(await statusOf(live), '200');
    assert.equal(
      (await operator.post('/admin/keys/rotate', { ...byName, overlap_seconds: 7 * DAY_SECONDS })).status,
      201,
    );
  });
});

describe('a rotation by id', () => {
  it('409 key_ended for a replaced and for a revoked key, with the time in the message', async () => {
    const { keyId, byName } = await openAccount();
    const next = await rotate({ id: keyId, overlap_seconds: DAY_SECONDS });
    assert.equal(next.name, 'default');
    const again = await operator.post('/admin/keys/rotate', { id: keyId });
    assert.deepEqual([again.status, again.body.error], [409, 'key_ended']);
    assert.equal(
      again.body.message,
      `This key was already replaced and ends on ${next.replaced.ends_at}. Use the key that replaced it.`,
    );
    assert.deepEqual(again.body.details, { id: keyId, ends_at: next.replaced.ends_at, replaced_by: next.id });
    await operator.post('/admin/keys/revoke', { id: next.id });
    const revoked = await operator.post('/admin/keys/rotate', { id: next.id });
    assert.equal(revoked.status, 409);
    assert.match(revoked.body.message, /^This key ended on \d{4}-\d\d-\d\dT\S+Z\. /);
    assert.equal((await operator.post('/admin/keys/rotate', byName)).status, 404, 'no key has the name');
  });

  it('404 for an unknown id, 400 for neither or both ways to name a key', async () => {
    assert.equal((await operator.post('/admin/keys/rotate', { id: ABSENT_ID })).status, 404);
    for (const body of [{}, { id: ABSENT_ID, name: 'x' }, { account: 'default' }, { environment: 'live' }, { id: 'x' }])
      assert.equal((await operator.post('/admin/keys/rotate', body)).status, 400, JSON.stringify(body));
  });
});

describe('concurrent rotations', () => {
  it('201 for one of two rotations of an id, 409 for the other; one new key exists', async () => {
    for (const overlap_seconds of [0, DAY_SECONDS]) {
      const { name, keyId } = await openAccount();
      const answers = await Promise.all(
        [1, 2].map(() => operator.post('/admin/keys/rotate', { id: keyId, overlap_seconds })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
      assert.equal((await listKeys(name)).length, 2);
    }
  });

  it('201 for each of six rotations of a name with an overlap: all work until it ends, then only the newest', async () => {
    const { name, live, byName } = await openAccount();
    const made = await Promise.all(
      Array.from({ length: 6 }, () => rotate({ ...byName, overlap_seconds: HOUR_SECONDS })),
    );
    const keys = [live, ...made.map(({ key }) => key as string)];
    assert.deepEqual(await statusesOf(keys), Array(7).fill('200'));
    const newest = (await listKeys(name)).filter(({ status }) => status === 'active');
    assert.equal(newest.length, 1);
    clock.advance(HOUR_MS + MINUTE_MS);
    const working = (await Promise.all(made.map(async ({ id, key }) => ({ id, status: await statusOf(key) }))))
      .filter(({ status }) => status === '200')
      .map(({ id }) => id);
    assert.deepEqual(working, [newest[0].id]);
    assert.equal(await statusOf(live), '401 invalid_token');
  });

  it('a rotation at once beside rotations with an overlap ends every key that it found', async () => {
    const { name, byName } = await openAccount();
    const made = await Promise.all(
      [DAY_SECONDS, DAY_SECONDS, 0, DAY_SECONDS].map((overlap_seconds) => rotate({ ...byName, overlap_seconds })),
    );
    const keys = await listKeys(name);
    assert.equal(keys.filter(({ status }) => status === 'active').length, 1);
    const older: string[] = [];
    for (let step = made[2]; step !== undefined; step = made.find(({ id }) => id === older.at(-1)))
      older.push(step.replaced.id);
    assertEvery(older, (id) => keys.find((key) => key.id === id).status === 'revoked');
  });

  it('a rotation and a revocation of one key leave the old key ended', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { live, keyId } = await openAccount();
      const [rotated, revoked] = await Promise.all([
        operator.post('/admin/keys/rotate', { id: keyId, overlap_seconds: DAY_SECONDS }),
        operator.post('/admin/keys/revoke', { id: keyId }),
      ]);
      assert.equal(revoked.body.revoked, 1, revoked.text);
      assert.ok([201, 409].includes(rotated.status), rotated.text);
      assert.equal(await statusOf(live), '401 invalid_token');
    }
  });
});

describe('keys of processes with different clocks', () => {
  const { services } = second.running;
  const ahead = (ms: number) => ({ ...services, clock: { ...clock, now: () => new Date(clock.now().getTime() + ms) } });
  const END = { sessions: false, webhooks: false };
  /** A change of one process reaches others within a second. */
  const awaitEnd = (key: string) =>
    waitUntil('the key has ended', async () => (await statusOf(key)) === '401 invalid_token');

  it('401 for a revoked key, also after a later rotation by a process whose clock is behind', async () => {
    const { live, keyId, byName } = await openAccount();
    const next = await rotate({ ...byName, overlap_seconds: DAY_SECONDS });
    await revokeKey(ahead(10 * MINUTE_MS), { id: keyId }, END, FIRST_START);
    await awaitEnd(live);
    await rotate({ id: next.id, overlap_seconds: 300 });
    assert.equal(await statusOf(live), '401 invalid_token');
  });

  it('401 for a key in its overlap that a process revokes whose clock is past the overlap', async () => {
    const { live, keyId, byName } = await openAccount();
    await rotate({ ...byName, overlap_seconds: 60 });
    assert.equal(await statusOf(live), '200');
    const { isRevoked } = await revokeKey(ahead(2 * MINUTE_MS), { id: keyId }, END, FIRST_START);
    assert.ok(isRevoked);
    await awaitEnd(live);
  });

  it('401 for a replaced key when a process rotates its successor whose clock is past the overlap', async () => {
    const { live, byName } = await openAccount();
    const next = await rotate({ ...byName, overlap_seconds: 60 });
    await rotateApiKey(ahead(2 * MINUTE_MS), { id: next.id }, 0, FIRST_START);
    await awaitEnd(next.key);
    assert.equal(await statusOf(live), '401 invalid_token');
  });
});

describe('the limit of keys', () => {
  it('409 key_limit for a rotation of an expired key beside 20 working ones', async () => {
    const { byName, keyId } = await openAccount();
    clock.advance(91 * DAY_MS);
    for (let index = 1; index <= 20; index += 1)
      assert.equal((await operator.post('/admin/keys', { ...byName, name: `key ${index}` })).status, 201);
    const refused = await operator.post('/admin/keys/rotate', { id: keyId });
    assert.deepEqual([refused.status, refused.body.error], [409, 'key_limit']);
    assert.match(refused.body.message, /Revoke a key that you no longer use/);
  });

  it('409 key_limit beyond 20 working keys, also for a rotation with an overlap; others still work', async () => {
    const { byName, keyId } = await openAccount();
    for (let index = 1; index < 20; index += 1)
      assert.equal((await operator.post('/admin/keys', { ...byName, name: `key ${index}` })).status, 201);
    const refused = await operator.post('/admin/keys', { ...byName, name: 'one more' });
    assert.deepEqual([refused.status, refused.body.error, refused.body.details], [409, 'key_limit', { limit: 20 }]);
    const overlapping = await operator.post('/admin/keys/rotate', { id: keyId, overlap_seconds: 60 });
    assert.deepEqual([overlapping.status, overlapping.body.error], [409, 'key_limit']);
    assert.match(overlapping.body.message, /rotate without an overlap/);
    await rotate({ id: keyId });
    await operator.post('/admin/keys/revoke', { ...byName, name: 'key 1' });
    await rotate({ ...byName, overlap_seconds: 60 });
    assert.equal(
      (await operator.post('/admin/keys', { ...byName, name: 'one more' })).status,
      409,
      'the overlap counts',
    );
    clock.advance(2 * MINUTE_MS);
    assert.equal((await operator.post('/admin/keys', { ...byName, name: 'one more' })).status, 201);
  });

  it('201 for one of several keys that are created in parallel for the last place', async () => {
    const { name, byName } = await openAccount();
    for (let index = 1; index < 19; index += 1)
      assert.equal((await operator.post('/admin/keys', { ...byName, name: `key ${index}` })).status, 201);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => operator.post('/admin/keys', { ...byName, name: `last ${index}` })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
    assert.equal((await listKeys(name)).length, 20);
  });
});

describe('renaming a key', () => {
  it('200 the key keeps working under its new name, and the old name is free', async () => {
    const { name, live, keyId, byName } = await openAccount();
    const renamed = await operator.patch(`/admin/keys/${keyId}`, { name: 'web backend' });
    assert.equal(renamed.status, 200, renamed.text);
    assert.deepEqual([renamed.body.id, renamed.body.name, renamed.body.status], [keyId, 'web backend', 'active']);
    assert.equal((await operator.patch(`/admin/keys/${keyId}`, { name: 'web backend' })).status, 200, 'again');
    assert.equal(await statusOf(live), '200');
    assert.equal((await operator.post('/admin/keys/rotate', byName)).status, 404);
    assert.equal((await operator.post('/admin/keys', byName)).status, 201);
    assert.deepEqual((await listKeys(name)).map((key) => key.name).sort(), ['default', 'web backend']);
  });

  it('200 a rotation at once also ends a key that was replaced under another name', async () => {
    const { live, keyId, byName } = await openAccount();
    const next = await rotate({ id: keyId, overlap_seconds: DAY_SECONDS });
    await operator.patch(`/admin/keys/${next.id}`, { name: 'renamed' });
    await rotate({ ...byName, name: 'renamed' });
    assert.deepEqual(await statusesOf([live, next.key]), ['401 invalid_token', '401 invalid_token']);
  });

  it('409 name_taken, 409 key_ended, 404 and 400', async () => {
    const { keyId, byName } = await openAccount();
    assert.equal((await operator.post('/admin/keys', { ...byName, name: 'other' })).status, 201);
    const taken = await operator.patch(`/admin/keys/${keyId}`, { name: 'other' });
    assert.deepEqual([taken.status, taken.body.error, taken.body.details], [409, 'name_taken', { name: 'other' }]);
    for (const name of ['', 'x'.repeat(101), 'tab\t', 7])
      assert.equal((await operator.patch(`/admin/keys/${keyId}`, { name })).status, 400, String(name));
    assert.equal((await operator.patch(`/admin/keys/${keyId}`, { name: 'x'.repeat(100) })).status, 200);
    assert.equal((await operator.patch(`/admin/keys/${ABSENT_ID}`, { name: 'x' })).status, 404);
    assert.equal((await operator.patch('/admin/keys/nonsense', { name: 'x' })).status, 404);
    await operator.post('/admin/keys/revoke', { id: keyId });
    const ended = await operator.patch(`/admin/keys/${keyId}`, { name: 'x' });
    assert.deepEqual([ended.status, ended.body.error], [409, 'key_ended']);
    assert.match(ended.body.message, /^This key ended on /);
  });
});

describe('the list of keys', () => {
  it('200 has every field, and filters by account and environment', async () => {
    const { name, live, byName } = await openAccount();
    await operator.post('/admin/keys', { ...byName, name: 'second' });
    const [, first] = await listKeys(name);
    const { id, created_at, expires_at, ...rest } = first;
    assert.deepEqual(rest, {
      account: name,
      environment: 'live',
      name: 'default',
      last_four: live.slice(-4),
      status: 'active',
      created_by: 'operator',
      expires_soon: false,
      ends_at: null,
      replaced_by: null,
      last_used_at: null,
      last_used_agent: null,
    });
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 90 * DAY_MS);
    const both = (await operator.get(`/admin/keys?account=${encodeURIComponent(name)}`)).body.data as JsonBody[];
    assert.deepEqual(both.map((key) => key.environment).sort(), ['live', 'live', 'sandbox']);
    const all = (await operator.get('/admin/keys')).body.data as JsonBody[];
    assert.ok(all.length > both.length);
    assert.equal(all.find((key) => key.account === 'default').created_by, 'first_start');
    assert.equal((await operator.get('/admin/keys?environment=test')).status, 400);
  });

  it('404 for an account that does not exist, by name or id', async () => {
    for (const account of ['no-such-account', randomUUID()]) {
      const answer = await operator.get(`/admin/keys?account=${account}`);
      assert.deepEqual([answer.status, answer.body.error], [404, 'not_found']);
    }
  });
});

describe('the audit log', () => {
  it('has an entry for each creation, rotation, renaming and revocation, and none for refused ones', async () => {
    const { id: accountId, keyId } = await openAccount();
    const next = await rotate({ id: keyId, overlap_seconds: 60 });
    await operator.patch(`/admin/keys/${next.id}`, { name: 'renamed' });
    await operator.post('/admin/keys/revoke', { id: next.id });
    await operator.post('/admin/keys/revoke', { id: next.id });
    assert.equal((await operator.post('/admin/keys/rotate', { id: keyId })).status, 409);
    const rows = await db.query<{ actor: string; action: string; subject: string }>(
      `select actor, action, subject from audit_log where account_id = $1 and environment = 'live' order by at, id`,
      [accountId],
    );
    assert.deepEqual(
      rows.map(({ actor, action, subject }) => `${actor} ${action} ${subject === keyId ? 'old' : 'new'}`).sort(),
      [
        'operator api_key.created new',
        'operator api_key.created old',
        'operator api_key.renamed new',
        'operator api_key.revoked new',
        'operator api_key.rotated old',
      ],
    );
  });
});
