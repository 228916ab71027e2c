// Tries every attack of RFC 9700 (OAuth 2.0 Security Best Current Practice, section 4) that concerns a client.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { findProvider } from '../../src/providers/registry.ts';
import { agree, beginConnecting, readDevice } from '../support/connect-account.ts';
import { startStubbedService } from '../support/stub-provider.ts';
import { openBrowser, type Page } from '../support/test-browser.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';
import { createKey, createSandboxUser, createUser } from '../support/test-users.ts';

const clock = createMovableClock();
const logLines: string[] = [];
const { service, stub } = await startStubbedService({ after }, { clock, logLines });
afterEach(() => stub.forget());

const api = service.api(service.keys.sandbox);
const callbackOf = (provider: string, query: Record<string, string>) =>
  `${service.url}/connect/callback/${provider}?${new URLSearchParams(query)}`;
const isTokenCall = ({ method, path }: { method: string; path: string }) => method === 'POST' && /token$/.test(path);
const countExchanges = () => stub.calls.filter(isTokenCall).length;

/** A user in the middle of connecting: consented at the provider in their own browser, not yet redirected back. */
async function setOut(provider = 'oura', fields: object = {}) {
  const user = await createSandboxUser(service);
  const begun = await beginConnecting(api, user.id, provider, fields);
  const browser = openBrowser();
  const way = await agree(begun.auth_url, browser);
  const state = way.authorize.searchParams.get('state') ?? '';
  const code = new URL(way.callback).searchParams.get('code') ?? '';
  const status = async () => (await readDevice(api, user.id, begun.id))?.status;
  return { ...way, user, begun, browser, state, code, status };
}

function assertRefused(page: Page): void {
  assert.ok(page.status >= 400 || /was not connected/.test(page.text), `${page.status} ${page.text}`);
  assert.doesNotMatch(page.text, /is connected/);
}

describe('cross-site request forgery (4.7)', () => {
  it('rejects a callback from a browser without our cookie, and the user can still finish', async () => {
    const victim = await setOut();
    const page = await openBrowser().open(victim.callback);
    assert.equal(page.status, 403);
    assert.deepEqual([countExchanges(), await victim.status()], [0, 'pending']);
    assert.match((await victim.browser.open(victim.callback)).text, /is connected/);
  });

  it('rejects an attacker’s callback in the browser of another user who is connecting', async () => {
    const [attacker, victim] = [await setOut(), await setOut()];
    assertRefused(await victim.browser.open(attacker.callback));
    assert.deepEqual([countExchanges(), await attacker.status(), await victim.status()], [0, 'pending', 'pending']);
  });

  it('an attacker cannot send a code with the victim’s state, because the state is unguessable', async () => {
    const { state } = await setOut();
    assert.match(state, /^[\w-]{43}$/); // 256 bits
    const other = await setOut();
    assert.notEqual(other.state, state);
  });

  it('rejects a decision that another site’s form sends', async () => {
    const user = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(api, user.id, 'oura');
    const forged: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' }, // a sandboxed frame, without the cookie of the page
    ];
    for (const headers of forged) {
      const body = new URLSearchParams({ decision: 'allow' });
      const { status } = await fetch(auth_url, { method: 'POST', body, headers, redirect: 'manual' });
      assert.equal(status, 403, JSON.stringify(headers));
    }
    const browser = openBrowser();
    const sent = await browser.press(await browser.open(auth_url), 'allow', { origin: 'null' });
    assert.equal(sent.status, 303, 'our own page hides its origin, and has the cookie');
  });
});

describe('replay (4.5)', () => {
  it('accepts a state once: the second callback never reaches the token endpoint', async () => {
    const { browser, callback, state } = await setOut();
    assert.match((await browser.open(callback)).text, /is connected/);
    for (const again of [callback, callbackOf('oura', { state, code: 'another' })])
      for (const anybody of [browser, openBrowser()]) {
        const page = await anybody.open(again);
        assert.equal(page.status, 410);
        assert.match(page.text, /has already been used/);
      }
    assert.equal(countExchanges(), 1);
  });

  it('exchanges one code for ten parallel callbacks', async () => {
    const { callback, begun, browser } = await setOut('garmin');
    const pages = await Promise.all(Array.from({ length: 10 }, () => browser.open(callback)));
    assert.equal(pages.filter(({ text }) => /is connected/.test(text)).length, 1);
    assert.equal(countExchanges(), 1);
    assert.equal((await browser.open(begun.auth_url)).status, 410);
  });

  it('rejects a callback after a failed one', async () => {
    const { browser, callback, state, status } = await setOut();
    await browser.open(callbackOf('oura', { state, error: 'access_denied' }));
    assertRefused(await browser.open(callback));
    assert.deepEqual([countExchanges(), await status()], [0, 'failed']);
  });

  it('rejects a second decision on the same link', async () => {
    const { begun, browser } = await setOut();
    const body = new URLSearchParams({ decision: 'allow' });
    const again = await fetch(begun.auth_url, { method: 'POST', body, redirect: 'manual' });
    assert.equal(again.status, 410);
    assert.equal((await browser.open(begun.auth_url)).status, 410);
  });

  it('rejects any callback of an expired authorization request', async () => {
    const { browser, callback, status } = await setOut();
    clock.advance(30 * MINUTE_MS);
    assertRefused(await browser.open(callback));
    assert.deepEqual([countExchanges(), await status()], [0, 'expired']);
  });
});

describe('a state of another user or device (4.7)', () => {
  it('requires the cookie that belongs to the state of the device', async () => {
    const first = await setOut();
    const second = await beginConnecting(api, first.user.id, 'oura');
    const other = openBrowser();
    const way = await agree(second.auth_url, other);
    assertRefused(await other.open(first.callback));
    assert.match((await other.open(way.callback)).text, /is connected/);
    assert.equal((await readDevice(api, first.user.id, second.id)).status, 'active');
    assert.equal(await first.status(), 'pending');
  });

  it('connects nothing for the state of another user', async () => {
    const [one, other] = [await setOut(), await setOut()];
    assertRefused(await one.browser.open(callbackOf('oura', { state: other.state, code: one.code })));
    assert.equal(countExchanges(), 0);
  });

  it('rejects a missing, unknown or empty state', async () => {
    const { browser, code } = await setOut();
    for (const query of [{ code }, { code, state: '' }, { code, state: 'x'.repeat(43) }] as Record<string, string>[])
      assert.equal((await browser.open(callbackOf('oura', query))).status, 400);
    assert.equal(countExchanges(), 0);
  });
});

describe('mix-up (4.4)', () => {
  it('rejects the callback of one provider at the redirect URI of another', async () => {
    const { browser, state, code, status } = await setOut('oura');
    assertRefused(await browser.open(callbackOf('whoop', { state, code })));
    assert.deepEqual([countExchanges(), await status()], [0, 'failed']);
  });

  it('each provider has its own redirect URI', async () => {
    const uris = await Promise.all(
      ['oura', 'whoop', 'garmin'].map(async (provider) =>
        (await setOut(provider)).authorize.searchParams.get('redirect_uri'),
      ),
    );
    assert.equal(new Set(uris).size, 3);
  });

  it('rejects a wrong, missing or repeated issuer where one is expected (RFC 9207)', async (t) => {
    const oauth = findProvider('oura')?.oauth ?? assert.fail();
    const issuer = 'https://cloud.ouraring.com';
    Object.assign(oauth, { issuer });
    t.after(() => Reflect.deleteProperty(oauth, 'issuer'));
    for (const iss of [['https://evil.example'], [], [issuer, issuer]]) {
      const { browser, callback, status } = await setOut();
      const url = new URL(callback);
      for (const value of iss) url.searchParams.append('iss', value);
      assertRefused(await browser.open(url.href));
      assert.deepEqual([countExchanges(), await status()], [0, 'failed']);
    }
    const { browser, callback } = await setOut();
    assert.match((await browser.open(`${callback}&iss=${encodeURIComponent(issuer)}`)).text, /is connected/);
  });
});

describe('code injection (4.5)', () => {
  for (const provider of ['garmin', 'google_health'])
    it(`${provider}: a stolen code does not match the verifier of this request`, async () => {
      const stolen = await setOut(provider);
      const attacker = await setOut(provider);
      assertRefused(await attacker.browser.open(callbackOf(provider, { state: attacker.state, code: stolen.code })));
      assert.deepEqual([countExchanges(), await attacker.status()], [1, 'failed']);
    });

  it('uses PKCE S256 with a new verifier each time, and never downgrades (4.8)', async () => {
    const ways = [await setOut('garmin'), await setOut('garmin')];
    for (const { authorize } of ways) assert.equal(authorize.searchParams.get('code_challenge_method'), 'S256');
    const challenges = ways.map(({ authorize }) => authorize.searchParams.get('code_challenge') ?? '');
    for (const challenge of challenges) assert.match(challenge, /^[\w-]{43}$/);
    assert.equal(new Set(challenges).size, 2);
    const [{ browser, callback }] = ways as [(typeof ways)[0]];
    await browser.open(callback);
    const [call] = stub.calls.filter(isTokenCall);
    assert.match(call?.form.get('code_verifier') ?? '', /^[\w-]{43,128}$/);
  });

  it('sends a code with the redirect URI of its authorization request', async () => {
    const { browser, callback, authorize } = await setOut();
    await browser.open(callback);
    const [call] = stub.calls.filter(isTokenCall);
    assert.equal(call?.form.get('redirect_uri'), authorize.searchParams.get('redirect_uri'));
  });

  it('rejects an empty, missing or repeated code', async () => {
    for (const codes of [[], [''], ['a', 'b']]) {
      const { browser, state, status } = await setOut();
      const query = new URLSearchParams({ state });
      for (const code of codes) query.append('code', code);
      assertRefused(await browser.open(`${service.url}/connect/callback/oura?${query}`));
      assert.deepEqual([countExchanges(), await status()], [0, 'failed']);
    }
  });
});

describe('open redirection (4.11)', () => {
  const bad = [
    'http://app.example/',
    'javascript:alert(1)',
    'data:text/html,hello',
    '//evil.example',
    'https://app.example@evil.example/',
    'https://app.example\\@evil.example/',
    'https://app.example/#x',
    'unregistered://x',
    'java\tscript:alert(1)',
  ];
  it('rejects a misleading redirect_url when it is set', async () => {
    const user = await createSandboxUser(service);
    for (const redirect_url of bad) {
      const answer = await api.post(`/v1/users/${user.id}/devices`, { provider: 'oura', redirect_url });
      assert.equal(answer.status, 400, redirect_url);
    }
  });

  it('rejects schemes that browsers execute or open by themselves', async () => {
    for (const scheme of ['javascript:', 'data:', 'http://', 'https://', 'file://', 'intent://', 'blob:', 'my app'])
      assert.equal(
        (await service.operator().post('/admin/accounts/default/redirects', { scheme })).status,
        400,
        scheme,
      );
  });

  it('ignores query parameters of the page and the callback that try to change the final redirect', async () => {
    const { browser, callback } = await setOut('oura', { redirect_url: 'https://app.example/done' });
    const evil =
      '&redirect_url=https://evil.example&redirect_uri=https://evil.example&status=hacked&next=//evil.example';
    const page = await browser.open(callback + evil);
    assert.equal(page.status, 303);
    const landed = new URL(page.location ?? '');
    assert.deepEqual([landed.origin, landed.pathname], ['https://app.example', '/done']);
    assert.deepEqual([...landed.searchParams.keys()], ['device_id', 'status']);
  });

  it('ignores attempts to change the redirect URI at the provider', async () => {
    const user = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(api, user.id, 'oura');
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const body = new URLSearchParams({ decision: 'allow', redirect_uri: 'https://evil.example' });
    const sent = await fetch(`${auth_url}?redirect_uri=https://evil.example`, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
    });
    const authorize = new URL(sent.headers.get('location') ?? '');
    assert.equal(authorize.searchParams.get('redirect_uri'), `${service.url}/connect/callback/oura`);
  });

  it('redirects the user without a code, a state or a token in the URL', async () => {
    const { browser, callback, code, state } = await setOut('oura', { redirect_url: 'https://app.example/' });
    const { location } = await browser.open(callback);
    for (const secret of [code, state]) assert.ok(!location?.includes(secret));
  });
});

describe('307 (4.12)', () => {
  it('uses 303 for every redirect, so that a POST body is never forwarded', async () => {
    const user = await createSandboxUser(service);
    const redirect_url = 'https://app.example/';
    const allowed = await beginConnecting(api, user.id, 'oura', { redirect_url });
    const browser = openBrowser();
    const sent = await browser.press(await browser.open(allowed.auth_url), 'allow');
    const { location } = await browser.open(sent.location ?? '');
    const landed = await browser.open(location ?? '');
    const denied = await beginConnecting(api, user.id, 'whoop', { redirect_url });
    const refused = await browser.press(await browser.open(denied.auth_url), 'deny');
    assert.deepEqual([sent.status, landed.status, refused.status], [303, 303, 303]);
  });
});

describe('clickjacking (4.16) and leaks to other sites (4.2, 4.3)', () => {
  it('forbids framing, scripts, caching, sniffing and referrers on every page', async () => {
    const { browser, callback } = await setOut();
    const user = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(api, user.id, 'oura');
    const pages = [
      await openBrowser().open(auth_url),
      await openBrowser().open(callback),
      await browser.open(callback),
      await browser.open(`${service.url}/connect/nonsense`),
    ];
    for (const { headers, url } of pages) {
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/, url);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.match(policy, /base-uri 'none'/);
      assert.doesNotMatch(policy, /script-src|unsafe/);
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  it('hides the referrer of redirects and forbids caching them', async () => {
    const { browser, callback } = await setOut('oura', { redirect_url: 'https://app.example/' });
    const { headers, text } = await browser.open(callback);
    assert.deepEqual(
      [headers.get('referrer-policy'), headers.get('cache-control'), text],
      ['no-referrer', 'no-store', ''],
    );
  });

  it('sets a short-lived cookie per authorization request that scripts and other sites cannot read', async () => {
    const user = await createSandboxUser(service);
    const [first, second] = [await beginConnecting(api, user.id, 'oura'), await beginConnecting(api, user.id, 'whoop')];
    const lines = await Promise.all(
      [first, second].map(async ({ auth_url }) => (await openBrowser().open(auth_url)).headers.get('set-cookie') ?? ''),
    );
    for (const line of lines)
      assert.match(line, /^connect_[0-9a-f]{16}=cb_\w+; Path=\/connect; Max-Age=1800; HttpOnly; SameSite=Lax$/);
    assert.notEqual(lines[0]?.split('=')[0], lines[1]?.split('=')[0]);
  });

  it('sets a Secure cookie if the service is reached by https', async (t) => {
    const { settings } = service.running.services;
    const { publicUrl } = settings;
    const user = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(api, user.id, 'oura');
    Object.assign(settings, { publicUrl: () => 'https://health.example/api' });
    t.after(() => Object.assign(settings, { publicUrl }));
    const page = await openBrowser().open(auth_url);
    assert.match(page.headers.get('set-cookie') ?? '', /; Path=\/api\/connect; .*; Secure$/);
  });
});

describe('hostile values in a provider’s callback', () => {
  it('does not show a script in an error description, escaped or not', async () => {
    const { browser, state, status } = await setOut();
    const page = await browser.open(
      callbackOf('oura', {
        state,
        error: '<script>alert(1)</script>',
        error_description: '<img src=x onerror=alert(2)>',
        error_uri: 'javascript:alert(3)',
      }),
    );
    for (const text of ['alert', 'onerror', 'javascript:']) assert.ok(!page.text.includes(text), text);
    assert.equal(await status(), 'failed');
  });

  it('escapes markup in the name of an account', async () => {
    const name = `"><script>alert('x')</script> & co`;
    assert.equal((await service.operator().post('/admin/accounts', { name })).status, 201);
    const own = service.api(await createKey(service, name, 'sandbox'));
    const user = await createUser(own, { seed: false });
    const { auth_url } = await beginConnecting(own, user.id, 'polar');
    const page = await openBrowser().open(auth_url);
    assert.equal(page.status, 200);
    assert.ok(!page.text.includes('<script'));
    assert.ok(page.text.includes('&#60;script&#62;'));
  });

  it('rejects tokens and packed responses in the URL (access token injection, 4.6; response modes)', async () => {
    const extras: Record<string, string>[] = [{ token: 't' }, { id_token: 't' }, { response: 'eyJ' }];
    for (const extra of extras) {
      const { browser, state, code, status } = await setOut();
      assertRefused(await browser.open(callbackOf('oura', { state, code, ...extra })));
      assert.deepEqual([countExchanges(), await status()], [0, 'failed']);
    }
  });

  it('ignores an access token in the URL', async () => {
    const { browser, state, status } = await setOut();
    assertRefused(await browser.open(callbackOf('oura', { state, access_token: 'stolen', token_type: 'bearer' })));
    assert.deepEqual(
      [stub.calls.filter(({ path }) => /personal_info/.test(path)).length, await status()],
      [0, 'failed'],
    );
  });

  it('rejects repeated parameters, even with equal values', async () => {
    for (const name of ['state', 'code', 'error']) {
      const { browser, callback } = await setOut();
      const url = new URL(callback);
      const value = url.searchParams.get(name) ?? 'access_denied';
      url.searchParams.append(name, value);
      url.searchParams.append(name, value);
      assertRefused(await browser.open(url.href));
    }
    assert.equal(countExchanges(), 0);
  });

  it('accepts only GET: a POST is not read, and a HEAD uses nothing up', async () => {
    const { browser, callback, cookie } = await setOut();
    const headers = { cookie };
    const posted = await fetch(callback, { method: 'POST', body: new URL(callback).searchParams, headers });
    assert.equal(posted.status, 405);
    await fetch(callback, { method: 'HEAD', headers });
    assert.equal(countExchanges(), 0);
    assert.match((await browser.open(callback)).text, /is connected/);
  });
});

describe('session fixation: a user opens a link that an attacker created', () => {
  it('shows who asks and what would be shared before anything happens; only the attacker’s own user can be bound', async () => {
    const attacker = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(api, attacker.id, 'garmin');
    const page = await openBrowser().open(auth_url);
    assert.match(page.text, /Share your Garmin data with default\?/);
    assert.match(page.text, /What is shared/);
    assert.equal(countExchanges(), 0);
  });

  it('an attacker who consents first cannot make another user finish', async () => {
    const attacker = await setOut();
    const victim = openBrowser();
    assert.equal((await victim.open(attacker.begun.auth_url)).status, 410);
    assert.equal((await victim.open(attacker.callback)).status, 403);
    assert.equal(countExchanges(), 0);
  });

  it('rejects a planted second cookie of the same name', async () => {
    const { callback, cookie } = await setOut();
    const planted = cookie.replace(/=.*/, '=planted');
    for (const both of [`${planted}; ${cookie}`, `${cookie}; ${planted}`])
      assert.equal((await fetch(callback, { headers: { cookie: both } })).status, 403);
    assert.equal((await fetch(callback, { headers: { cookie: planted } })).status, 403);
    assert.equal(countExchanges(), 0);
    assert.match(await (await fetch(callback, { headers: { cookie } })).text(), /is connected/);
  });
});

describe('leaks (4.2, 4.3)', () => {
  it('no link, state, code, verifier, cookie or token is in the log at its finest level, or in the database in clear text', async () => {
    const { browser, callback, code, state, begun, user } = await setOut('google_health');
    assert.match((await browser.open(callback)).text, /is connected/);
    assert.equal((await api.delete(`/v1/users/${user.id}/devices/${begun.id}`)).status, 204);
    const [exchange] = stub.calls.filter(isTokenCall);
    const identity = stub.calls.find(({ path }) => path.endsWith('/identity'));
    const token = identity?.headers.authorization?.replace('Bearer ', '') ?? '';
    const verifier = exchange?.form.get('code_verifier') ?? '';
    const secret = exchange?.form.get('client_secret') ?? '';
    const address = begun.auth_url.split('/').at(-1) ?? '';
    const rows = await service.running.services.db.query(
      `select to_json(c)::text as t from authorization_requests c union all select to_json(a)::text from provider_accounts a
       union all select payload::text from graphile_worker._private_jobs`,
    );
    const positions = { log: logLines.join('\n'), database: JSON.stringify(rows) };
    for (const [name, text] of Object.entries({ code, state, token, verifier, secret, address })) {
      assert.ok(text.length > 20, name);
      for (const [position, content] of Object.entries(positions))
        assert.ok(!content.includes(text), `${name} in the ${position}`);
    }
    assert.ok(positions.log.includes('/connect/callback/:provider'), 'requests are in the log by their route');
  });

  it('a stored verifier cannot be opened for another authorization request', async () => {
    const [one, other] = [await setOut('garmin'), await setOut('garmin')];
    await service.running.services.db.query(
      `update authorization_requests set sealed_state = (select sealed_state from authorization_requests where device_id = $2) where device_id = $1`,
      [one.begun.id, other.begun.id],
    );
    assertRefused(await one.browser.open(one.callback));
    assert.deepEqual([countExchanges(), await one.status()], [0, 'failed']);
  });
});

describe('tokens at the wrong server (4.9)', () => {
  it('sends tokens and codes only to the provider’s own servers: a redirect is not followed', async () => {
    for (const path of ['/oura/oauth/token', '/oura/v2/usercollection/personal_info']) {
      const { browser, callback, status } = await setOut();
      stub.answer(path, () => ({ status: 307, headers: { location: '/elsewhere' } }));
      assertRefused(await browser.open(callback));
      stub.answer(path, null);
      assert.deepEqual([stub.at('/elsewhere').length, await status()], [0, 'failed']);
    }
  });
});

describe('guessing', () => {
  it('limits wrong links and wrong states by address', async () => {
    const strict = await startTestService({ clock: createMovableClock(), realLimits: true });
    try {
      let last = 0;
      for (let count = 0; count < 140 && last !== 429; count += 1)
        last = (await fetch(`${strict.url}/connect/callback/oura?state=${count}`)).status;
      assert.equal(last, 429);
    } finally {
      await strict.stop();
    }
  });
});
