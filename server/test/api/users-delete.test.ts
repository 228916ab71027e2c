// Tests deleting a user: invisible at once, erased by a job.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eraseUserJob } from '../../src/features/people/users/index.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser, newReference, USER_FORMS } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const service = await startTestService({ environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
const sink = await startSink();
after(async () => {
  await service.stop();
  await sink.close();
});
const api = service.api();
const { db } = service.running.services;

const TABLES_OF_A_PERSON = [
  ['users', 'id'],
  ['user_zones', 'user_id'],
  ['devices', 'user_id'],
  ['mobile_tokens', 'user_id'],
] as const;

async function countRows(table: string, column: string, id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*)::int as count from ${table} where ${column} = $1`, [
    id,
  ]);
  return row?.count ?? -1;
}

async function waitForErasure(id: string): Promise<void> {
  await waitUntil(`erasure of ${id}`, async () => (await countRows('users', 'id', id)) === 0);
}

async function isWaiting(table: string): Promise<boolean> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%' || $1 || '%'`,
    [table],
  );
  return (row?.count ?? 0) > 0;
}

describe('DELETE /v1/users/{id}', () => {
  for (const { form, unwrap } of USER_FORMS) {
    it(`202 in Form ${form}`, async () => {
      const { id } = await createUser(api);
      const answer = await api.delete(`/v1/users/${id}`, { headers: { 'api-form': form } });
      assert.equal(answer.status, 202);
      assert.deepEqual(unwrap(answer.body), { id, status: 'deleting' });
      assert.deepEqual(Object.keys(answer.body), form === '1' ? ['data'] : ['id', 'status']);
    });
  }

  it('202 for the id in capital letters', async () => {
    const { id } = await createUser(api);
    const answer = await api.delete(`/v1/users/${id.toUpperCase()}`, { headers: { 'api-form': '2' } });
    assert.deepEqual(answer.body, { id, status: 'deleting' });
  });

  it('404 from then on for read, change, delete and tokens; not in lists; the count drops; the reference is free', async () => {
    const account = await createAccount(service);
    const own = service.api(account.live);
    const [staying, leaving] = [await createUser(own), await createUser(own)];
    assert.equal((await own.delete(`/v1/users/${leaving.id}`)).status, 202);
    for (const answer of [
      await own.get(`/v1/users/${leaving.id}`),
      await own.patch(`/v1/users/${leaving.id}`, { timezone: null }),
      await own.delete(`/v1/users/${leaving.id}`),
      await own.post('/v1/auth/user-token', { user_id: leaving.id }),
      await own.post('/v1/auth/user-token/refresh', { user_id: leaving.id }),
      await own.post('/v1/auth/mobile-token', { user_id: leaving.id }),
    ]) {
      assert.equal(answer.status, 404);
      assert.equal(answer.body.message, `User ${leaving.id} was not found.`);
    }
    const list = await own.get('/v1/users?page=1');
    assert.equal(list.body.meta.total, 1);
    assert.equal(list.body.data[0].id, staying.id);
    const again = await createUser(own, { external_ref: leaving.external_ref });
    assert.notEqual(again.id, leaving.id);
    assert.equal((await own.get('/v1/users?page=1')).body.meta.total, 2);
  });

  it('404 for another account’s user, who stays', async () => {
    const stranger = service.api((await createAccount(service)).live);
    const { id } = await createUser(api);
    assert.equal((await stranger.delete(`/v1/users/${id}`)).status, 404);
    assert.equal((await service.api(service.keys.sandbox).delete(`/v1/users/${id}`)).status, 404);
    assert.equal((await api.get(`/v1/users/${id}`)).status, 200);
  });

  it('202 once and 404 for the others when many calls delete one user at once; the count drops once', async () => {
    const account = await createAccount(service);
    const own = service.api(account.live);
    const users = [await createUser(own), await createUser(own)];
    const answers = await Promise.all(Array.from({ length: 10 }, () => own.delete(`/v1/users/${users[0].id}`)));
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [202, ...Array(9).fill(404)]);
    assert.equal((await own.get('/v1/users?page=1')).body.meta.total, 1);
  });

  it('202 and then emits only the deletion, even for deliveries that were about to start', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    let isOpen = false;
    sink.answer('/gate', (response) => void waitUntil('the gate', () => isOpen).then(() => response.end()));
    const hook = await api.post('/v1/webhooks', { url: sink.url('/gate'), events: ['data.updated', 'user.deleted'] });
    const sample = { metric: 'steps', start: '2026-03-01T08:00:00Z', end: '2026-03-01T08:10:00Z' };
    for (let value = 901; value <= 906; value += 1) await phone.upload({ samples: [{ ...sample, value }] });
    const claimed = 'select 1 from webhook_deliveries where webhook_id = $1 and claim is not null';
    await waitUntil('claims', async () => (await db.query(claimed, [hook.body.data.id])).length > 2);
    const countReported = (type: string) =>
      sink.at('/gate').filter(({ body }) => JSON.parse(body).event_type === type).length;
    assert.equal((await api.delete(`/v1/users/${id}`)).status, 202);
    const before = countReported('data.updated');
    isOpen = true;
    await waitUntil('the event of the deletion', () => countReported('user.deleted') > 0);
    assert.equal(countReported('data.updated'), before);
  });

  it('202 and the job removes every row of the user, writes one audit line, and may run twice', async () => {
    const { id, external_ref } = await createUser(api, {
      timezone: 'Europe/Berlin',
      metadata: { note: newReference() },
      profile: { birth_date: '1984-02-29' },
    });
    await db.query(
      `insert into devices (user_id, id, provider, status) values ($1, gen_random_uuid(), 'oura', 'active')`,
      [id],
    );
    assert.equal((await api.post('/v1/auth/mobile-token', { user_id: id })).status, 200);
    for (const [table, column] of TABLES_OF_A_PERSON) assert.equal(await countRows(table, column, id), 1, table);

    assert.equal((await api.delete(`/v1/users/${id}`)).status, 202);
    await waitForErasure(id);
    for (const [table, column] of TABLES_OF_A_PERSON) assert.equal(await countRows(table, column, id), 0, table);
    const holders = await db.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id'`,
    );
    for (const { name } of holders) {
      // Only the fact of the deletion may remain.
      const rows = await db.query(
        `select 1 from ${name} t where user_id = $1 and to_jsonb(t)::text not like '%user.deleted%'`,
        [id],
      );
      assert.equal(rows.length, 0, name);
    }
    await eraseUserJob.run(service.running.services, { user_id: id });

    const lines = await db.query<{ line: string }>(
      'select to_json(a)::text as line from audit_log a where subject = $1',
      [`sha256:${service.running.services.derivedSecrets.of(`erased user ${id}`)}`],
    );
    assert.equal(lines.length, 1);
    const line = JSON.parse(lines[0]?.line ?? '{}');
    assert.equal(line.action, 'user.erased');
    assert.equal(line.environment, 'live');
    for (const text of [id, external_ref]) assert.ok(!lines[0]?.line.includes(text), 'nothing of the user');
  });

  it('202 and the erasure does not wait for that of another user whose calls share a block of the request log', async () => {
    const [slow, quick] = [await createUser(api), await createUser(api)];
    await service.running.services.requestLog.flush();
    await Promise.all([slow, quick].map(({ id }) => api.get(`/v1/users/${id}`)));
    await service.running.services.requestLog.flush();
    await db.transaction(async (tx) => {
      await tx.query('select 1 from user_zones where user_id = $1 for update', [slow.id]);
      await api.delete(`/v1/users/${slow.id}`);
      await waitUntil('the erasure that waits for a lock', () => isWaiting('user_zones'));
      await api.delete(`/v1/users/${quick.id}`);
      await waitUntil('the other erasure', async () => {
        assert.equal(await isWaiting('request_blocks'), false);
        return (await countRows('users', 'id', quick.id)) === 0;
      });
      assert.equal(await countRows('users', 'id', slow.id), 1);
    });
    await waitForErasure(slow.id);
  });

  it('202 and a job for a user who was not deleted changes nothing', async () => {
    const { id } = await createUser(api);
    await eraseUserJob.run(service.running.services, { user_id: id });
    assert.equal((await api.get(`/v1/users/${id}`)).status, 200);
  });
});
