// No secret that the service issues is readable in its database.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { searchDatabase } from '../support/search-database.ts';
import { createMember, PASSWORD } from '../support/test-members.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';

const service = await startTestService({ role: 'api', environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
after(() => service.stop());

it('keys, tokens, passwords and secrets are found in no column of any table', async () => {
  const { db } = service.running.services;
  const account = await createAccount(service);
  const api = service.api(account.live);
  const { id: userId } = await createUser(api);
  const owner = await createMember(service, account.name, 'owner');
  const webhook = await api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/in', events: ['*'] });
  assert.equal(webhook.status, 201, webhook.text);
  const rotated = await api.post(`/v1/webhooks/${webhook.body.data.id}/rotate-secret`);
  const session = { installation_id: randomUUID(), platform: 'ios' };
  const headers = { 'idempotency-key': randomUUID() };
  const bootstrap = await api.post(`/v1/users/${userId}/sdk-sessions`, session, { headers });
  const exchanged = await service
    .api(null)
    .post('/v1/sdk/sessions/exchange', { client_token: bootstrap.body.client_token });
  const phone = await startPhone(service, userId, { key: account.live });
  const tokenOf = async (kind: string) => (await api.post(`/v1/auth/${kind}`, { user_id: userId })).body.token;
  const secrets: Record<string, string> = {
    live: account.live,
    sandbox: account.sandbox,
    password: PASSWORD,
    cookie: owner.cookie.split('=')[1] ?? '',
    webhook: webhook.body.data.secret,
    rotated: rotated.body.data.secret,
    client: bootstrap.body.client_token,
    access: exchanged.body.access_token,
    refresh: exchanged.body.refresh_token,
    upload: phone.accessToken,
    user: await tokenOf('user-token'),
    mobile: await tokenOf('mobile-token'),
    operator: service.operatorToken,
  };
  for (const [name, secret] of Object.entries(secrets)) assert.ok(secret?.length > 20, `${name}: ${secret}`);
  assert.ok((await searchDatabase(db, { account: account.id })).length > 0, 'the search finds what is there');
  assert.deepEqual(await searchDatabase(db, secrets), []);
  const bare = Object.entries(secrets).map(([name, secret]) => [
    name,
    secret.replace(/^(whsec|[a-z]+_[a-z]+|[a-z]+)_/, ''),
  ]);
  assert.deepEqual(await searchDatabase(db, Object.fromEntries(bare)), [], 'without their prefixes');
});
