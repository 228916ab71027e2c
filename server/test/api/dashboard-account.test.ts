// Tests what owners do on the dashboard: members, API keys, account settings, and the audit log of it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { tidyMembersJob } from '../../src/features/tenancy/members/index.ts';
import { runCli } from '../support/run-cli.ts';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const API = '/dashboard/api';

async function openAccount() {
  const { name } = await createAccount(service);
  const member = await createMember(service, name, 'owner');
  return { name, member, owner: memberApi(service, member.cookie) };
}

describe('the id of an account as a name', () => {
  it('400 for a new account and a new name', async () => {
    const [{ owner, name }, { owner: foreign }] = [await openAccount(), await openAccount()];
    const { id } = (await owner.get(`${API}/account`)).body;
    const operator = service.operator();
    const replies = [
      await foreign.patch(`${API}/account`, { name: id.toUpperCase() }),
      await operator.put(`/admin/accounts/${name}/name`, { name: id }),
      await operator.post('/admin/accounts', { name: id }),
    ];
    for (const { status, body } of replies)
      assert.deepEqual(
        [status, body.details.issues],
        [400, [{ path: 'name', message: 'must not be a UUID, because commands find accounts by name or id' }]],
      );
  });

  it('finds only the account with the id, also for names of earlier versions', async () => {
    const [{ owner }, { owner: foreign }] = [await openAccount(), await openAccount()];
    const { id } = (await owner.get(`${API}/account`)).body;
    const { id: foreignId } = (await foreign.get(`${API}/account`)).body;
    await service.running.services.db.query('update accounts set name = $2 where id = $1', [foreignId, id]);
    assert.equal((await owner.post(`${API}/account/close`)).status, 200);
    const closed = await service.operator().get('/admin/accounts');
    const statusOf = (wanted: string) => closed.body.data.find((one: JsonBody) => one.id === wanted).status;
    assert.deepEqual([statusOf(id), statusOf(foreignId)], ['closed', 'active']);
    assert.equal((await service.operator().put(`/admin/accounts/${foreignId}/name`, { name: 'found' })).status, 200);
  });
});

describe('members of an account', () => {
  it('409 for the last owner, who can neither go nor lose the role', async () => {
    const { owner, member } = await openAccount();
    const path = `${API}/members/${member.memberId}`;
    assert.equal((await owner.patch(path, { role: 'viewer' })).body.error, 'last_owner');
    assert.equal((await owner.delete(path)).body.error, 'last_owner');
  });

  it('201 invites with a link, which is good once, and 204 removes the member', async () => {
    const { owner } = await openAccount();
    const email = `grace.${Date.now()}@example.org`;
    const invited = await owner.post(`${API}/members`, { email, role: 'developer' });
    assert.equal(invited.status, 201, invited.text);
    const token = invited.body.url.split('#')[1];
    const body = { token, name: 'Grace Hopper', password: 'nanoseconds of copper wire' };
    const joined = await memberApi(service, null).post(`${API}/join`, body);
    assert.equal(joined.status, 200, joined.text);
    assert.equal(joined.body.role, 'developer');
    assert.equal((await memberApi(service, null).post(`${API}/join`, body)).status, 410);
    assert.equal((await owner.post(`${API}/members`, { email, role: 'viewer' })).status, 409);
    const cookie = joined.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    assert.equal((await owner.delete(`${API}/members/${joined.body.member.id}`)).status, 204);
    assert.equal((await memberApi(service, cookie).get(`${API}/session`)).status, 401);
    assert.equal((await owner.get(`${API}/members`)).body.members.length, 1);
  });

  it('429 for too many mails to one person, also if invitations are replaced or revoked', async () => {
    const { owner, member } = await openAccount();
    const invite = (email: string) => owner.post(`${API}/members`, { email, role: 'viewer' });
    for (let count = 0; count < 20; count += 1) {
      const { status, body } = await invite(count % 2 === 0 ? 'often@example.org' : 'Often@example.org');
      assert.equal(status, 201);
      if (count % 3 === 0) assert.equal((await owner.delete(`${API}/members/invitations/${body.id}`)).status, 204);
    }
    await tidyMembersJob.run(service.running.services, {});
    const refused = await invite('often@example.org');
    assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await invite('other@example.org')).status, 201);
    assert.equal((await owner.get(`${API}/members`)).body.invitations.length, 2);
    const reset = () => owner.post(`${API}/members/${member.memberId}/reset`);
    for (let count = 0; count < 10; count += 1) assert.equal((await reset()).status, 200);
    assert.equal((await reset()).status, 429);
  });

  it('410 for a link that was replaced or revoked, and 404 to revoke it again', async () => {
    const { owner } = await openAccount();
    const invite = async () => (await owner.post(`${API}/members`, { email: 'b@example.org', role: 'viewer' })).body;
    const [first, second] = [await invite(), await invite()];
    const revoke = async (id: string) => (await owner.delete(`${API}/members/invitations/${id}`)).status;
    assert.equal(await revoke(first.id), 404);
    assert.deepEqual([await revoke(second.id), await revoke(second.id)], [204, 404]);
    for (const { url } of [first, second]) {
      const body = { token: url.split('#')[1], name: 'B', password: 'nanoseconds of copper wire' };
      assert.equal((await memberApi(service, null).post(`${API}/join`, body)).status, 410);
    }
  });

  it('400 for an address with control characters', async () => {
    const { owner } = await openAccount();
    for (const email of ['a\u001b[2J@example.org', 'a@\u009b.example.org', 'a\u0000@example.org'])
      assert.equal((await owner.post(`${API}/members`, { email, role: 'viewer' })).body.error, 'invalid_body');
  });

  it('403 for a developer who invites', async () => {
    const { name } = await openAccount();
    const { cookie } = await createMember(service, name, 'developer');
    const answer = await memberApi(service, cookie).post(`${API}/members`, { email: 'a@example.org', role: 'owner' });
    assert.equal(answer.body.error, 'insufficient_role');
  });
});

describe('API keys of an account', () => {
  it('201 creates and rotates with an overlap, 204 ends, and the audit log names the member', async () => {
    const { owner, member } = await openAccount();
    const made = await owner.post(`${API}/live/keys`, { name: 'backend' });
    assert.equal(made.status, 201, made.text);
    assert.equal((await service.api(made.body.key).get('/v1/users')).status, 200);
    const next = await owner.post(`${API}/live/keys/${made.body.id}/rotate`, {});
    assert.equal(next.status, 201, next.text);
    for (const { key } of [made.body, next.body])
      assert.equal((await service.api(key).get('/v1/users')).status, 200, 'both work during the overlap');
    assert.equal((await owner.delete(`${API}/live/keys/${next.body.id}`)).status, 204);
    assert.equal((await service.api(next.body.key).get('/v1/users')).status, 401);
    const audit = await owner.get(`${API}/audit?action=api_key`);
    assert.equal(audit.status, 200, audit.text);
    const own = audit.body.data.filter((entry: { actor: { id: string } }) => entry.actor.id === member.memberId);
    assert.deepEqual(own.map((entry: { action: string }) => entry.action).sort(), [
      'api_key.created',
      'api_key.created',
      'api_key.revoked',
      'api_key.rotated',
    ]);
    const csv = await owner.get(`${API}/audit?action=api_key`, { headers: { accept: 'text/csv' } });
    assert.match(csv.text, /^at,actor,name,via,action/);
  });

  it('404 for a key of another account', async () => {
    const [one, two] = [await openAccount(), await openAccount()];
    const { data } = (await two.owner.get(`${API}/live/keys`)).body;
    assert.ok(data.length > 0);
    assert.equal((await one.owner.delete(`${API}/live/keys/${data[0].id}`)).status, 404);
  });
});

describe('the account', () => {
  it('200 renames and changes settings; closed it can only be read and reopened', async () => {
    const { owner, name } = await openAccount();
    const changed = await owner.patch(`${API}/account`, { name: `${name} two`, redirect_schemes: ['myapp'] });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(changed.body.name, `${name} two`);
    assert.deepEqual(changed.body.redirect_schemes, ['myapp']);
    assert.equal((await owner.post(`${API}/account/close`)).status, 200);
    assert.equal((await owner.get(`${API}/account`)).status, 200);
    assert.equal((await owner.post(`${API}/live/keys`, {})).body.error, 'account_closed');
    assert.equal((await owner.post(`${API}/account/reopen`)).body.closed_at, null);
    assert.equal((await owner.post(`${API}/account/delete`, { name: 'another' })).status, 400);
  });
});

describe('PATCH of the account', () => {
  const account = (api: TestApi) => api.get(`${API}/account`).then(({ body }) => body);
  /** After the creation of the account. */
  const changes = async (api: TestApi): Promise<JsonBody[]> =>
    (await api.get(`${API}/audit?action=account`)).body.data.slice(0, -1);
  const audit = async (api: TestApi) => (await changes(api)).map(({ action, details }) => ({ action, details }));

  it('changes nothing if one of its fields is refused', async () => {
    const [{ owner }, other] = [await openAccount(), await openAccount()];
    const before = await account(owner);
    const fields = { default_form: 2, redirect_schemes: ['newapp'], accent_color: '#112233' };
    for (const refused of [
      { name: other.name },
      { redirect_schemes: ['https'] },
      { privacy_url: 'http://plain.example' },
    ]) {
      const answer = await owner.patch(`${API}/account`, { ...fields, ...refused });
      assert.ok(answer.status >= 400, answer.text);
    }
    assert.deepEqual(await account(owner), before);
    assert.deepEqual(await audit(owner), []);
  });

  it('leaves one audit entry with all that it changed, and none if it changed nothing', async () => {
    const { owner } = await openAccount();
    const change = { default_form: 2, redirect_schemes: ['newapp'], accent_color: '#112233', display_name: 'Acme' };
    const { default_form, redirect_schemes, accent_color, display_name } = await account(owner);
    assert.equal((await owner.patch(`${API}/account`, change)).status, 200);
    assert.equal((await owner.patch(`${API}/account`, change)).status, 200);
    const details = { before: { default_form, redirect_schemes, accent_color, display_name }, after: change };
    assert.deepEqual(await audit(owner), [{ action: 'account.changed', details }]);
  });

  it('leaves an entry of the CLI for the commands of accounts', async () => {
    const { owner, name } = await openAccount();
    const commands = [
      ['accounts', 'set-billing', '--account', name, '--status', 'past_due'],
      ['accounts', 'set-limit', '--account', name, '--environment', 'live', '--users', '7'],
      ['accounts', 'rename', '--account', name, '--name', `${name} two`],
      ['accounts', 'close', '--account', `${name} two`],
    ];
    for (const command of commands) {
      const { code, stderr } = await runCli(service, command);
      assert.equal(code, 0, stderr);
    }
    assert.deepEqual(
      (await changes(owner)).map(({ action, via, actor }) => [action, via, actor.kind]),
      ['closed', 'renamed', 'changed', 'changed'].map((verb) => [`account.${verb}`, 'cli', 'cli']),
    );
  });
});

describe('tributary accounts create', () => {
  it('prints a link for the first owner of the new account', async () => {
    const name = `account ${randomUUID()}`;
    const printed = await runCli(service, ['accounts', 'create', '--name', name]);
    assert.equal(printed.code, 0, printed.stderr);
    const token = /welcome#([\w-]{43})/.exec(printed.stdout)?.[1];
    const body = { token, name: 'Ada', email: `ada.${randomUUID()}@example.org`, password: 'engines weave algebra' };
    const answer = await memberApi(service, null).post(`${API}/welcome`, body);
    assert.deepEqual([answer.body.role, answer.body.account.name], ['owner', name], answer.text);
    const owner = memberApi(service, answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '');
    const { data } = (await owner.get(`${API}/audit`)).body;
    assert.deepEqual(
      data.map(({ action, via }: JsonBody) => `${via} ${action}`),
      ['dashboard member.joined', 'cli member.welcome_link_created', 'cli account.created'],
    );
  });

  it('409 for a name that is taken, without a link', async () => {
    const { name } = await openAccount();
    assert.equal((await service.operator().post('/admin/accounts', { name })).body.error, 'name_taken');
  });
});

describe('tributary dashboard-link', () => {
  it('prints a link that makes an owner', async () => {
    const { name } = await createAccount(service);
    const printed = await runCli(service, ['dashboard-link', '--account', name]);
    assert.equal(printed.code, 0, printed.stderr);
    const token = /welcome#([\w-]{43})/.exec(printed.stdout)?.[1];
    const body = { token, name: 'Ada', email: `ada.${Date.now()}@example.org`, password: 'engines weave algebra' };
    const answer = await memberApi(service, null).post(`${API}/welcome`, body);
    assert.equal(answer.body.role, 'owner', answer.text);
    const granted = await runCli(service, ['members', 'operator', body.email, '--grant']);
    assert.equal(granted.code, 0, granted.stderr);
  });
});
