// Tests what ends a credential of a member, also during a call: a session token, an invitation, a password or a reset link.
import assert from 'node:assert/strict';
import { argon2Sync, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { getAccountOrThrow, SERVICE } from '../../src/features/tenancy/accounts/index.ts';
import { inviteMember, removeMember, revokeInvitation } from '../../src/features/tenancy/members/manage-members.ts';
import { insertMembership } from '../../src/features/tenancy/members/member-store.ts';
import { changePassword } from '../../src/features/tenancy/members/own-security.ts';
import { createResetLink } from '../../src/features/tenancy/members/reset-links.ts';
import { signIn } from '../../src/features/tenancy/members/sign-in.ts';
import { join, resetPassword } from '../../src/features/tenancy/members/use-link.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { MemberCaller } from '../../src/platform/http/caller.ts';
import { assertEvery } from '../support/assert-every.ts';
import { createMember, memberApi, PASSWORD } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService();
after(() => service.stop());
const { services } = service.running;
const account = await getAccountOrThrow(services, 'default');
const API = '/dashboard/api';
const origin = { userAgent: undefined, address: undefined, requestId: 'test', sessionCookie: null };
const NEW_PASSWORD = 'engines weave algebra';
const tokenOf = (url: string) => url.slice(url.indexOf('#') + 1);
const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';', 1)[0] ?? null;

/** Services whose first transaction, or first query of such a text, waits for `act`. */
function during(act: () => Promise<unknown>, text?: string) {
  let hasActed = false;
  const actOnce = async () => {
    if (hasActed) return;
    hasActed = true;
    await act();
  };
  const { db } = services;
  const late: Database = {
    ...db,
    async transaction(work) {
      if (text === undefined) await actOnce();
      return db.transaction(work);
    },
    async query(statement, values) {
      if (text !== undefined && typeof statement === 'string' && statement.includes(text)) await actOnce();
      return db.query(statement, values);
    },
  };
  return { ...services, db: late };
}

/** Services whose transaction starts `act` before it runs a statement with such a text, and continues when `act` waits for its locks. */
function meeting(text: string, act: () => Promise<unknown>) {
  const other = Promise.withResolvers<unknown>();
  other.promise.catch(() => undefined); // the test awaits it later
  let hasMet = false;
  const meet = async () => {
    if (hasMet) return;
    hasMet = true;
    other.resolve(act());
    const isWaiting = async () =>
      (
        await services.db.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length > 0;
    await waitUntil('the other call waits for a lock', isWaiting);
  };
  const { db } = services;
  const met: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) => {
        const query: typeof tx.query = async (statement, values) => {
          if (typeof statement === 'string' && statement.includes(text)) await meet();
          return tx.query(statement, values);
        };
        return work({ ...tx, query });
      }),
  };
  return { services: { ...services, db: met }, other: other.promise };
}

async function reset(email: string): Promise<void> {
  const link = await createResetLink(services, email, { withoutTotp: false }, SERVICE);
  await resetPassword(services, { token: tokenOf(link.url), password: NEW_PASSWORD }, origin.requestId);
}

async function countSessions(memberId: string): Promise<number> {
  return (await services.db.query('select 1 from member_sessions where member_id = $1', [memberId])).length;
}

const credentials = (email: string, password = PASSWORD) => ({ email, password, code: undefined });

describe('a session whose password was entered again', () => {
  it('does not get a new token by the former one, which is not confirmed', async () => {
    const { cookie } = await createMember(service, 'default', 'owner', { isConfirmed: false });
    const former = memberApi(service, cookie);
    const confirmed = memberApi(service, cookieOf(await former.post(`${API}/session/confirm`, { password: PASSWORD })));
    const switched = await former.put(`${API}/session/account`, { account_id: account.id });
    assert.deepEqual([switched.status, cookieOf(switched)], [401, null]);
    assert.equal((await confirmed.put(`${API}/session/account`, { account_id: account.id })).status, 200);
  });
});

describe('an invitation', () => {
  it('is invalid if it is revoked while it is accepted', async () => {
    const owner = memberApi(service, (await createMember(service, 'default', 'owner')).cookie);
    const invited = (await owner.post(`${API}/members`, { email: 'late@example.org', role: 'owner' })).body;
    const given = { token: tokenOf(invited.url), name: 'Late', password: NEW_PASSWORD, code: undefined };
    const revoke = () => revokeInvitation(services, account.id, invited.id, SERVICE);
    await assert.rejects(join(during(revoke), given, origin), { code: 'link_invalid' });
    const { members } = (await owner.get(`${API}/members`)).body;
    assertEvery(members, ({ email }: { email: string }) => email !== 'late@example.org');
  });
});

describe('a sign-in', () => {
  it('opens no session with a password that is reset meanwhile', async () => {
    const { email, memberId } = await createMember(service, 'default', 'viewer');
    const late = during(() => reset(email));
    await assert.rejects(signIn(late, credentials(email), origin), { code: 'invalid_credentials' });
    assert.equal(await countSessions(memberId), 0);
    await signIn(services, credentials(email, NEW_PASSWORD), origin);
  });

  it('opens no session without a code if an authenticator app is confirmed meanwhile', async () => {
    const { email } = await createMember(service, 'default', 'viewer');
    const confirm = () => services.db.query('update members set totp_confirmed_at = now() where email = $1', [email]);
    await assert.rejects(signIn(during(confirm), credentials(email), origin), { code: 'invalid_credentials' });
  });

  it('does not store an old password again that is reset while its hash is renewed', async () => {
    const { email, memberId } = await createMember(service, 'default', 'viewer');
    const nonce = randomBytes(16);
    const weak = { message: PASSWORD, nonce, parallelism: 1, tagLength: 32, memory: 8, passes: 1 };
    const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    const stored = `$argon2id$v=19$m=8,t=1,p=1$${base64(nonce)}$${base64(argon2Sync('argon2id', weak))}`;
    await services.db.query('update members set password_hash = $2 where id = $1', [memberId, stored]);
    const late = during(() => reset(email), 'update members set password_hash');
    await assert.rejects(signIn(late, credentials(email), origin), { code: 'invalid_credentials' });
    await assert.rejects(signIn(services, credentials(email), origin), { code: 'invalid_credentials' });
    await services.db.query('update members set password_hash = $2 where id = $1', [memberId, stored]);
    await signIn(services, credentials(email), origin);
    await signIn(services, credentials(email), origin);
  });
});

describe('calls that lock the same rows', () => {
  const given = (url: string) => ({ token: tokenOf(url), name: 'Late', password: PASSWORD, code: undefined });

  it('a change and a reset of the password', async () => {
    const { email, memberId } = await createMember(service, 'default', 'viewer');
    const [session] = await services.db.query<{ id: string }>('select id from member_sessions where member_id = $1', [
      memberId,
    ]);
    const caller = { memberId, memberName: 'Late', sessionId: session?.id } as MemberCaller;
    const link = await createResetLink(services, email, { withoutTotp: false }, SERVICE);
    const { services: met, other } = meeting('delete from member_links', () =>
      resetPassword(services, { token: tokenOf(link.url), password: NEW_PASSWORD }, origin.requestId),
    );
    const changed = {
      current: PASSWORD,
      code: undefined,
      password: 'yet another passphrase',
      address: undefined,
      sessionCookie: null,
    };
    await changePassword({ services: met, caller, by: SERVICE }, changed);
    await assert.rejects(other, { code: 'link_invalid' });
  });

  it('two resets with two links', async () => {
    const { email } = await createMember(service, 'default', 'viewer');
    const links = [1, 2].map(() => createResetLink(services, email, { withoutTotp: false }, SERVICE));
    const [first, second] = (await Promise.all(links)).map(({ url }) => ({
      token: tokenOf(url),
      password: NEW_PASSWORD,
    }));
    assert.ok(first && second);
    const { services: met, other } = meeting('delete from member_links where member_id', () =>
      resetPassword(services, second, origin.requestId),
    );
    await resetPassword(met, first, origin.requestId);
    await assert.rejects(other, { code: 'link_invalid' });
  });

  it('a sign-in and the removal of the member', async () => {
    const { email, memberId } = await createMember(service, 'default', 'viewer');
    const { services: met, other } = meeting('into member_sessions', () =>
      removeMember(services, account.id, memberId, SERVICE),
    );
    await signIn(met, credentials(email), origin);
    await other;
    assert.equal(await countSessions(memberId), 0);
  });

  it('a change of the password and the removal of the member', async () => {
    const { email, memberId } = await createMember(service, 'default', 'viewer');
    const link = await createResetLink(services, email, { withoutTotp: false }, SERVICE);
    const { services: met, other } = meeting('delete from member_sessions', () =>
      removeMember(services, account.id, memberId, SERVICE),
    );
    await resetPassword(met, { token: tokenOf(link.url), password: NEW_PASSWORD }, origin.requestId);
    await other;
    assert.equal(await countSessions(memberId), 0);
  });

  it('an invitation that is accepted and the one that replaces it', async () => {
    const invited = { email: 'replaced@example.org', role: 'viewer' } as const;
    const { url } = await inviteMember(services, account.id, invited, SERVICE);
    const { services: met, other } = meeting('insert into account_members', () =>
      inviteMember(services, account.id, invited, SERVICE),
    );
    await join(met, given(url ?? ''), origin);
    await assert.rejects(other, { code: 'already_member' });
  });
});

describe('a change of the password', () => {
  it('is in the audit log of every account of the member', async () => {
    const { cookie, memberId } = await createMember(service, 'default', 'viewer');
    const other = await getAccountOrThrow(services, (await createAccount(service)).name);
    await services.db.transaction((tx) =>
      insertMembership(tx, { accountId: other.id, memberId, role: 'viewer', createdAt: new Date() }),
    );
    const changed = { current: PASSWORD, password: NEW_PASSWORD };
    assert.equal((await memberApi(service, cookie).post(`${API}/member/password`, changed)).status, 204);
    const rows = await services.db.query<{ account_id: string }>(
      `select account_id from audit_log where action = 'member.password_changed' and subject = $1`,
      [memberId],
    );
    assert.deepEqual(rows.map(({ account_id }) => account_id).sort(), [account.id, other.id].sort());
  });

  it('ends reset links', async () => {
    const { email, cookie } = await createMember(service, 'default', 'viewer');
    const link = await createResetLink(services, email, { withoutTotp: false }, SERVICE);
    const changed = { current: PASSWORD, password: NEW_PASSWORD };
    assert.equal((await memberApi(service, cookie).post(`${API}/member/password`, changed)).status, 204);
    const given = { token: tokenOf(link.url), password: 'yet another passphrase' };
    assert.equal((await memberApi(service, null).post(`${API}/password/reset`, given)).status, 410);
  });
});
