// Checks session, role, origin and tenancy for every row that members can call, including rows added later.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { hasRole, MEMBER_ROLES } from '../src/domain/tenancy.ts';
import type { MemberAccess } from '../src/platform/http/access.ts';
import { dialectOf, type Route } from '../src/platform/http/route.ts';
import { DASHBOARD_API } from '../src/platform/http/session-cookie.ts';
import { dashboardRoutes, memberRoutes } from '../src/routes.ts';
import { codeOfMissingUser } from './support/missing-user.ts';
import { sampleValue } from './support/sample-value.ts';
import type { Answer, TestApi } from './support/test-api.ts';
import { createMember, memberApi } from './support/test-members.ts';
import { startTestService } from './support/test-service.ts';
import { createAccount, createUser } from './support/test-users.ts';

const service = await startTestService();
after(() => service.stop());

const account = await createAccount(service);
const user = await createUser(service.api(account.live));
const members = Object.fromEntries(
  await Promise.all(MEMBER_ROLES.map(async (role) => [role, await createMember(service, account.name, role)])),
);
const foreignAccount = await createAccount(service);
const foreignUser = await createUser(service.api(foreignAccount.live));

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const guarded = memberRoutes.filter(({ access }) => access.to === 'member');

const QUERY = { metrics: 'steps', metric: 'steps', from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };

/** A call that would succeed, or fail only because the named record does not exist. */
function callRoute(api: TestApi, route: Route, userId: string, query: Record<string, string> = {}): Promise<Answer> {
  const values: Record<string, string> = {
    environment: environmentOf(route),
    user_id: userId,
    date: '2026-03-01',
    metric: 'steps',
  };
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? randomUUID());
  const dialect = dialectOf(route, 1);
  const required = dialect.query ? (sampleValue(dialect.query, QUERY) as object) : {};
  const search = new URLSearchParams({ ...required, ...query }).toString();
  const own = dialect.headers.map((name) => [name, randomUUID()]);
  return api.call(route.method, search === '' ? path : `${path}?${search}`, {
    headers: { 'api-form': '1', ...Object.fromEntries(own) },
    ...(dialect.body ? { body: sampleValue(dialect.body, { user_id: userId }) } : {}),
  });
}

const environmentOf = ({ access }: Route) => (access as MemberAccess).environment ?? 'live';
const codeOf = ({ status, body }: Answer) => [status, body?.error];

describe('the rows for members', () => {
  it('are under the path of the dashboard, each once', () => {
    assert.equal(new Set(memberRoutes.map(nameOf)).size, memberRoutes.length);
    assert.equal(new Set(memberRoutes.map((row) => row.operationId)).size, memberRoutes.length);
    for (const { path } of memberRoutes) assert.ok(path.startsWith(`${DASHBOARD_API}/`), path);
  });

  it('are open to nobody else but for signing in', () => {
    const open = dashboardRoutes.filter(({ access }) => access.to !== 'member').map(nameOf);
    const allowed = /^POST \/dashboard\/api\/(session|welcome|join|password\/forgot|password\/reset)$/;
    assert.deepEqual(
      open.filter((name) => !allowed.test(name)),
      [],
    );
  });
});

for (const route of guarded) {
  const access = route.access as MemberAccess;
  describe(nameOf(route), () => {
    it('401 without a session, with an unknown one and with an API key', async () => {
      assert.deepEqual(codeOf(await callRoute(memberApi(service, null), route, user.id)), [401, 'missing_token']);
      const unknown = memberApi(service, `tributary=${'A'.repeat(43)}`);
      assert.deepEqual(codeOf(await callRoute(unknown, route, user.id)), [401, 'invalid_token']);
      const key = memberApi(service, null);
      const withKey: TestApi = {
        ...key,
        call: (method, path, options = {}) =>
          key.call(method, path, {
            ...options,
            headers: { ...options.headers, authorization: `Bearer ${account.live}` },
          }),
      };
      assert.deepEqual(codeOf(await callRoute(withKey, route, user.id)), [401, 'missing_token']);
    });

    it('403 for every role below its own, and for everybody who is not an operator if it is for operators', async () => {
      for (const role of MEMBER_ROLES) {
        if (access.role !== 'operator' && hasRole(role, access.role)) continue;
        const api = memberApi(service, members[role]?.cookie ?? '');
        assert.deepEqual(codeOf(await callRoute(api, route, user.id)), [403, 'insufficient_role'], role);
      }
    });

    if (access.isDangerous)
      it('403 until the password was entered again', async () => {
        const { cookie } = await createMember(service, account.name, 'owner', { isConfirmed: false });
        const api = memberApi(service, cookie);
        assert.deepEqual(codeOf(await callRoute(api, route, user.id)), [403, 'confirmation_required']);
      });

    if (route.method !== 'GET')
      it('403 for a page of another origin, and without the header of the dashboard', async () => {
        const api = memberApi(service, members.owner?.cookie ?? '');
        for (const headers of [{ origin: 'https://evil.example' }, { 'x-tributary': '' }]) {
          const foreign: TestApi = {
            ...api,
            call: (method, path, options = {}) =>
              api.call(method, path, { ...options, headers: { ...options.headers, ...headers } as never }),
          };
          assert.deepEqual(codeOf(await callRoute(foreign, route, user.id)), [403, 'foreign_page']);
        }
      });

    it('409 for a page that shows another account', async () => {
      const api = memberApi(service, members.owner?.cookie ?? '');
      const headers = { 'x-tributary-account': randomUUID() };
      const stale: TestApi = {
        ...api,
        call: (method, path, options = {}) =>
          api.call(method, path, { ...options, headers: { ...options.headers, ...headers } as never }),
      };
      assert.deepEqual(codeOf(await callRoute(stale, route, user.id)), [409, 'account_changed']);
    });

    if (access.role === 'operator' || access.isDangerous) return;

    it('400 for an unknown query parameter, which it names', async () => {
      const api = memberApi(service, members[access.role]?.cookie ?? '');
      const answer = await callRoute(api, route, user.id, { nonsense: '1' });
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(answer.body.details.issues, [{ path: 'nonsense', message: 'unknown parameter' }]);
    });

    if (route.path.includes(':user_id'))
      it('404 for a user of another account', async () => {
        const api = memberApi(service, members[access.role]?.cookie ?? '');
        const answer = await callRoute(api, route, foreignUser.id);
        assert.deepEqual(codeOf(answer), [404, codeOfMissingUser(route)]);
      });
  });
}
