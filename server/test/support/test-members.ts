// Members of the dashboard for tests: created with a session, and a client that sends the session as a browser would.
import { randomUUID } from 'node:crypto';
import type { MemberRole, Tenant } from '../../src/domain/tenancy.ts';
import { getAccountOrThrow } from '../../src/features/tenancy/accounts/index.ts';
import { insertMember, insertMembership } from '../../src/features/tenancy/members/member-store.ts';
import { openSession } from '../../src/features/tenancy/members/open-session.ts';
import { hashPassword } from '../../src/features/tenancy/members/password-hash.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createApi, type TestApi } from './test-api.ts';
import type { TestService } from './test-service.ts';

export type TestMember = {
  readonly memberId: string;
  readonly email: string;
  readonly password: string;
  /** For the Cookie header. */
  readonly cookie: string;
};

/** The name of the cookie on plain http. */
export const SESSION_COOKIE = 'tributary';
export const PASSWORD = 'a long enough passphrase';

/** One hash for all members, because a hash takes long on purpose. */
let passwordHash: Promise<string> | null = null;

export async function createMember(
  { running }: Pick<TestService, 'running'>,
  accountName: string,
  role: MemberRole,
  { isOperator = false, isConfirmed = true }: { isOperator?: boolean; isConfirmed?: boolean } = {},
): Promise<TestMember> {
  const { services } = running;
  const account = await getAccountOrThrow(services, accountName);
  passwordHash ??= hashPassword(PASSWORD);
  const hash = await passwordHash;
  const memberId = randomUUID();
  const email = `${role}.${memberId}@example.org`;
  const now = services.clock.now();
  const { token } = await services.db.transaction(async (tx) => {
    await insertMember(tx, {
      id: memberId,
      email,
      name: `Test ${role}`,
      passwordHash: hash,
      isOperator,
      createdAt: now,
    });
    await insertMembership(tx, { accountId: account.id, memberId, role, createdAt: now });
    const origin = { userAgent: 'test', address: '127.0.0.1' };
    const session = await openSession(tx, { memberId, accountId: account.id, origin }, now);
    if (!isConfirmed) await tx.query('update member_sessions set confirmed_until = null where id = $1', [session.id]);
    return session;
  });
  return { memberId, email, password: PASSWORD, cookie: `${SESSION_COOKIE}=${token}` };
}

/** The session of a new member, without a service. */
export async function createTestSession(db: Database, { accountId }: Pick<Tenant, 'accountId'>): Promise<string> {
  const memberId = randomUUID();
  const createdAt = new Date();
  const { id } = await db.transaction(async (tx) => {
    const email = `${memberId}@example.org`;
    await insertMember(tx, { id: memberId, email, name: 'Test', passwordHash: '', isOperator: false, createdAt });
    await insertMembership(tx, { accountId, memberId, role: 'viewer', createdAt });
    return openSession(tx, { memberId, accountId, origin: { userAgent: 'test', address: '127.0.0.1' } }, createdAt);
  });
  return id;
}

/** Calls the dashboard API as the page would. `cookie` null: nobody is signed in. */
export function memberApi({ url }: Pick<TestService, 'url'>, cookie: string | null): TestApi {
  const api = createApi(url, null, false);
  const headers = { origin: new URL(url).origin, 'x-tributary': 'dashboard', ...(cookie === null ? {} : { cookie }) };
  const call: TestApi['call'] = (method, path, options = {}) =>
    api.call(method, path, { ...options, headers: { ...headers, ...options.headers } });
  return {
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    patch: (path, body, options) => call('PATCH', path, { ...options, body }),
    put: (path, body, options) => call('PUT', path, { ...options, body }),
    delete: (path, options) => call('DELETE', path, options),
  };
}
