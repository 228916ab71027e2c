// kill -9 while a deleted account is erased: the next start continues, and in the end no row of the account is left.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Queryable } from '../../src/platform/db/database.ts';
import { countRowsOf } from '../support/rows-of-account.ts';
import {
  openServiceHarness,
  operatorOf,
  queryEmbedded,
  type ReadyService,
  waitFor,
} from '../support/service-process.ts';
import { createApi } from '../support/test-api.ts';
import { startPhone } from '../support/test-phone.ts';
import { createUser } from '../support/test-users.ts';

const USERS = 300;
const LIMIT_MS = 120_000; // the job of a killed worker is retried within seconds

describe('kill -9 during the deletion of an account', () => {
  it('is continued by the next start, and leaves no row', { timeout: 4 * LIMIT_MS }, async (t) => {
    const harness = await openServiceHarness(t);
    const first = await harness.start().ready();
    const { accountId, users } = await fillAccount(first);
    const count = async () => {
      const [row] = await queryEmbedded<{ count: number }>(
        harness.dataDir,
        'select count(*)::int as count from users where account_id = $1',
        [accountId],
      );
      return row?.count ?? 0;
    };
    assert.equal(await count(), USERS + users.length);

    assert.equal((await operatorOf(first).delete(`/admin/accounts/${accountId}`)).status, 202);
    const left = await waitFor('the first users are erased', LIMIT_MS, async () => {
      const users = await count();
      return users < USERS - 20 && users;
    });
    assert.ok(left > 0, 'the kill meets a deletion that is not complete');
    await first.end('SIGKILL');

    await harness.start().ready();
    await waitFor('the account is gone', LIMIT_MS, async () => {
      const rows = await queryEmbedded(harness.dataDir, 'select 1 from accounts where id = $1', [accountId]);
      return rows.length === 0;
    });
    // Counts of the last requests may be written after the account is removed; the last sweep removes them.
    await queryEmbedded(
      harness.dataDir,
      `update graphile_worker._private_jobs set run_at = now() where key like '%' || $1`,
      [accountId],
    );
    const db = { query: (text: string, values: unknown[]) => queryEmbedded(harness.dataDir, text, values) };
    const ids = [accountId, ...users];
    await waitFor('no row is left', LIMIT_MS, async () => {
      const rows = await countRowsOf(db as unknown as Queryable, ids);
      return Object.keys(rows).length === 0;
    });
  });
});

/** Two users with uploads and a webhook, and many users without data. */
async function fillAccount(service: ReadyService): Promise<{ accountId: string; users: string[] }> {
  const operator = operatorOf(service);
  const account = await operator.post('/admin/accounts', { name: 'acme' });
  const key = (await operator.post('/admin/keys', { account: 'acme', environment: 'live' })).body.key;
  const api = (token: string | null = key) => createApi(service.url, token);
  await api().post('/v1/webhooks', { url: 'https://example.org/hook', events: ['*'] });
  const users: string[] = [];
  for (let index = 0; index < 2; index += 1) {
    const { id } = await createUser(api(), { timezone: 'Europe/Berlin' });
    const phone = await startPhone({ api }, id, { key });
    await phone.upload({
      samples: [{ metric: 'steps', start: '2026-01-05T10:00:00Z', end: '2026-01-05T10:10:00Z', value: 900 }],
    });
    users.push(id);
  }
  await queryEmbedded(
    service.dataDir,
    `insert into users (id, account_id, environment, reference_id, score_status, created_at)
     select gen_random_uuid(), $1, 'live', $2 || n, 'calibrating', now() from generate_series(1, $3::int) n`,
    [account.body.id, `person ${randomUUID()} `, USERS],
  );
  return { accountId: account.body.id, users };
}
