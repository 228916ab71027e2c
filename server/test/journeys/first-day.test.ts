// A customer's first day through the public API: account, key, users, tokens, a rotated key, a restart, a deletion.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import * as jose from 'jose';
import type { JsonBody } from '../support/test-api.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser, newReference, rotateKey } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

it('a first day, with a restart in the middle', async (t) => {
  const database = await createTestDatabase();
  const options = {
    databaseUrl: database.url,
    environment: { TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') },
  };
  const morning = await startTestService(options);
  let running = morning;
  t.after(async () => {
    await running.stop();
    await database.drop();
  });

  // The operator creates an account; its developer tries the sandbox, then goes live.
  const account = await createAccount(morning);
  const trial = await createUser(morning.api(account.sandbox));
  assert.equal(trial.score_status, 'ready');
  const live = morning.api(account.live);
  assert.equal((await live.get(`/v1/users/${trial.id}`)).status, 404, 'the sandbox is separate');

  // A user created in Form 1 is read in Form 2, and vice versa.
  const reference_id = newReference();
  const written = (await live.post('/v1/users', { reference_id, timezone: 'Europe/Berlin' })).body.data;
  const read: JsonBody = (await live.get(`/v1/users?external_ref=${reference_id}`)).body.data[0];
  assert.deepEqual([read.id, read.external_ref, read.timezone], [written.id, reference_id, 'Europe/Berlin']);
  const second = await createUser(live);
  await createUser(live);

  // Their app gets a token, and verifies it by itself.
  const { token } = (await live.post('/v1/auth/user-token', { user_id: written.id })).body;
  const keys: jose.JSONWebKeySet = (await morning.api(null).get('/.well-known/jwks.json')).body;
  const { payload } = await jose.jwtVerify(token, jose.createLocalJWKSet(keys));
  assert.equal(payload.sub, written.id);

  // A key leaked: a new one is created, and the old one stops working.
  const fresh = await rotateKey(morning, account.name, 'live');
  assert.equal((await live.get('/v1/users')).status, 401);
  const firstPage = (await morning.api(fresh).get('/v1/users?limit=1')).body;

  // The service is updated. All credentials stay valid.
  await morning.stop();
  const afternoon = await startTestService(options);
  running = afternoon;
  const later = afternoon.api(fresh);
  assert.deepEqual(afternoon.running.newKeys, [], 'only the first start creates keys');
  const rest = (await later.get(`/v1/users?limit=10&cursor=${firstPage.next_cursor}`)).body;
  assert.deepEqual([...firstPage.data, ...rest.data].map((user: JsonBody) => user.id).slice(1), [
    second.id,
    written.id,
  ]);
  assert.equal((await afternoon.api(token).get('/v1/users')).status, 403, 'valid, but not for this call');
  assert.equal((await afternoon.api(account.live).get('/v1/users')).status, 401, 'still revoked');

  // One user leaves: invisible at once, erased soon, no longer counted.
  assert.equal((await later.delete(`/v1/users/${written.id}`)).status, 202);
  assert.equal((await afternoon.api(token).get('/v1/users')).status, 401);
  assert.deepEqual((await later.get('/v1/users?page=1')).body.meta.total, 2);
  const { db } = afternoon.running.services;
  await waitUntil(
    'the erasure',
    async () => (await db.query('select 1 from users where id = $1', [written.id])).length === 0,
  );
  assert.equal((await later.post('/v1/users', { reference_id })).status, 201, 'the reference can be reused');
});
