// Tests the team roster API: every status of every call.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import type { TestApi } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { submitForm } from '../support/test-pages.ts';
import { createRosterSide, INVITATIONS, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser, issuePaths, newReference } from '../support/test-users.ts';

const clock = createFrozenClock();
const printed: string[] = [];
const service = await startTestService({ clock, printedLines: printed });
after(() => service.stop());
const account = await createAccount(service);
const api = service.api(account.live);
const sandbox = service.api(account.sandbox);
const stranger = service.api((await createAccount(service)).live);
const roster = createRosterSide(api, printed);
const FORMS = ['1', '2'] as const;

describe(`POST ${INVITATIONS}`, () => {
  for (const form of FORMS)
    it(`201 with the invitation in one shape, Form ${form}; the link is printed before the response`, async () => {
      const email = newAddress();
      const body = { email, name: 'Ada', external_ref: newReference(), message: 'Join us.' };
      const answer = await api.post(INVITATIONS, body, { headers: { 'api-form': form } });
      assert.equal(answer.status, 201, answer.text);
      assert.equal(answer.headers.get('api-form'), form);
      const { id, created_at, expires_at, ...rest } = answer.body;
      assert.deepEqual(rest, {
        email,
        name: 'Ada',
        external_ref: body.external_ref,
        status: 'pending',
        member_id: null,
      });
      assert.equal(Date.parse(expires_at) - Date.parse(created_at), 14 * DAY_MS);
      assert.ok(printed.some((line) => line.includes(email) && line.includes(`${service.url}/invitations/`)));
      assert.deepEqual((await api.get(`${INVITATIONS}/${id}`)).body, answer.body);
    });

  it('201 with only an address', async () => {
    const { name, external_ref } = await roster.invite(newAddress());
    assert.deepEqual([name, external_ref], [null, null]);
  });

  it('400 for a missing, invalid or ambiguous address, a name of two lines, and control characters', async () => {
    for (const [body, path] of [
      [{}, 'email'],
      [{ email: 'ada' }, 'email'],
      [{ email: 'ada@' }, 'email'],
      [{ email: `${'a'.repeat(250)}@example.org` }, 'email'],
      [{ email: newAddress(), name: 'Ada\r\nBcc: all@example.org' }, 'name'],
      [{ email: newAddress(), name: ' ' }, 'name'],
      [{ email: newAddress(), name: 'Ada\u2028Lovelace' }, 'name'],
      [{ email: newAddress(), message: 'red \u001b[31m' }, 'message'],
      [{ email: '"eve@example.net x"@example.org' }, 'email'],
      [{ email: '"ada\r\nBcc: all@example.net"@example.org' }, 'email'],
      [{ email: `${'a'.repeat(65)}@example.org` }, 'email'],
      [{ email: 'ada@[127.0.0.1]' }, 'email'],
      [{ email: 'ada@exämple.org' }, 'email'], // the domain must be in punycode
      [{ email: newAddress(), mail: 'x' }, 'mail'],
    ] as const) {
      const answer = await api.post(INVITATIONS, body);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_body']);
      assert.deepEqual([...new Set(issuePaths(answer.body))], [path]);
    }
  });

  it('402 while the account is past due', async () => {
    const poor = await createAccount(service);
    const billing = { billing_status: 'past_due' };
    assert.equal((await service.operator().patch(`/admin/accounts/${poor.id}`, billing)).status, 200);
    for (const [method, path] of [
      ['POST', INVITATIONS],
      ['GET', `${INVITATIONS}/${ABSENT_ID}`],
      ['DELETE', `${INVITATIONS}/${ABSENT_ID}`],
      ['GET', ROSTER],
      ['GET', `${ROSTER}/${ABSENT_ID}`],
      ['PATCH', `${ROSTER}/${ABSENT_ID}`],
      ['DELETE', `${ROSTER}/${ABSENT_ID}`],
    ] as const)
      assert.equal((await service.api(poor.live).call(method, path)).status, 402, `${method} ${path}`);
  });

  it('403 for a sandbox key, before the body is read', async () => {
    const answer = await sandbox.post(INVITATIONS, { email: newAddress() });
    assert.deepEqual([answer.status, answer.body.error], [403, 'insufficient_scope']);
    assert.equal((await sandbox.post(INVITATIONS, {})).status, 403);
  });

  it('409 already_invited for a pending address, in any letter case', async () => {
    const email = newAddress();
    const { id } = await roster.invite(email);
    for (const again of [email, email.toUpperCase()]) {
      const answer = await api.post(INVITATIONS, { email: again });
      assert.deepEqual([answer.status, answer.body.error], [409, 'already_invited']);
      assert.deepEqual(answer.body.details, { invitation_id: id });
    }
  });

  it('409 already_member for a member, also an archived one', async () => {
    const email = newAddress();
    const { id } = await roster.join(email);
    for (const status of ['active', 'archived']) {
      assert.equal((await api.patch(`${ROSTER}/${id}`, { status })).status, 200);
      const answer = await api.post(INVITATIONS, { email: email.toUpperCase() });
      assert.deepEqual(
        [answer.status, answer.body.error, answer.body.details],
        [409, 'already_member', { member_id: id }],
      );
    }
  });

  it('201 for one of two parallel requests', async () => {
    const email = newAddress();
    const answers = await Promise.all([0, 1, 2, 3].map(() => api.post(INVITATIONS, { email })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });

  it('201 again after a revocation, an expiry and a removal', async () => {
    const email = newAddress();
    const revoked = await roster.invite(email);
    assert.equal((await api.delete(`${INVITATIONS}/${revoked.id}`)).status, 204);
    const expired = await roster.invite(email);
    clock.advance(14 * DAY_MS);
    const joined = await roster.join(email);
    assert.equal((await api.get(`${INVITATIONS}/${expired.id}`)).body.status, 'expired');
    assert.equal((await api.delete(`${ROSTER}/${joined.id}`)).status, 204);
    assert.notEqual((await roster.invite(email)).link, joined.link);
  });

  it('201 even if other accounts know the address, without revealing it', async () => {
    const email = newAddress();
    await roster.join(email, { name: 'Ada' });
    const answer = await stranger.post(INVITATIONS, { email });
    assert.deepEqual([answer.status, answer.body.name, answer.body.member_id], [201, null, null]);
  });

  it('404 if external_ref names a user who is being erased or not shared', async () => {
    const external_ref = newReference();
    const member = await roster.join(newAddress(), { external_ref });
    assert.equal((await api.delete(`${ROSTER}/${member.id}`)).status, 204);
    const answer = await api.post(INVITATIONS, { email: newAddress(), external_ref });
    assert.deepEqual([answer.status, answer.body.error, answer.body.details], [404, 'not_found', { external_ref }]);
    const erased = await createUser(api);
    await service.running.services.db.query(`update users set status = 'deleting' where id = $1`, [erased.id]);
    const gone = await api.post(INVITATIONS, { email: newAddress(), external_ref: erased.external_ref });
    assert.equal(gone.status, 404);
  });

  it('409 reference_taken if external_ref belongs to another member', async () => {
    const external_ref = newReference();
    const { user_id } = await roster.join(newAddress(), { external_ref });
    const answer = await api.post(INVITATIONS, { email: newAddress(), external_ref });
    assert.deepEqual([answer.status, answer.body.error, answer.body.details], [409, 'reference_taken', { user_id }]);
  });
});

describe(`GET ${INVITATIONS}/{id}`, () => {
  it('200 with its status: pending, accepted, revoked, expired after the exact time', async () => {
    const statusOf = async (id: string) => (await api.get(`${INVITATIONS}/${id}`)).body.status;
    const [open, taken, left] = [newAddress(), newAddress(), newAddress()];
    const pending = await roster.invite(open);
    const accepted = await roster.invite(taken);
    const revoked = await roster.invite(left);
    await submitForm(accepted.link, { decision: 'allow' });
    await api.delete(`${INVITATIONS}/${revoked.id}`);
    clock.advance(14 * DAY_MS - 1);
    assert.equal(await statusOf(pending.id), 'pending');
    clock.advance(1);
    assert.deepEqual(await Promise.all([pending, accepted, revoked].map(({ id }) => statusOf(id))), [
      'expired',
      'accepted',
      'revoked',
    ]);
  });

  it('404 for an unknown id, another account’s, an invalid UUID, and in the sandbox', async () => {
    const { id } = await roster.invite(newAddress());
    for (const [caller, wanted] of [
      [api, ABSENT_ID],
      [api, 'nonsense'],
      [stranger, id],
      [sandbox, id],
    ] as const) {
      assert.equal((await caller.get(`${INVITATIONS}/${wanted}`)).status, 404);
      assert.equal((await caller.delete(`${INVITATIONS}/${wanted}`)).status, 404);
    }
    assert.equal((await api.get(`${INVITATIONS}/${id}`)).body.status, 'pending', 'untouched');
  });
});

describe(`DELETE ${INVITATIONS}/{id}`, () => {
  it('204, also when revoked, expired or accepted, which keep their status', async () => {
    const revoked = await roster.invite(newAddress());
    const expired = await roster.invite(newAddress());
    for (const _again of [1, 2]) assert.equal((await api.delete(`${INVITATIONS}/${revoked.id}`)).status, 204);
    clock.advance(14 * DAY_MS);
    const accepted = await roster.invite(newAddress());
    await submitForm(accepted.link, { decision: 'allow' });
    for (const [{ id }, status] of [
      [revoked, 'revoked'],
      [expired, 'expired'],
      [accepted, 'accepted'],
    ] as const) {
      assert.equal((await api.delete(`${INVITATIONS}/${id}`)).status, 204);
      assert.equal((await api.get(`${INVITATIONS}/${id}`)).body.status, status);
    }
    const { member_id } = (await api.get(`${INVITATIONS}/${accepted.id}`)).body;
    assert.equal((await api.get(`${ROSTER}/${member_id}`)).status, 200, 'still a member');
  });
});

describe(`GET ${ROSTER}`, () => {
  it('200 with members newest first, page by page, archived ones separately, in both forms', async () => {
    const own = await createAccount(service);
    const mine = service.api(own.live);
    const side = createRosterSide(mine, printed);
    const members = [];
    for (let count = 0; count < 3; count += 1) {
      members.unshift(await side.join(newAddress(), { name: `Member ${count}` }));
      clock.advance(MINUTE_MS);
    }
    const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
    const ids = members.map(({ id }) => id);
    for (const form of FORMS) {
      const all = await mine.get(ROSTER, { headers: { 'api-form': form } });
      assert.deepEqual([idsOf(all.body), all.body.next_cursor], [ids, null]);
      assert.deepEqual(Object.keys(all.body.data[0]), [
        'id',
        'user_id',
        'name',
        'email',
        'external_ref',
        'status',
        'joined_at',
      ]);
    }
    const first = await mine.get(`${ROSTER}?limit=2`);
    assert.deepEqual(idsOf(first.body), ids.slice(0, 2));
    const second = await mine.get(`${ROSTER}?limit=2&cursor=${first.body.next_cursor}`);
    assert.deepEqual([idsOf(second.body), second.body.next_cursor], [ids.slice(2), null]);
    await mine.patch(`${ROSTER}/${ids[0]}`, { status: 'archived' });
    assert.deepEqual(idsOf((await mine.get(ROSTER)).body), ids.slice(1));
    assert.deepEqual(idsOf((await mine.get(`${ROSTER}?status=archived`)).body), ids.slice(0, 1));
    const foreign = await mine.get(`${ROSTER}?status=archived&cursor=${first.body.next_cursor}`);
    assert.deepEqual([foreign.status, foreign.body.error], [400, 'invalid_cursor']);
    assert.deepEqual(
      idsOf((await stranger.get(ROSTER)).body).filter((id) => ids.includes(id)),
      [],
    );
  });

  it('400 for an unknown status', async () => {
    assert.equal((await api.get(`${ROSTER}?status=removed`)).status, 400);
  });

  it('404 in the sandbox', async () => {
    assert.equal((await sandbox.get(ROSTER)).status, 404);
  });
});

describe(`${ROSTER}/{id}`, () => {
  it('200 on reading, archiving and reactivating, also without a change; the data stays readable', async () => {
    const email = newAddress();
    const external_ref = newReference();
    const { id, user_id, ...member } = await roster.join(email, { name: 'Ada', external_ref });
    assert.deepEqual(
      [member.name, member.email, member.external_ref, member.status],
      ['Ada', email, external_ref, 'active'],
    );
    for (const status of ['active', 'archived', 'archived', 'active']) {
      const answer = await api.patch(`${ROSTER}/${id}`, { status });
      assert.deepEqual([answer.status, answer.body.status], [200, status]);
      assert.deepEqual((await api.get(`${ROSTER}/${id}`)).body, answer.body);
      assert.equal((await api.get(`/v1/users/${user_id}`)).status, 200);
    }
  });

  it('200 with the current reference of the user', async () => {
    const { id, user_id, external_ref } = await roster.join(newAddress());
    assert.equal(external_ref, user_id);
    const reference = newReference();
    await api.patch(`/v1/users/${user_id}`, { external_ref: reference });
    assert.equal((await api.get(`${ROSTER}/${id}`)).body.external_ref, reference);
  });

  it('400 for a body without a state', async () => {
    const { id } = await roster.join(newAddress());
    for (const body of [undefined, {}, { status: 'removed' }, { status: 'active', name: 'Ada' }])
      assert.equal((await api.patch(`${ROSTER}/${id}`, body)).status, 400);
  });

  it('403 for a sandbox key on update and delete, 404 on read', async () => {
    const { id } = await roster.join(newAddress());
    assert.equal((await sandbox.patch(`${ROSTER}/${id}`, { status: 'archived' })).status, 403);
    assert.equal((await sandbox.delete(`${ROSTER}/${id}`)).status, 403);
    assert.equal((await sandbox.get(`${ROSTER}/${id}`)).status, 404);
  });

  it('404 for an unknown id, another account’s, and an invalid UUID', async () => {
    const { id } = await roster.join(newAddress());
    for (const [caller, wanted] of [
      [api, ABSENT_ID],
      [api, 'nonsense'],
      [stranger, id],
    ] as const) {
      assert.equal((await caller.get(`${ROSTER}/${wanted}`)).status, 404);
      assert.equal((await caller.patch(`${ROSTER}/${wanted}`, { status: 'archived' })).status, 404);
      assert.equal((await caller.delete(`${ROSTER}/${wanted}`)).status, 404);
    }
  });

  it('204 on removal, and again; then 404 on everything else', async () => {
    const { id } = await roster.join(newAddress());
    for (const _again of [1, 2]) assert.equal((await api.delete(`${ROSTER}/${id}`)).status, 204);
    assert.equal((await api.get(`${ROSTER}/${id}`)).status, 404);
    for (const status of ['active', 'archived'])
      assert.equal((await api.patch(`${ROSTER}/${id}`, { status })).status, 404);
  });

  it('401 for a user token from before the removal, even after an immediate return; 200 for a token from after it', async () => {
    const email = newAddress();
    const { id, user_id } = await roster.join(email);
    const newToken = async () => service.api((await api.post('/v1/auth/user-token', { user_id })).body.token);
    const readWith = async (reader: TestApi) => (await reader.get(`/v1/users/${user_id}/scores`)).status;
    const early = await newToken();
    assert.equal(await readWith(early), 200);
    assert.equal((await api.delete(`${ROSTER}/${id}`)).status, 204);
    assert.equal(await readWith(early), 401);
    await roster.join(email);
    assert.equal(await readWith(early), 401);
    assert.equal(await readWith(await newToken()), 200);
  });

  it('204 on the removal of an earlier membership does not affect the current one', async () => {
    const email = newAddress();
    const before = await roster.join(email);
    await api.delete(`${ROSTER}/${before.id}`);
    const now = await roster.join(email);
    assert.notEqual(now.id, before.id);
    assert.equal((await api.delete(`${ROSTER}/${before.id}`)).status, 204);
    assert.equal((await api.get(`${ROSTER}/${now.id}`)).status, 200);
  });

  it('404 after the user was deleted, and the address can be invited again at once', async () => {
    const email = newAddress();
    const { id, user_id } = await roster.join(email);
    assert.equal((await api.delete(`/v1/users/${user_id}`)).status, 202);
    assert.equal((await api.get(`${ROSTER}/${id}`)).status, 404);
    assert.notEqual((await roster.join(email)).user_id, user_id);
  });
});
