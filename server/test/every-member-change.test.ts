// Makes every change that members can make, and checks that each leaves exactly one audit entry.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { computeCode } from '../src/features/tenancy/members/totp.ts';
import { memberRoutes } from '../src/routes.ts';
import { LIMIT_MS, type PublicChanges, startServiceWithSink, userOf, webhookOf } from './support/public-changes.ts';
import type { Answer, TestApi } from './support/test-api.ts';
import { createMember, memberApi, PASSWORD, type TestMember } from './support/test-members.ts';
import { newAddress } from './support/test-roster.ts';
import { createAccount, createUser, newReference } from './support/test-users.ts';

const { service, sink, changes, stop } = await startServiceWithSink();
after(stop);
const { db } = service.running.services;
/** Every entry as it was written: the erasure of an account removes its entries from the audit log. */
await db.query('create table written_entries (like audit_log)');
await db.query(`create function keep_entry() returns trigger language plpgsql as
  'begin insert into written_entries select new.*; return null; end'`);
await db.query('create trigger keep_entry after insert on audit_log for each row execute function keep_entry()');
const API = '/dashboard/api';

type Scene = {
  readonly account: { readonly name: string };
  readonly member: TestMember;
  readonly owner: TestApi;
  readonly live: TestApi;
  readonly sandbox: TestApi;
};

async function openScene(): Promise<Scene> {
  const account = await createAccount(service);
  const member = await createMember(service, account.name, 'owner');
  const owner = memberApi(service, member.cookie);
  return { account, member, owner, live: service.api(account.live), sandbox: service.api(account.sandbox) };
}

const shared = await openScene();
const keyOf = async ({ owner }: Scene) =>
  (await owner.post(`${API}/live/keys`, { name: randomUUID() })).body.id as string;
const colleagueOf = ({ account }: Scene) => createMember(service, account.name, 'developer');

function codeNow(secret: string): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  return computeCode(key, Math.floor(service.running.services.clock.now().getTime() / 30_000));
}

async function startTotp(): Promise<{ own: TestApi; secret: string }> {
  const own = memberApi(service, (await createMember(service, shared.account.name, 'viewer')).cookie);
  return { own, secret: (await own.post(`${API}/totp`)).body.secret };
}

/** By an operator, because the accounts of this service share the simulated providers. */
async function addFault({ account }: Scene): Promise<{ own: TestApi; answer: Answer }> {
  const own = memberApi(service, (await createMember(service, account.name, 'developer', { isOperator: true })).cookie);
  const answer = await own.post(`${API}/sandbox/sandbox/faults`, { kind: 'slow', provider: 'oura', times: 1 });
  return { own, answer };
}

/** The API, under a path of the dashboard. */
function under(api: TestApi, prefix: string): TestApi {
  return {
    get: (path, options) => api.get(prefix + path, options),
    post: (path, body, options) => api.post(prefix + path, body, options),
    patch: (path, body, options) => api.patch(prefix + path, body, options),
    put: (path, body, options) => api.put(prefix + path, body, options),
    delete: (path, options) => api.delete(prefix + path, options),
    call: (method, path, options) => api.call(method, prefix + path, options),
  };
}

function asMember(changes: PublicChanges): Readonly<Record<string, (scene: Scene) => Promise<Answer>>> {
  return Object.fromEntries(
    Object.entries(changes).map(([operation, change]) => [
      `${operation}AsMember`,
      (scene) => {
        const caller = { live: under(scene.owner, `${API}/live`), sandbox: under(scene.owner, `${API}/sandbox`) };
        return change({ ...scene, caller });
      },
    ]),
  );
}

/** Each prepares its data and makes the call. */
const CHANGES: Readonly<Record<string, (scene: Scene) => Promise<Answer>>> = {
  beginFileImport: async () => {
    const scene = await openScene();
    const file = { file_name: 'weights.csv', size_bytes: 10 };
    return scene.owner.post(`${API}/live/users/${await userOf(scene)}/imports`, file);
  },
  cancelFileImport: async (scene) => {
    const path = `${API}/live/users/${await userOf(scene)}/imports`;
    const { body } = await scene.owner.post(path, { file_name: 'weights.csv', size_bytes: 10 });
    return scene.owner.delete(`${path}/${body.id}`);
  },
  signOut: async (scene) => memberApi(service, (await colleagueOf(scene)).cookie).delete(`${API}/session`),
  endSession: async (scene) => {
    const { email, cookie } = await colleagueOf(scene);
    assert.equal((await memberApi(service, null).post(`${API}/session`, { email, password: PASSWORD })).status, 200);
    const own = memberApi(service, cookie);
    const { data } = (await own.get(`${API}/sessions`)).body;
    return own.delete(`${API}/sessions/${data.find(({ is_current }: { is_current: boolean }) => !is_current).id}`);
  },
  changeOwnName: async (scene) =>
    memberApi(service, (await colleagueOf(scene)).cookie).patch(`${API}/member`, { name: 'Ada' }),
  changeOwnPassword: async (scene) =>
    memberApi(service, (await colleagueOf(scene)).cookie).post(`${API}/member/password`, {
      current: PASSWORD,
      password: 'another long passphrase',
    }),
  confirmTotp: async () => {
    const { own, secret } = await startTotp();
    return own.post(`${API}/totp/confirm`, { code: codeNow(secret) });
  },
  removeTotp: async () => (await startTotp()).own.delete(`${API}/totp`),
  inviteMember: ({ owner }) => owner.post(`${API}/members`, { email: newAddress(), role: 'viewer' }),
  revokeMemberInvitation: async ({ owner }) => {
    const { id } = (await owner.post(`${API}/members`, { email: newAddress(), role: 'viewer' })).body;
    return owner.delete(`${API}/members/invitations/${id}`);
  },
  changeMemberRole: async (scene) =>
    scene.owner.patch(`${API}/members/${(await colleagueOf(scene)).memberId}`, { role: 'viewer' }),
  removeMember: async (scene) => scene.owner.delete(`${API}/members/${(await colleagueOf(scene)).memberId}`),
  resetMember: async (scene) => scene.owner.post(`${API}/members/${(await colleagueOf(scene)).memberId}/reset`),
  changeAccount: ({ owner }) => owner.patch(`${API}/account`, { accent_color: '#112233', redirect_schemes: ['myapp'] }),
  closeAccount: async () => (await openScene()).owner.post(`${API}/account/close`),
  reopenAccount: async () => {
    const { owner } = await openScene();
    assert.equal((await owner.post(`${API}/account/close`)).status, 200);
    return owner.post(`${API}/account/reopen`);
  },
  createKey: ({ owner }) => owner.post(`${API}/live/keys`, { name: randomUUID() }),
  rotateKey: async (scene) => scene.owner.post(`${API}/live/keys/${await keyOf(scene)}/rotate`, {}),
  renameKey: async (scene) => scene.owner.patch(`${API}/live/keys/${await keyOf(scene)}`, { name: randomUUID() }),
  endKey: async (scene) => scene.owner.delete(`${API}/live/keys/${await keyOf(scene)}`),
  recoverDeliveries: async (scene) =>
    scene.owner.post(`${API}/live/webhooks/${await webhookOf(scene, sink)}/recover`, {
      since: new Date().toISOString(),
    }),
  setProviderApplication: ({ owner }) =>
    owner.put(`${API}/live/providers/oura/application`, { client_id: 'id', client_secret: 'secret' }),
  removeProviderApplication: async ({ owner }) => {
    await owner.put(`${API}/live/providers/whoop/application`, { client_id: 'id', client_secret: 'secret' });
    return owner.delete(`${API}/live/providers/whoop/application`);
  },
  runScenario: async ({ owner, sandbox }) => {
    const { id } = await createUser(sandbox);
    return owner.post(`${API}/sandbox/sandbox/scenarios`, { user_id: id, name: 'gap' });
  },
  addFault: (scene) => addFault(scene).then(({ answer }) => answer),
  removeFaults: async (scene) => (await addFault(scene)).own.delete(`${API}/sandbox/sandbox/faults`),
  removeFault: async (scene) => {
    const { own, answer } = await addFault(scene);
    return own.delete(`${API}/sandbox/sandbox/faults/${answer.body.id}`);
  },
  ...asMember(changes),
  // The account is gone afterwards.
  deleteAccount: async () => {
    const { owner, account } = await openScene();
    return owner.post(`${API}/account/delete`, { name: account.name });
  },
};

/** They change nothing that lasts: the session itself, a secret before it is confirmed, a preview, a check. */
const NO_CHANGES = [
  'switchAccount',
  'confirmSession',
  'startTotp',
  'previewInvitation',
  'checkProvider',
  'addFileImportPart',
];

const changing = memberRoutes.filter(({ access, method }) => access.to === 'member' && method !== 'GET');

describe('the changes of members', () => {
  it('are all in this test', () => {
    const known = [...Object.keys(CHANGES), ...NO_CHANGES].sort();
    const found = changing.map(({ operationId }) => operationId).sort();
    assert.deepEqual(found, known, 'add the call here, or to public-changes.ts if API keys can make it');
  });

  for (const [operation, change] of Object.entries(CHANGES))
    it(`${operation} leaves one audit entry that names the member`, { timeout: 2 * LIMIT_MS }, async () => {
      const answer = await change(shared);
      assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
      const entries = await db.query<{ actor: string; via: string; subject: string; actor_id: string }>(
        'select actor, actor_id, via, action, subject from written_entries where request_id = $1',
        [answer.headers.get('x-request-id')],
      );
      assert.equal(entries.length, operation === 'rotateKey' ? 2 : 1, JSON.stringify(entries)); // for both keys
      const [entry] = entries;
      assert.deepEqual([entry?.actor, entry?.via], ['member', 'dashboard']);
      assert.ok(entry?.actor_id);
    });

  it('leave none if they are refused or only tried', async () => {
    const { owner } = shared;
    const refused = await owner.patch(`${API}/live/v1/users/${randomUUID()}`, { external_ref: 'x' });
    assert.equal(refused.status, 404);
    const body = { since: new Date().toISOString(), dry_run: true };
    const tried = await owner.post(`${API}/live/webhooks/${await webhookOf(shared, sink)}/recover`, body);
    assert.equal(tried.status, 200, tried.text);
    for (const { headers } of [refused, tried]) {
      const entries = await db.query('select 1 from written_entries where request_id = $1', [
        headers.get('x-request-id'),
      ]);
      assert.equal(entries.length, 0);
    }
  });

  it('name the created record, its user, and the changed fields', async () => {
    const { owner } = shared;
    const { body: user } = await owner.post(`${API}/live/v1/users`, { external_ref: newReference() });
    const changed = await owner.patch(`${API}/live/v1/users/${user.id}`, { external_ref: newReference() });
    assert.equal(changed.status, 200, changed.text);
    const { data } = (await owner.get(`${API}/audit?user_id=${user.id}`)).body;
    assert.deepEqual(
      data.map(({ action, subject, details }: Record<string, unknown>) => ({ action, subject, details })),
      [
        { action: 'user.changed', subject: user.id, details: { fields: ['external_ref'] } },
        { action: 'user.created', subject: user.id, details: {} },
      ],
    );
  });
});
