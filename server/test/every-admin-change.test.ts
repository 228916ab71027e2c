// Makes every change that the operator's programs can make, and checks that it leaves one entry in the log of each affected account.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { operatorRoutes } from '../src/routes.ts';
import type { Answer } from './support/test-api.ts';
import { createMember } from './support/test-members.ts';
import { createRosterSide, newAddress } from './support/test-roster.ts';
import { startTestService } from './support/test-service.ts';
import { createAccount, createUser } from './support/test-users.ts';

const printedLines: string[] = [];
const service = await startTestService({ printedLines });
after(() => service.stop());
const { db } = service.running.services;
const operator = service.operator();

type Account = Awaited<ReturnType<typeof createAccount>>;
type Affected = { readonly id: string | null };
type Changed = { readonly answer: Answer; readonly accounts: readonly Affected[] };

/** Its entries are in the log of no account, because they affect none, or people whom no account may know. */
const DEPLOYMENT: Affected = { id: null };

const of = (answer: Answer, ...accounts: readonly Affected[]): Changed => ({ answer, accounts });
const pathOf = ({ name }: Account) => `/admin/accounts/${encodeURIComponent(name)}`;
const userOf = async ({ live }: Account): Promise<string> => (await createUser(service.api(live))).id;

async function memberOfTwo() {
  const [one, other] = [await createAccount(service), await createAccount(service)];
  const { memberId, email } = await createMember(service, one.name, 'owner');
  await db.query(
    `insert into account_members (account_id, member_id, role, created_at) values ($1, $2, 'viewer', now())`,
    [other.id, memberId],
  );
  return { one, other, email };
}

async function setClient({ name }: Account, clientId: string): Promise<Answer> {
  return operator.put('/admin/providers/oura/client', { account: name, client_id: clientId, client_secret: 'secret' });
}

/** Each prepares its data, makes the change, and returns the accounts that it affects. */
const CHANGES: Readonly<Record<string, (account: Account) => Promise<Changed>>> = {
  adminCreateAccount: async () => {
    const answer = await operator.post('/admin/accounts', { name: `account ${randomUUID()}` });
    return of(answer, answer.body);
  },
  adminChangeAccount: async (account) => of(await operator.patch(pathOf(account), { default_form: 2 }), account),
  adminRenameAccount: async () => {
    const account = await createAccount(service);
    return of(await operator.put(`${pathOf(account)}/name`, { name: `account ${randomUUID()}` }), account);
  },
  adminCloseAccount: async () => {
    const account = await createAccount(service);
    return of(await operator.post(`${pathOf(account)}/close`), account);
  },
  adminReopenAccount: async () => {
    const account = await createAccount(service);
    assert.equal((await operator.post(`${pathOf(account)}/close`)).status, 200);
    return of(await operator.post(`${pathOf(account)}/reopen`), account);
  },
  adminDeleteAccount: async () => {
    const account = await createAccount(service);
    return of(await operator.delete(pathOf(account)), account);
  },
  adminSetUserLimit: async (account) =>
    of(await operator.put(`${pathOf(account)}/user-limit`, { environment: 'live', limit: 9 }), account),
  adminSetLogo: async (account) =>
    of(await operator.put(`${pathOf(account)}/logo`, { logo_url: 'https://example.org/logo.png' }), account),
  adminChangeBranding: async (account) =>
    of(await operator.patch(`${pathOf(account)}/branding`, { accent_color: '#112233' }), account),
  adminAddRedirect: async (account) =>
    of(await operator.post(`${pathOf(account)}/redirects`, { scheme: 'added' }), account),
  adminRemoveRedirect: async (account) => {
    assert.equal((await operator.post(`${pathOf(account)}/redirects`, { scheme: 'removed' })).status, 200);
    return of(await operator.delete(`${pathOf(account)}/redirects/removed`), account);
  },
  adminCreateKey: async (account) =>
    of(await operator.post('/admin/keys', { account: account.name, environment: 'live', name: randomUUID() }), account),
  adminRotateKey: async () => {
    const account = await createAccount(service);
    return of(await operator.post('/admin/keys/rotate', { account: account.name, environment: 'live' }), account);
  },
  adminRenameKey: async (account) => {
    const { body } = await operator.post('/admin/keys', {
      account: account.name,
      environment: 'live',
      name: randomUUID(),
    });
    return of(await operator.patch(`/admin/keys/${body.id}`, { name: randomUUID() }), account);
  },
  adminRevokeKey: async () => {
    const account = await createAccount(service);
    return of(await operator.post('/admin/keys/revoke', { account: account.name, environment: 'live' }), account);
  },
  adminCreateDashboardLink: async (account) => of(await operator.post(`${pathOf(account)}/dashboard-link`), account),
  adminSetOperator: async () => {
    const { email } = await memberOfTwo();
    return of(await operator.put('/admin/members/operator', { email, is_operator: true }), DEPLOYMENT);
  },
  adminCreateResetLink: async () => {
    const { one, other, email } = await memberOfTwo();
    return of(await operator.post('/admin/members/reset-link', { email }), one, other);
  },
  adminSetProviderClient: async (account) => of(await setClient(account, randomUUID()), account),
  adminUnsetProviderClient: async (account) => {
    assert.equal((await setClient(account, randomUUID())).status, 200);
    return of(
      await operator.delete(`/admin/providers/oura/client?account=${encodeURIComponent(account.name)}`),
      account,
    );
  },
  adminRotateWebhookSecret: async () => {
    const [one, other] = [await createAccount(service), await createAccount(service)];
    const clientId = randomUUID();
    for (const account of [one, other]) {
      const body = { account: account.name, client_id: clientId, client_secret: 'secret' };
      assert.equal((await operator.put('/admin/providers/garmin/client', body)).status, 200);
    }
    const path = '/admin/providers/garmin/rotate-webhook-secret';
    return of(await operator.post(path, { account: one.name }), one, other);
  },
  adminStartReplay: async (account) =>
    of(await operator.post('/admin/replays', { user_id: await userOf(account) }), account),
  adminImport: async (account) =>
    of(
      await operator.post(`/admin/users/${await userOf(account)}/imports`, {
        upload_id: randomUUID(),
        source: { provider: 'file' },
        daily: [{ date: '2026-03-09', metric: 'weight', value: 70 }],
      }),
      account,
    ),
  adminStartBundleImport: async (account) => {
    const id = await userOf(account);
    const { text } = await service.api(account.live).get(`/v1/users/${id}/export?format=bundle`);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const body = {
      lines: lines.filter(({ line }) => ['header', 'user', 'device'].includes(line)),
      confirmed_reference: null,
    };
    return of(await operator.post(`/admin/users/${id}/bundle`, body), account);
  },
  adminTriggerEvent: async (account) =>
    of(await operator.post('/admin/events', { event_type: 'data.updated', user_id: await userOf(account) }), account),
  adminRotatePortalLink: async (account) => {
    const email = newAddress();
    await createRosterSide(service.api(account.live), printedLines).join(email);
    return of(await operator.post('/admin/roster/rotate-link', { email }), DEPLOYMENT);
  },
  adminRotateMasterKey: async () => of(await operator.post('/admin/master-key/rotate', { new_key: null }), DEPLOYMENT),
  adminFinishMasterKeyRotation: async () => {
    assert.equal((await operator.post('/admin/master-key/rotate', { new_key: null })).status, 200);
    await db.query(`update master_keys set seen_at = seen_at - interval '3 minutes'`);
    return of(await operator.post('/admin/master-key/finish'), DEPLOYMENT);
  },
  adminRunScenario: async (account) => {
    const { id } = await createUser(service.api(account.sandbox));
    return of(await operator.post('/admin/sandbox/scenarios', { user_id: id, name: 'late-data' }), account);
  },
};

/** Why they leave none. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  adminVerifyAudit: 'reads',
  adminCheckProvider: 'reads',
  adminImportBundleLines: 'logged when the import started',
  adminAddFault: 'the simulated providers, which all accounts share, until the process ends',
  adminRemoveFaults: 'the simulated providers',
  adminRemoveFault: 'the simulated providers',
  adminSendProviderWebhooks: 'the simulated providers',
};

const account = await createAccount(service);

async function listLogged(answer: Answer) {
  return db.query<{
    account_id: string | null;
    actor: string;
    via: string;
    action: string;
    subject: string;
    details: object;
  }>(
    'select account_id, actor, via, action, subject, details from audit_log where request_id = $1 order by account_id',
    [answer.headers.get('x-request-id')],
  );
}

describe('the changes of the operator', () => {
  it('are all in this test', () => {
    const changing = operatorRoutes.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId);
    assert.deepEqual(changing.sort(), [...Object.keys(CHANGES), ...Object.keys(WITHOUT_ENTRY)].sort());
  });

  for (const [operation, change] of Object.entries(CHANGES))
    it(`${operation} leaves an audit entry in each account that it affects`, async () => {
      const { answer, accounts } = await change(account);
      assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
      const entries = await listLogged(answer);
      assert.ok(entries.length > 0);
      const affected = new Set(entries.map(({ account_id }) => account_id));
      assert.deepEqual([...affected].sort(), accounts.map(({ id }) => id).sort(), JSON.stringify(entries));
      for (const { actor, via } of entries) assert.deepEqual([actor, via], ['operator', 'operator']);
    });

  it('name what was replayed in each account', async () => {
    const [one, other] = [await createAccount(service), await createAccount(service)];
    const ids = [await userOf(one), await userOf(one), await userOf(other)];
    for (const id of ids)
      await db.query(
        `insert into raw_payloads (user_id, id, device, kind, context, received_at, payload)
         values ($1, gen_random_uuid(), 1, 'none', '{}', now(), '')`,
        [id],
      );
    const answer = await operator.post('/admin/replays', { all: true });
    assert.equal(answer.status, 202, answer.text);
    const entries = await listLogged(answer);
    const own = entries.filter(({ account_id }) => account_id === one.id || account_id === other.id);
    assert.deepEqual(
      own.map(({ account_id, action, details }) => [account_id, action, details]).sort(),
      [
        [one.id, 'data.replay_started', { users: 2 }],
        [other.id, 'data.replay_started', { users: 1 }],
      ].sort(),
    );
  });
});
