// Tests signing in to the dashboard: passwords, limits, confirmation, sessions, one-time links and password resets.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { getAccountOrThrow, SERVICE } from '../../src/features/tenancy/accounts/index.ts';
import { tidyMembersJob } from '../../src/features/tenancy/members/index.ts';
import { createWelcomeLink } from '../../src/features/tenancy/members/manage-members.ts';
import type { Answer } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember, memberApi, PASSWORD } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock();
const printedLines: string[] = [];
const service = await startTestService({ clock, printedLines });
after(() => service.stop());
const { services } = service.running;
const anyone = memberApi(service, null);
const API = '/dashboard/api';

function cookieIn({ headers }: Answer): string {
  const cookie = headers.get('set-cookie') ?? assert.fail('no cookie');
  assert.match(cookie, /^tributary=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
  return cookie.split(';', 1)[0] ?? '';
}

const signIn = (email: string, password: string, code?: string) =>
  anyone.post(`${API}/session`, { email, password, ...(code === undefined ? {} : { code }) });
const tokenOf = (url: string) => url.slice(url.indexOf('#') + 1);

/** Tests share one address, so each begins without earlier failures. */
async function forgetFailures(): Promise<void> {
  await services.db.query('delete from sign_in_attempts');
}

describe('POST /dashboard/api/session', () => {
  it('200 returns the session and sets its cookie', async () => {
    const { memberId, email } = await createMember(service, 'default', 'developer');
    const answer = await signIn(` ${email.toUpperCase()}`.trim(), PASSWORD);
    assert.equal(answer.status, 200, answer.text);
    const account = await getAccountOrThrow(services, 'default');
    assert.deepEqual(answer.body, {
      member: {
        id: memberId,
        name: 'Test developer',
        email,
        has_totp: false,
        is_operator: false,
        recovery_codes_left: 0,
      },
      account: { id: account.id, name: 'default', display_name: 'default', closed_at: null },
      accounts: [{ id: account.id, name: 'default', role: 'developer', closed_at: null }],
      role: 'developer',
      environments: ['live', 'sandbox'],
      confirmed_until: new Date(clock.now().getTime() + 10 * MINUTE_MS).toISOString().replace('.000', ''),
      version: services.settings.version,
      command_name: services.settings.commandName,
    });
    const own = memberApi(service, cookieIn(answer));
    assert.deepEqual((await own.get(`${API}/session`)).body, answer.body);
  });

  it('401 with the same body for a wrong password and an unknown email', async () => {
    await forgetFailures();
    const { email } = await createMember(service, 'default', 'viewer');
    const wrong = await signIn(email, 'another long passphrase');
    const unknown = await signIn('nobody@example.org', PASSWORD);
    assert.equal(wrong.status, 401);
    assert.equal(unknown.status, 401);
    assert.deepEqual(wrong.body, unknown.body);
    assert.equal(wrong.body.error, 'invalid_credentials');
    assert.equal(wrong.headers.get('set-cookie'), null);
  });

  it('403 for a page of another site', async () => {
    const { email } = await createMember(service, 'default', 'viewer');
    const body = { email, password: PASSWORD };
    const headers = { origin: 'https://evil.example' };
    const foreign = await anyone.post(`${API}/session`, body, { headers });
    assert.equal(foreign.status, 403);
  });

  it('429 with Retry-After after ten failures with an email', async () => {
    await forgetFailures();
    const { email } = await createMember(service, 'default', 'viewer');
    assert.equal((await signIn(email, 'wrong wrong wrong')).status, 401);
    await services.db.query('update sign_in_attempts set failures = 9');
    assert.equal((await signIn(email, 'wrong wrong wrong')).status, 401);
    const early = await signIn(email, PASSWORD);
    assert.equal(early.status, 429);
    assert.equal(early.headers.get('retry-after'), '1');
    clock.advance(SECOND_MS);
    assert.equal((await signIn(email, PASSWORD)).status, 200);
    assert.equal((await signIn(email, 'wrong wrong wrong')).status, 401, 'success forgets earlier failures');
  });

  it('200 in a browser where the member signed in before, while others fail with the email; not with the cookie of somebody else', async () => {
    await forgetFailures();
    const { email, cookie } = await createMember(service, 'default', 'viewer');
    const { cookie: ofSomebodyElse } = await createMember(service, 'default', 'viewer');
    clock.advance(13 * HOUR_MS);
    await tidyMembersJob.run(services, {});
    assert.equal((await memberApi(service, cookie).get(`${API}/session`)).status, 401, 'the session is over');
    for (let count = 0; count < 10; count += 1) await signIn(email, 'wrong wrong wrong');
    const body = { email, password: PASSWORD };
    const other = await memberApi(service, ofSomebodyElse).post(`${API}/session`, body);
    assert.deepEqual([(await signIn(email, PASSWORD)).status, other.status], [429, 429]);
    assert.equal((await memberApi(service, cookie).post(`${API}/session`, body)).status, 200);
    assert.equal((await signIn(email, PASSWORD)).status, 429, 'the failures of others still count');
  });

  it('200 raises the parameters of an old hash', async () => {
    await forgetFailures();
    const { email, memberId } = await createMember(service, 'default', 'viewer');
    const old = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
    await services.db.query('update members set password_hash = $2 where id = $1', [memberId, old]);
    assert.equal((await signIn(email, 'password')).status, 200);
    const [row] = await services.db.query<{ password_hash: string }>(
      'select password_hash from members where id = $1',
      [memberId],
    );
    assert.match(row?.password_hash ?? '', /m=19456,/);
    assert.equal((await signIn(email, 'password')).status, 200);
  });
});

describe('a session', () => {
  it('ends with DELETE /dashboard/api/session', async () => {
    const { cookie } = await createMember(service, 'default', 'viewer');
    const own = memberApi(service, cookie);
    const answer = await own.delete(`${API}/session`);
    assert.equal(answer.status, 204);
    assert.match(answer.headers.get('set-cookie') ?? '', /^tributary=; .*Max-Age=0/);
    assert.equal((await own.get(`${API}/session`)).status, 401);
  });

  it('is listed and can be ended from another one', async () => {
    await forgetFailures();
    const { cookie, email } = await createMember(service, 'default', 'viewer');
    const other = cookieIn(await signIn(email, PASSWORD));
    const own = memberApi(service, cookie);
    const { data } = (await own.get(`${API}/sessions`)).body;
    assert.equal(data.length, 2);
    const [target] = data.filter((session: { is_current: boolean }) => !session.is_current);
    assert.equal(target.address, '127.0.0.1');
    assert.equal((await own.delete(`${API}/sessions/${target.id}`)).status, 204);
    assert.equal((await memberApi(service, other).get(`${API}/session`)).status, 401);
    assert.equal((await own.get(`${API}/session`)).status, 200);
    assert.equal((await own.delete(`${API}/sessions/${target.id}`)).status, 404);
  });

  it('cannot be ended by another member', async () => {
    const one = await createMember(service, 'default', 'owner');
    const two = await createMember(service, 'default', 'viewer');
    const { data } = (await memberApi(service, two.cookie).get(`${API}/sessions`)).body;
    assert.equal((await memberApi(service, one.cookie).delete(`${API}/sessions/${data[0].id}`)).status, 404);
  });

  it('shows another account of the member, with a new cookie and the role there', async () => {
    await forgetFailures();
    const { name } = await createAccount(service);
    const { cookie, email } = await createMember(service, 'default', 'owner');
    const second = await getAccountOrThrow(services, name);
    const link = await createWelcomeLink(services, second.id, SERVICE);
    const joined = await anyone.post(`${API}/welcome`, {
      token: tokenOf(link.url),
      name: 'Test',
      email,
      password: PASSWORD,
    });
    assert.equal(joined.status, 200, joined.text);
    assert.equal(joined.body.accounts.length, 2);
    const own = memberApi(service, cookie);
    const switched = await own.put(`${API}/session/account`, { account_id: second.id });
    assert.equal(switched.status, 200, switched.text);
    assert.equal(switched.body.account.name, name);
    assert.equal((await own.get(`${API}/session`)).status, 401, 'the former cookie is worthless');
    const other = memberApi(service, cookieIn(switched));
    assert.equal((await other.get(`${API}/session`)).body.account.name, name);
    const shows = (accountId: string) => ({ headers: { 'x-tributary-account': accountId } });
    for (const answer of [
      await other.get(`${API}/session`, shows(joined.body.accounts[0].id)),
      await other.post(`${API}/account/close`, undefined, shows(joined.body.accounts[0].id)),
    ])
      assert.deepEqual([answer.status, answer.body.error], [409, 'account_changed']);
    assert.equal((await other.get(`${API}/account`, shows(second.id))).body.closed_at, null);
    const { id: foreign } = await getAccountOrThrow(services, (await createAccount(service)).name);
    const refused = await memberApi(service, cookieIn(switched)).put(`${API}/session/account`, { account_id: foreign });
    assert.equal(refused.status, 404);
  });
});

describe('POST /dashboard/api/session/confirm', () => {
  it('403 confirmation_required ten minutes after the password was entered, until it is entered again', async () => {
    await forgetFailures();
    const { cookie } = await createMember(service, 'default', 'owner');
    const own = memberApi(service, cookie);
    const invite = (api: typeof own) => api.post(`${API}/members`, { email: 'new@example.org', role: 'viewer' });
    assert.equal((await invite(own)).status, 201);
    clock.advance(10 * MINUTE_MS);
    const refused = await invite(own);
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error, 'confirmation_required');
    const wrong = await own.post(`${API}/session/confirm`, { password: 'not the password' });
    assert.equal(wrong.status, 401);
    const confirmed = await own.post(`${API}/session/confirm`, { password: PASSWORD });
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal((await invite(memberApi(service, cookieIn(confirmed)))).status, 201);
    assert.equal((await invite(own)).body.error, 'confirmation_required', 'the former cookie is not confirmed');
  });

  it('200 for requests with the former cookie for a minute, then 401', async () => {
    await forgetFailures();
    const { cookie } = await createMember(service, 'default', 'viewer');
    const own = memberApi(service, cookie);
    const confirmed = await own.post(`${API}/session/confirm`, { password: PASSWORD });
    assert.equal((await own.get(`${API}/session`)).status, 200);
    clock.advance(MINUTE_MS);
    assert.equal((await own.get(`${API}/session`)).status, 401);
    assert.equal((await memberApi(service, cookieIn(confirmed)).get(`${API}/session`)).status, 200);
  });

  it('401 for the former cookie at once after a new password and after signing out', async () => {
    await forgetFailures();
    const { cookie } = await createMember(service, 'default', 'viewer');
    const own = memberApi(service, cookie);
    const confirmed = memberApi(service, cookieIn(await own.post(`${API}/session/confirm`, { password: PASSWORD })));
    const body = { current: PASSWORD, password: 'another long passphrase' };
    const renewed = memberApi(service, cookieIn(await confirmed.post(`${API}/member/password`, body)));
    assert.equal((await renewed.get(`${API}/session`)).status, 200);
    for (const former of [own, confirmed]) assert.equal((await former.get(`${API}/session`)).status, 401);
    const again = await renewed.post(`${API}/session/confirm`, { password: body.password });
    assert.equal((await memberApi(service, cookieIn(again)).delete(`${API}/session`)).status, 204);
    assert.equal((await renewed.get(`${API}/session`)).status, 401);
  });
});

describe('POST /dashboard/api/welcome', () => {
  const newcomer = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'engines weave algebra' };

  it('200 creates the first owner, once', async () => {
    const { name } = await createAccount(service);
    const account = await getAccountOrThrow(services, name);
    const link = await createWelcomeLink(services, account.id, SERVICE);
    assert.match(link.url, /\/dashboard\/welcome#[\w-]{43}$/);
    const other = await createWelcomeLink(services, account.id, SERVICE);
    const body = { token: tokenOf(link.url), ...newcomer };
    const weak = await anyone.post(`${API}/welcome`, { ...body, password: 'password1234' });
    assert.equal(weak.status, 400);
    assert.equal(weak.body.details.issues[0].path, 'password');
    const short = await anyone.post(`${API}/welcome`, { ...body, password: 'tooshort' });
    assert.match(short.body.details.issues[0].message, /at least 12/);
    const answer = await anyone.post(`${API}/welcome`, body);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.role, 'owner');
    assert.equal((await memberApi(service, cookieIn(answer)).get(`${API}/session`)).status, 200);
    for (const token of [body.token, tokenOf(other.url)]) {
      const again = await anyone.post(`${API}/welcome`, { ...body, token, email: 'eve@example.org' });
      assert.equal(again.status, 410);
      assert.equal(again.body.error, 'link_invalid');
    }
  });

  it('410 after seven days, and for a token of another kind', async () => {
    const account = await getAccountOrThrow(services, (await createAccount(service)).name);
    const link = await createWelcomeLink(services, account.id, SERVICE);
    const body = { token: tokenOf(link.url), name: 'Eve', password: 'engines weave algebra' };
    assert.equal((await anyone.post(`${API}/join`, body)).status, 410);
    clock.advance(7 * 24 * HOUR_MS);
    assert.equal((await anyone.post(`${API}/welcome`, { ...body, email: 'eve@example.org' })).status, 410);
  });

  it('401 for an email that has another password', async () => {
    await forgetFailures();
    const { email } = await createMember(service, 'default', 'viewer');
    const account = await getAccountOrThrow(services, (await createAccount(service)).name);
    const link = await createWelcomeLink(services, account.id, SERVICE);
    const body = { token: tokenOf(link.url), name: 'Eve', email, password: 'engines weave algebra' };
    assert.equal((await anyone.post(`${API}/welcome`, body)).status, 401);
  });
});

describe('a forgotten password', () => {
  it('202 and a link that sets a new password, once, and ends all sessions', async () => {
    await forgetFailures();
    const { email, cookie } = await createMember(service, 'default', 'viewer');
    const answer = await anyone.post(`${API}/password/forgot`, { email });
    assert.equal(answer.status, 202);
    const line = await waitUntil('the link is printed', () => printedLines.find((text) => text.includes(email)));
    const token = /#([\w-]{43})/.exec(line)?.[1] ?? '';
    const password = 'seventeen paper lanterns';
    assert.equal((await anyone.post(`${API}/password/reset`, { token, password: 'short' })).status, 400);
    assert.equal((await anyone.post(`${API}/password/reset`, { token, password })).status, 204);
    assert.equal((await anyone.post(`${API}/password/reset`, { token, password })).status, 410);
    assert.equal((await memberApi(service, cookie).get(`${API}/session`)).status, 401);
    assert.equal((await signIn(email, PASSWORD)).status, 401);
    assert.equal((await signIn(email, password)).status, 200);
  });

  it('202 with the same body for an unknown email', async () => {
    const answer = await anyone.post(`${API}/password/forgot`, { email: 'nobody@example.org' });
    assert.equal(answer.status, 202);
    assert.deepEqual(answer.body, {});
  });
});
