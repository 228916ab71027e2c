// The pages of a connection as users see them: branding, list of providers, results, languages and popups.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { agree, beginConnecting, readDevice, walk } from '../support/connect-account.ts';
import { startStubbedService } from '../support/stub-provider.ts';
import { openBrowser } from '../support/test-browser.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { createSandboxUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createMovableClock();
const { service, stub } = await startStubbedService({ after }, { clock });
afterEach(() => stub.forget());

const api = service.api(service.keys.sandbox);
const { db } = service.running.services;
const RETURN = 'http://localhost:3000/connected?x=1';

const brand = (fields: object) => service.operator().patch('/admin/accounts/default/branding', fields);

async function begin(provider = 'oura', fields: object = {}) {
  const user = await createSandboxUser(service);
  return { user, ...(await beginConnecting(api, user.id, provider, fields)) };
}

async function deny(authUrl: string) {
  const browser = openBrowser();
  return browser.press(await browser.open(authUrl), 'deny');
}

describe('the account on its pages', () => {
  it('shows its display name, accent color and links on the consent page and on the result', async () => {
    const links = { privacy_url: 'https://pulse.example/privacy', support_url: 'https://pulse.example/help' };
    await brand({ display_name: 'Pulse', accent_color: '#ff8800', ...links });
    const { auth_url } = await begin();
    const browser = openBrowser();
    const pages = [await browser.open(auth_url), await walk(auth_url, browser), await browser.open(auth_url)];
    await brand({ display_name: null, accent_color: null, privacy_url: null, support_url: null });
    assert.deepEqual(
      pages.map(({ status }) => status),
      [200, 200, 410],
    );
    for (const page of pages) {
      assert.match(page.text, /Pulse/);
      assert.match(page.text, /--fill: #ff8800; --on-fill: #10181f/);
      assert.match(page.text, /href="https:\/\/pulse\.example\/privacy"[^>]*>Privacy policy</);
      assert.match(page.text, /href="https:\/\/pulse\.example\/help"[^>]*>Help</);
      assert.equal(page.headers.get('content-security-policy')?.match(/'sha256-/g)?.length, 2, 'both styles');
    }
  });
});

describe('the list of providers', () => {
  it('400 if the body has no provider', async () => {
    const user = await createSandboxUser(service);
    for (const body of [{}, { redirect_url: 'https://app.example/connected' }]) {
      const answer = await api.post(`/v1/users/${user.id}/devices`, body);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_body'], answer.text);
      assert.equal(answer.body.details.issues[0].path, 'provider');
    }
  });

  it('200 with provider null returns a link to the list, and the user connects several of them', async () => {
    const user = await createSandboxUser(service);
    const begun = await api.post(`/v1/users/${user.id}/devices`, { provider: null }, { headers: { 'api-form': '2' } });
    assert.equal(begun.status, 200, begun.text);
    const { auth_url, ...rest } = begun.body;
    assert.deepEqual(rest, { id: null, provider: null, status: 'pending' });
    assert.deepEqual((await api.get(`/v1/users/${user.id}/devices`)).body.data, []);
    const browser = openBrowser();
    for (const provider of ['oura', 'polar']) {
      const page = await browser.open(auth_url);
      assert.equal(page.status, 200);
      assert.match(page.text, new RegExp(`name="provider" value="${provider}"`));
      assert.match(page.text, new RegExp(`/providers/${provider}\\.svg`));
      const body = new URLSearchParams({ provider });
      const chosen = await fetch(auth_url, { method: 'POST', body, redirect: 'manual' });
      assert.equal(chosen.status, 303);
      const consent = new URL(chosen.headers.get('location') ?? '', service.url).href;
      assert.match((await walk(consent, openBrowser())).text, /is connected/);
    }
    const { data } = (await api.get(`/v1/users/${user.id}/devices`)).body;
    assert.deepEqual(
      data.map(({ provider, status }: { provider: string; status: string }) => [provider, status]),
      [
        ['oura', 'active'],
        ['polar', 'active'],
      ],
    );
  });

  it('400 for another provider, 403 for a form of another site, 410 after 30 minutes', async () => {
    const user = await createSandboxUser(service);
    const { auth_url } = (
      await api.post(`/v1/users/${user.id}/devices`, { provider: null }, { headers: { 'api-form': '2' } })
    ).body;
    const press = (provider: string, headers: Record<string, string> = {}) =>
      fetch(auth_url, { method: 'POST', body: new URLSearchParams({ provider }), headers, redirect: 'manual' });
    assert.equal((await press('nobody')).status, 400);
    assert.equal((await press('oura', { 'sec-fetch-site': 'cross-site' })).status, 403);
    clock.advance(30 * MINUTE_MS);
    assert.equal((await press('oura')).status, 410);
    assert.equal((await fetch(auth_url)).status, 410);
  });
});

describe('the result page', () => {
  it('stays a success when it is reloaded, without the query of the provider', async () => {
    const { auth_url } = await begin();
    const page = await walk(auth_url);
    assert.match(page.url, /\/connect\/result\/cr_[\w-]+$/);
    assert.match(page.text, /class="outcome success"/);
    const again = await openBrowser().open(page.url);
    assert.deepEqual([again.status, again.text], [200, page.text]);
    assert.equal((await openBrowser().open(`${page.url}x`)).status, 410);
  });

  it('offers another try after a failure, for the same device and not longer than the link', async () => {
    const { auth_url, id, user } = await begin();
    const page = await deny(auth_url);
    assert.match(page.text, /class="outcome failure"/);
    assert.match(page.text, /value="again"/);
    const retry = () =>
      fetch(page.url, { method: 'POST', body: new URLSearchParams({ decision: 'again' }), redirect: 'manual' });
    const response = await retry();
    assert.equal(response.status, 303);
    const next = new URL(response.headers.get('location') ?? '', service.url).href;
    assert.match((await walk(next)).text, /is connected/);
    assert.equal((await readDevice(api, user.id, id)).status, 'active');
  });

  it('does not offer another try after the link has expired', async () => {
    const page = await deny((await begin()).auth_url);
    clock.advance(30 * MINUTE_MS);
    assert.doesNotMatch((await openBrowser().open(page.url)).text, /value="again"/);
    const body = new URLSearchParams({ decision: 'again' });
    assert.equal((await fetch(page.url, { method: 'POST', body, redirect: 'manual' })).status, 410);
  });

  it('an expired link leads back to the app with the reason', async () => {
    const { auth_url, id } = await begin('oura', { redirect_url: RETURN });
    clock.advance(30 * MINUTE_MS);
    const page = await openBrowser().open(auth_url);
    assert.equal(page.status, 410);
    assert.match(page.text, /class="outcome expired"/);
    const back = `${RETURN}&device_id=${id}&status=failed&failure_reason=expired&reason=expired`;
    assert.ok(page.text.includes(`href="${back.replaceAll('&', '&#38;')}"`), page.text);
  });
});

describe('what was granted', () => {
  const share = (account: string, scope: string) =>
    stub.answer('/oura/oauth/token', () => ({
      status: 200,
      body: { access_token: `at.${account}.x`, refresh_token: `rt.${account}.x`, expires_in: 3_600, scope },
    }));
  afterEach(() => stub.answer('/oura/oauth/token', null));

  it('is on the device, with what is missing', async () => {
    share('one', 'daily heartrate');
    const { auth_url, id, user } = await begin();
    const page = await walk(auth_url);
    assert.match(page.text, /You did not share everything/);
    const device = await readDevice(api, user.id, id);
    assert.deepEqual(device.granted, ['activity', 'energy', 'sleep', 'vitals']);
    assert.deepEqual(device.missing, ['activity', 'energy', 'vitals']); // no workouts, no blood oxygen
    assert.equal('failure_reason' in device, false);
  });

  it('nothing shared is not connected: redirect, device and event say so, and the tokens are revoked', async () => {
    share('two', '');
    const { auth_url, id, user } = await begin('oura', { redirect_url: RETURN });
    const page = await walk(auth_url);
    assert.equal(
      page.location,
      `${RETURN}&device_id=${id}&status=failed&failure_reason=nothing_shared&reason=nothing_shared`,
    );
    const device = await readDevice(api, user.id, id);
    assert.deepEqual([device.status, device.failure_reason], ['failed', 'nothing_shared']);
    const { events } = await waitUntil('the event', async () => {
      const { body } = await api.get(`/v1/events?user_id=${user.id}&event_type=device.failed&limit=10`);
      return body.events.length > 0 ? body : null;
    });
    assert.deepEqual(
      [events[0].device_id, events[0].failure_reason, events[0].reason],
      [id, 'nothing_shared', 'nothing_shared'],
    );
    await waitUntil('the revocation', () => stub.at('/oura/oauth/revoke').length > 0);
  });

  it('declined and failed connections have their reasons', async () => {
    const declined = await begin('oura', { redirect_url: RETURN });
    assert.match(
      (await deny(declined.auth_url)).location ?? '',
      /status=failed&failure_reason=declined&reason=declined$/,
    );
    assert.equal((await readDevice(api, declined.user.id, declined.id)).failure_reason, 'declined');
    stub.answer('/oura/oauth/token', () => ({ status: 503 }));
    const failed = await begin('oura', { redirect_url: RETURN });
    assert.match(
      (await walk(failed.auth_url)).location ?? '',
      /status=failed&failure_reason=provider_error&reason=provider_error$/,
    );
    assert.equal((await readDevice(api, failed.user.id, failed.id)).failure_reason, 'provider_error');
    const reported = await readStoredEvents(db, failed.user.id);
    assert.equal(reported.filter(({ type }) => type === 'device.failed').length, 1);
  });

  it('a new attempt clears the reason', async () => {
    const { user, id, auth_url } = await begin();
    await deny(auth_url);
    await beginConnecting(api, user.id, 'oura');
    assert.equal('failure_reason' in (await readDevice(api, user.id, id)), false);
  });
});

describe('a popup', () => {
  it('posts its result to the origin of redirect_url only, by a script that the policy names', async () => {
    const { auth_url, id } = await begin('oura', { redirect_url: RETURN });
    const browser = openBrowser();
    const consent = await browser.open(`${auth_url}?display=popup`);
    assert.equal(consent.headers.get('cross-origin-opener-policy'), 'unsafe-none');
    const { callback } = await agree(`${auth_url}?display=popup`, browser);
    const page = await browser.open(callback);
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('cross-origin-opener-policy'), 'unsafe-none');
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'sha256-[^']+';/);
    assert.match(page.text, /postMessage\(\{"type":"tributary.connect","status":"active"/);
    assert.match(page.text, new RegExp(`"device_id":"${id}".*, "http://localhost:3000"\\)`));
  });

  it('stays connected to the window that opened it when the link was used', async () => {
    const { auth_url } = await begin('oura', { redirect_url: RETURN });
    await deny(auth_url);
    const policyOf = async (url: string) => (await openBrowser().open(url)).headers.get('cross-origin-opener-policy');
    assert.equal(await policyOf(`${auth_url}?display=popup`), 'unsafe-none');
    assert.equal(await policyOf(auth_url), 'same-origin');
  });

  it('has no script without a redirect_url, because no origin is registered', async () => {
    const { auth_url } = await begin();
    const page = await walk(`${auth_url}?display=popup`);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /<script/);
  });
});

describe('the language', () => {
  it('is that of Accept-Language, and ?lang= wins up to the result', async () => {
    const { auth_url } = await begin();
    const accepted = await fetch(auth_url, { headers: { 'accept-language': 'xx, de-CH;q=0.9, en;q=0.5' } });
    assert.match(await accepted.text(), /<html lang="de">/);
    const page = await walk(`${auth_url}?lang=de`);
    assert.match(page.text, /<html lang="de">/);
  });
});
