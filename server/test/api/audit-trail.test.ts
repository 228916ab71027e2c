// The audit trail: acts and reads reach it, tampering is found, the retention cuts it, and an erasure forgets the name of a user.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { verifyInParts } from '../../src/cli/audit-command.ts';
import { runCli } from '../support/run-cli.ts';
import { searchDatabase } from '../support/search-database.ts';
import type { TestApi } from '../support/test-api.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { openPage, submitForm } from '../support/test-pages.ts';
import { createRosterSide, newAddress } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const printed: string[] = [];
const service = await startTestService({ printedLines: printed });
after(() => service.stop());
const { auditTrail, db } = service.running.services;
const account = await createAccount(service);
const api = service.api(account.live);
const roster = createRosterSide(api, printed);
/** Of the process that chains entries (store.ts). */
const AUDIT_LOCK = 0x7269_7667;
const WAITS_FOR_LOCK = `select 1 from pg_locks where locktype = 'advisory' and objid = ${AUDIT_LOCK} and not granted`;
const today = new Date().toISOString().slice(0, 10);

type Entry = {
  position: number;
  action: string;
  subject: string;
  user: string | null;
  users?: string[];
  actor: string;
  actor_id: string | null;
  via: string;
  request_id: string | null;
};

async function listChained(): Promise<Entry[]> {
  await auditTrail.flush();
  await waitUntil('the inbox is empty', async () => (await db.query('select 1 from audit_inbox')).length === 0);
  const rows = await db.query<{ position: number; entry: string }>(
    'select position::int, entry from audit_trail order by position',
  );
  return rows.map(({ position, entry }) => ({ position, ...JSON.parse(entry) }));
}

/** The entries of this call. */
async function listReads(key: TestApi, path: string): Promise<Entry[]> {
  const { headers, status } = await key.get(path);
  assert.equal(status, 200);
  return (await listChained()).filter(({ request_id }) => request_id === headers.get('x-request-id'));
}

/** The name of a user in the trail. Ask one after the other, because reads within a second share an entry. */
async function nameOf(key: TestApi, userId: string): Promise<string> {
  const [entry] = await listReads(key, `/v1/users/${userId}/restrictions`);
  return entry?.user ?? assert.fail('no entry');
}

const listRows = (userId: string) => db.query('select 1 from users where id = $1', [userId]);

async function listTraces(wanted: Record<string, string>): Promise<string[]> {
  return (await searchDatabase(db, wanted)).filter((trace) => trace.startsWith('public.audit_'));
}

const verify = async (expected: string | null = null) =>
  (await service.operator().post('/admin/audit/verify', { expected })).body;

describe('reads of health data', () => {
  it('are recorded once per credential, user, resource and hour, with the user named by hash', async () => {
    const { id } = await createUser(api);
    const token = (await api.post('/v1/auth/user-token', { user_id: id })).body.token;
    const daily = `/v1/users/${id}/daily?types=steps&from_date=${today}&to_date=${today}`;
    const scores = `/v1/users/${id}/scores?from_date=${today}&to_date=${today}`;
    for (const path of [daily, daily, daily, scores]) assert.equal((await api.get(path)).status, 200);
    assert.equal((await service.api(token).get(daily)).status, 200);
    assert.equal((await api.get(`/v1/users/${id}/daily?from_date=x`)).status, 400);
    const reads = (await listChained()).filter((entry) => entry.action === 'health_data.read');
    const seen = reads.map(({ actor, subject }) => `${actor} ${subject}`).sort();
    assert.deepEqual(seen, ['api_key daily', 'api_key scores', 'user_token daily']);
    assert.equal(new Set(reads.map(({ user }) => user)).size, 1);
    assert.match(reads[0]?.user ?? '', /^user:[\w-]{43}$/);
    assert.doesNotMatch(JSON.stringify(reads), new RegExp(id));
  });

  it('include lists of users: one entry, which names the users of the page', async () => {
    const listed = await createAccount(service);
    const key = service.api(listed.live);
    const users = [await createUser(key), await createUser(key), await createUser(key)];
    const names: string[] = [];
    for (const { id } of users) names.push(await nameOf(key, id));
    const newest = await listReads(key, '/v1/users?limit=2');
    assert.equal(newest.length, 1);
    assert.deepEqual(newest[0]?.users?.toSorted(), names.slice(1).sort());
    assert.deepEqual([newest[0]?.subject, newest[0]?.user], ['users', null]);
    const [oldest] = await listReads(key, `/v1/users?external_ref=${users[0]?.external_ref}`);
    assert.deepEqual(oldest?.users, [names[0]]);
    assert.deepEqual(await listReads(key, '/v1/users?limit=50'), [], 'once per hour');
  });

  it('include the list of users in the dashboard, which has scores', async () => {
    const listed = await createAccount(service);
    const key = service.api(listed.live);
    const { id } = await createUser(key);
    const member = memberApi(service, (await createMember(service, listed.name, 'viewer')).cookie);
    const [entry, ...more] = await listReads(member, '/dashboard/api/live/users');
    assert.deepEqual(more, []);
    assert.deepEqual([entry?.actor, entry?.via, entry?.subject], ['member', 'dashboard', 'users']);
    assert.deepEqual(entry?.users, [await nameOf(key, id)]);
  });

  it('of lists forget an erased user, also if the entry is not chained yet', async () => {
    const { live } = await createAccount(service);
    const key = service.api(live);
    const [{ id }, other] = [await createUser(key), await createUser(key)];
    const [erased, kept] = [await nameOf(key, id), await nameOf(key, other.id)];
    assert.equal((await key.get('/v1/users')).status, 200);
    await db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [AUDIT_LOCK]); // no entry is chained meanwhile
      await auditTrail.flush();
      const rows = await tx.query<{ text: string }>(
        "select entry::text as text from audit_inbox where entry ? 'users'",
      );
      assert.match(rows[0]?.text ?? '', new RegExp(id));
      assert.equal((await key.delete(`/v1/users/${id}`)).status, 202);
      await waitUntil('the erasure waits for the lock', async () => (await db.query(WAITS_FOR_LOCK)).length > 0);
    });
    await waitUntil('the erasure', async () => (await listRows(id)).length === 0);
    const [entry] = (await listChained()).filter(({ users }) => users?.includes(erased ?? ''));
    assert.deepEqual(entry?.users?.toSorted(), [erased, kept].sort());
    assert.deepEqual(await listTraces({ user: id }), []);
    assert.equal((await verify()).broken, null);
  });

  it('include the profile that a change of a user returns', async () => {
    const { id } = await createUser(api);
    const { headers } = await api.patch(`/v1/users/${id}`, { timezone: 'Europe/Berlin' });
    const entries = (await listChained()).filter(({ request_id }) => request_id === headers.get('x-request-id'));
    const seen = entries.map(({ action, subject }) => [action, action === 'health_data.read' ? subject : 'user']);
    assert.deepEqual(seen.sort(), [
      ['health_data.read', 'profile'],
      ['user.changed', 'user'],
    ]);
  });

  it('include previews of consolidation settings, however the parameter is written, and no changes', async () => {
    const { id } = await createUser(api);
    const change = { metrics: { steps: { method: 'priority' } } };
    const path = `/v1/users/${id}/consolidation`;
    const countReads = async () => (await listChained()).filter(({ subject }) => subject === 'consolidation').length;
    const before = await countReads();
    const changed = await api.patch(path, change);
    assert.equal(changed.status, 202, changed.text);
    assert.equal(await countReads(), before);
    assert.equal((await api.patch(`${path}?pr%65view=true`, change)).status, 200);
    assert.equal(await countReads(), before + 1);
  });

  it('are recorded before the first byte of an export is sent', async (t) => {
    const { id } = await createUser(api);
    const recorded: string[] = [];
    t.mock.method(auditTrail, 'recordRead', ({ route }: { route: string }) => void recorded.push(route));
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    t.after(() => socket.destroy());
    socket.write(`GET /v1/users/${id}/export?format=fhir HTTP/1.1\r\nHost: test\r\n`);
    socket.write(`Authorization: Bearer ${account.live}\r\n\r\n`);
    await once(socket, 'readable');
    assert.equal(recorded[0], '/v1/users/:user_id/export');
    await waitUntil('the end of the response', () => recorded.length === 2);
  });

  it('of an erased user stay, under a name that nobody can compute again', async () => {
    const { id } = await createUser(api);
    assert.equal((await api.get(`/v1/users/${id}`)).status, 200);
    const named = (await listChained()).findLast((entry) => entry.subject === 'profile')?.user;
    const saltOf = () => db.query('select 1 from audit_salts where user_id = $1', [id]);
    assert.equal((await saltOf()).length, 1);
    assert.equal((await api.get(`/v1/users/${id}/devices`)).status, 200); // may be flushed after the erasure
    assert.equal((await api.delete(`/v1/users/${id}`)).status, 202);
    await waitUntil('the erasure', async () => (await listRows(id)).length === 0);
    const entries = await listChained();
    assert.equal(entries.filter(({ user }) => user === named).length > 0, true);
    assert.equal((await saltOf()).length, 0);
    assert.deepEqual(await listTraces({ user: id }), []);
    assert.equal((await verify()).broken, null);
  });
});

describe('people on hosted pages', () => {
  /** Of the person, under the name that reads of the API key have. */
  const listOwn = async (name: string | null) =>
    (await listChained()).filter(({ actor, user }) => actor === 'person' && user === name);
  const seen = (entries: readonly Entry[]) => entries.map(({ action, via }) => `${action} ${via}`);

  it('are recorded: joining, what they see and export, the end and the return of sharing, and a new link', async () => {
    const { id, user_id, portalLink } = await roster.join(newAddress());
    const name = await nameOf(api, user_id);
    assert.deepEqual(seen(await listOwn(name)), ['sharing.started invitation']);
    for (const _look of [1, 2]) assert.equal((await openPage(portalLink)).status, 200);
    const file = await submitForm(portalLink, { member: id, decision: 'export', format: 'daily' });
    assert.equal(file.status, 200);
    for (const decision of ['stop', 'keep']) await submitForm(portalLink, { member: id, decision });
    for (const decision of ['stop_now', 'stop_now', 'resume'])
      assert.equal((await submitForm(portalLink, { member: id, decision })).status, 200);
    assert.equal((await submitForm(portalLink, { decision: 'replace_link' })).status, 200);
    const entries = (await listOwn(name)).slice(1);
    assert.deepEqual(seen(entries).sort(), [
      'health_data.read portal',
      'health_data.read portal',
      'portal_link.rotated portal',
      'sharing.ended portal',
      'sharing.resumed portal',
    ]);
    const reads = entries.filter(({ action }) => action === 'health_data.read');
    assert.deepEqual(reads.map(({ subject }) => subject).sort(), ['export', 'portal']);
    for (const { actor_id, request_id } of entries) {
      assert.equal(actor_id, null);
      assert.match(request_id ?? '', /^req_/);
    }
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(`${id}|${user_id}`));
  });

  it('are not recorded if they are refused', async () => {
    const [mine, theirs] = [await roster.join(newAddress()), await roster.join(newAddress())];
    const names = [await nameOf(api, mine.user_id), await nameOf(api, theirs.user_id)];
    for (const decision of ['stop_now', 'export', 'erase_for_good'])
      assert.equal((await submitForm(mine.portalLink, { member: theirs.id, decision })).status, 400);
    for (const name of names) assert.deepEqual(seen(await listOwn(name)), ['sharing.started invitation']);
  });

  it('are recorded when they erase themselves, and keep a name that nobody can compute again', async () => {
    const { id, user_id, portalLink } = await roster.join(newAddress());
    const name = await nameOf(api, user_id);
    assert.equal((await openPage(portalLink)).status, 200);
    await auditTrail.flush(); // a read that is written after the deletion names nobody
    assert.equal((await submitForm(portalLink, { member: id, decision: 'erase_for_good' })).status, 200);
    await waitUntil('the erasure', async () => (await listRows(user_id)).length === 0);
    assert.deepEqual(seen(await listOwn(name)).sort(), [
      'health_data.read portal',
      'sharing.started invitation',
      'user.deleted portal',
    ]);
    assert.deepEqual(await db.query('select 1 from audit_salts where user_id = $1', [user_id]), []);
    assert.deepEqual(await listTraces({ user: user_id, member: id }), []);
    assert.equal((await verify()).broken, null);
  });
});

describe('administrative acts', () => {
  it('are recorded with actor, action and subject', async () => {
    const { name } = await createAccount(service);
    const acts = (await listChained()).filter(({ actor }) => actor === 'operator');
    assert.ok(
      acts.some(({ action }) => action === 'api_key.created'),
      name,
    );
  });
});

describe('the trail', () => {
  let head = '';
  before(async () => {
    await listChained();
    head = (await verify()).head;
  });

  it('refuses updates, deletions and truncation', async () => {
    for (const sql of ['update audit_trail set entry = entry', 'delete from audit_trail', 'truncate audit_trail'])
      await assert.rejects(db.query(sql), /append-only/);
  });

  /** Changes the trail as somebody who owns the database could, looks, and changes it back. */
  async function whileChanged(sql: string, work: (found: { broken: unknown; entries: number }) => void): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.query('create table kept_trail as select * from audit_trail');
      await tx.query('create table kept_marks as select * from audit_marks');
      await tx.query("select set_config('tributary.audit_cut', 'on', true)");
      await tx.query('alter table audit_trail disable trigger user');
      await tx.query(sql);
    });
    try {
      work(await verify());
    } finally {
      await db.transaction(async (tx) => {
        await tx.query('delete from audit_trail');
        await tx.query('insert into audit_trail select * from kept_trail');
        await tx.query('delete from audit_marks');
        await tx.query('insert into audit_marks select * from kept_marks');
        await tx.query('alter table audit_trail enable trigger user');
        await tx.query('drop table kept_trail, kept_marks');
      });
    }
  }

  for (const [what, sql, broken] of [
    [
      'a changed entry',
      `update audit_trail set entry = entry || ' ' where position = 2`,
      { position: 2, reason: 'changed' },
    ],
    [
      'a changed time',
      `update audit_trail set at = at + interval '1 ms' where position = 3`,
      { position: 3, reason: 'changed' },
    ],
    [
      'a time changed by less than a millisecond',
      `update audit_trail set at = at + interval '1 microsecond' where position = 3`,
      { position: 3, reason: 'changed' },
    ],
    [
      'a time that no calendar has',
      `update audit_trail set at = 'infinity' where position = 3`,
      { position: 3, reason: 'changed' },
    ],
    [
      'a time beyond those of the program',
      `update audit_trail set at = '294000-01-01' where position = 3`,
      { position: 3, reason: 'changed' },
    ],
    ['a removed entry', 'delete from audit_trail where position = 2', { position: 2, reason: 'removed' }],
    ['a removed beginning', 'delete from audit_trail where position <= 2', { position: 1, reason: 'removed' }],
    [
      'two exchanged entries',
      'update audit_trail set position = case position when 2 then -3 else -2 end where position in (2, 3); update audit_trail set position = -position where position < 0',
      { position: 2, reason: 'changed' },
    ],
    [
      'a forged cut',
      `insert into audit_marks values ('cut', 1, (select hash from audit_trail where position = 1), 'x')`,
      { position: 1, reason: 'the cut mark was changed' },
    ],
  ] as const)
    it(`finds ${what}`, () => whileChanged(sql, (found) => assert.deepEqual(found.broken, broken)));

  it('finds removed last entries', async () => {
    const last = Number(head.split(':')[0]);
    await whileChanged(`delete from audit_trail where position = ${last}`, (found) =>
      assert.deepEqual(found.broken, { position: last, reason: 'removed' }),
    );
  });

  it('is compared with the head of an earlier verification', async () => {
    assert.equal((await verify(head)).broken, null);
    const [position] = head.split(':');
    const other = await verify(`${position}:${'0'.repeat(64)}`);
    assert.deepEqual(other.broken, { position: Number(position), reason: 'differs from the expected hash' });
    assert.deepEqual((await verify(`999999:${'0'.repeat(64)}`)).broken?.reason, 'removed');
  });

  it('is cut by its retention and can still be verified', async () => {
    const [third] = await db.query<{ at: Date }>('select at from audit_trail where position = 3');
    const removed = await auditTrail.cut(third?.at ?? new Date(0));
    assert.ok(removed > 0 && removed < 3, `${removed} entries`);
    const found = await verify();
    assert.deepEqual([found.broken, found.cut], [null, removed]);
    assert.equal(await auditTrail.cut(new Date(0)), 0);
  });
});

describe('a part of the trail', () => {
  const verifyPart = async (after: string | null, limit: number) =>
    (await service.operator().post('/admin/audit/verify', { expected: null, after, limit })).body;

  it('is verified from the head of the part before, and all parts are the whole', async () => {
    await listChained();
    const whole = await verify();
    let parts = 0;
    const found = await verifyInParts((after) => {
      parts += 1;
      return verifyPart(after, Math.ceil(whole.entries / 3));
    });
    assert.deepEqual(found, whole);
    assert.ok(parts >= 3);
  });

  it('is broken if the head of the part before is another', async () => {
    const { head } = await verifyPart(null, 1);
    const [position] = head.split(':');
    const found = await verifyPart(`${position}:${'0'.repeat(64)}`, 1);
    assert.deepEqual(found.broken, { position: Number(position) + 1, reason: 'changed' });
  });

  it('400: the head is not one', async () => {
    const { status, body } = await service.operator().post('/admin/audit/verify', { expected: null, after: '7' });
    assert.equal(status, 400);
    assert.deepEqual(body.details.issues, [{ path: 'after', message: 'must be POSITION:HASH' }]);
  });
});

describe('tributary audit verify', () => {
  it('prints the head and exits with 0', async () => {
    const { code, stdout } = await runCli(service, ['audit', 'verify']);
    assert.equal(code, 0);
    const [first] = await db.query<{ at: Date }>('select at from audit_trail order by position limit 1');
    const [, since] = /intact: \d+ entries since (\S+), after \d+ that[\s\S]+\n\d+:[\da-f]{64}\n$/.exec(stdout) ?? [];
    assert.equal(since, first?.at.toISOString(), 'a trail that was emptied begins late');
  });
});
