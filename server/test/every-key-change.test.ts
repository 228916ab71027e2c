// Makes every change that API keys can make, and checks that the audit trail has an entry for each.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { publicRoutes } from '../src/routes.ts';
import { LIMIT_MS, startServiceWithSink, userOf } from './support/public-changes.ts';
import type { Answer } from './support/test-api.ts';
import { ABSENT_ID, createAccount } from './support/test-users.ts';

const { service, sink, changes, stop } = await startServiceWithSink();
after(stop);
const { db } = service.running.services;
const account = await createAccount(service);
const keys = { live: service.api(account.live), sandbox: service.api(account.sandbox) };

/** Phones send data and keep their own credentials; they administer nothing. */
const OF_PHONES = ['exchangeSdkToken', 'refreshSdkCredentials', 'revokeCurrentSdkSession', 'uploadData'];

type Entry = { actor: string; actor_id: string | null; via: string; action: string; subject: string };

/** From the inbox, or from the chain that the worker writes meanwhile. */
async function listRecorded({ headers }: Answer): Promise<Entry[]> {
  const rows = await db.query<{ entry: Entry }>(
    `select entry from (select entry from audit_inbox union all select entry::jsonb from audit_trail) as recorded
      where entry ->> 'request_id' = $1`,
    [headers.get('x-request-id')],
  );
  return rows.map(({ entry }) => entry);
}

describe('the changes of API keys', () => {
  it('are all in this test', () => {
    const changing = publicRoutes.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId);
    assert.deepEqual(
      changing.sort(),
      [...Object.keys(changes), ...OF_PHONES].sort(),
      'add the call to public-changes.ts',
    );
  });

  for (const [operation, change] of Object.entries(changes))
    it(`${operation} is recorded with the key`, { timeout: 2 * LIMIT_MS }, async () => {
      const answer = await change({ ...keys, caller: keys });
      assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
      const entries = await listRecorded(answer);
      assert.ok(entries.length > 0);
      for (const { actor, actor_id, via } of entries) {
        assert.deepEqual([actor, via], ['api_key', 'api']);
        assert.ok(actor_id);
      }
      const acts = entries.map(({ action }) => action).filter((action) => action !== 'health_data.read');
      assert.equal(new Set(acts).size, 1, JSON.stringify(entries));
    });

  it('have no values and no secrets in their entries', async () => {
    const reference = 'reference-of-a-person';
    const created = await keys.live.post('/v1/users', { external_ref: reference });
    const token = await keys.live.post('/v1/auth/user-token', { user_id: created.body.id });
    const webhook = await keys.live.post('/v1/webhooks', { url: sink.url('/secret-path'), events: ['*'] });
    const text = JSON.stringify(await Promise.all([created, token, webhook].map(listRecorded)));
    for (const value of [reference, token.body.token, '/secret-path', webhook.body.data.secret])
      assert.equal(text.includes(value), false, value);
  });

  it('are not recorded if they are refused', async () => {
    const refused = await keys.live.patch(`/v1/users/${ABSENT_ID}`, { external_ref: 'x' });
    assert.equal(refused.status, 404);
    assert.deepEqual(await listRecorded(refused), []);
  });

  it('do not fill the audit log that members see', async () => {
    const { headers } = await keys.live.post('/v1/auth/user-token', { user_id: await userOf(keys) });
    const logged = await db.query('select 1 from audit_log where request_id = $1', [headers.get('x-request-id')]);
    assert.equal(logged.length, 0);
  });
});
