// Tests connecting a cloud provider: the API call, the hosted page, the redirects, and the connected device.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { CLOUD_PROVIDER_IDS } from '../../src/domain/provider-ids.ts';
import { addDays } from '../../src/domain/time/calendar.ts';
import { createZone } from '../../src/domain/time/day.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { tidyConnectionsJob } from '../../src/features/clouds/connections/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import { agree, beginConnecting, readDevice, walk } from '../support/connect-account.ts';
import { passArrival } from '../support/pass-arrival.ts';
import { startStubbedService } from '../support/stub-provider.ts';
import { openBrowser } from '../support/test-browser.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { ABSENT_ID, createSandboxUser, createUser, issuePaths } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createMovableClock();
const HISTORY_DAYS = 14;
const environment = { TRIBUTARY_BACKFILL_DAYS: String(HISTORY_DAYS) };
const { service, stub } = await startStubbedService({ after }, { clock, environment });
afterEach(() => stub.forget());

const live = service.api();
const api = service.api(service.keys.sandbox);
const listEvents = async (userId: string, type: string) =>
  (await api.get(`/v1/events?user_id=${userId}&event_type=${type}&limit=1000`)).body.events;
const db = service.running.services.db;
const awaitHistory = (userId: string, deviceId: string) =>
  waitUntil(
    'the history',
    async () => {
      await passArrival(service.running.services, clock, deviceId);
      const { backfill } = await readDevice(api, userId, deviceId);
      return ['done', 'failed'].includes(backfill.state) ? backfill : null;
    },
    30_000,
  );

describe('POST /v1/users/{id}/devices', () => {
  it('200 returns the shape of each form, and the device is listed as pending', async () => {
    const user = await createSandboxUser(service);
    const form1 = await api.post(
      `/v1/users/${user.id}/devices`,
      { provider: 'oura' },
      { headers: { 'api-form': '1' } },
    );
    assert.equal(form1.status, 200);
    assert.deepEqual(Object.keys(form1.body), ['data']);
    assert.deepEqual(Object.keys(form1.body.data), ['id', 'provider', 'status', 'auth_url']);
    assert.deepEqual([form1.body.data.provider, form1.body.data.status], ['oura', 'pending']);
    assert.ok(form1.body.data.auth_url.startsWith(`${service.url}/connect/`));
    const form2 = await beginConnecting(api, user.id, 'whoop');
    assert.deepEqual(Object.keys(form2), ['id', 'provider', 'status', 'auth_url']);
    const { body } = await api.get(`/v1/users/${user.id}/devices`);
    assert.deepEqual(
      body.data.map((device: { id: string; status: string }) => [device.id, device.status]),
      [
        [form1.body.data.id, 'pending'],
        [form2.id, 'pending'],
      ],
    );
  });

  const refusals: [object, string][] = [
    [{ provider: 'fitbit_classic' }, 'unknown_provider'],
    [{ provider: 'nike' }, 'unknown_provider'],
    [{ provider: 'apple_health' }, 'connects_through_sdk'],
    [{ provider: 'health_connect' }, 'connects_through_sdk'],
    [{ provider: 'samsung_health' }, 'connects_through_sdk'],
    [{ provider: 'oura', redirect: 'https://a.example' }, 'invalid_body'],
  ];
  for (const [body, code] of refusals)
    it(`400 ${code} for ${JSON.stringify(body)}`, async () => {
      const user = await createSandboxUser(service);
      const answer = await api.post(`/v1/users/${user.id}/devices`, body);
      assert.deepEqual([answer.status, answer.body.error], [400, code]);
    });

  it('400 provider_not_configured without credentials', async () => {
    const user = await createUser(live);
    const answer = await live.post(`/v1/users/${user.id}/devices`, { provider: 'oura' });
    assert.deepEqual([answer.status, answer.body.error], [400, 'provider_not_configured']);
    assert.deepEqual((await live.get(`/v1/users/${user.id}/devices`)).body.data, []);
  });

  it('400 invalid redirect_url, unless the account has registered its scheme', async () => {
    const user = await createSandboxUser(service);
    const call = (redirect_url: string) => api.post(`/v1/users/${user.id}/devices`, { provider: 'oura', redirect_url });
    const refused = await call('myapp://done');
    assert.deepEqual([refused.status, issuePaths(refused.body)], [400, ['redirect_url']]);
    const registered = await service.operator().post('/admin/accounts/default/redirects', { scheme: 'myapp://' });
    assert.deepEqual(registered.body.redirect_schemes, ['myapp']);
    assert.equal((await call('myapp://done')).status, 200);
    assert.equal((await call('otherapp://done')).status, 400);
    const removed = await service.operator().delete('/admin/accounts/default/redirects/myapp');
    assert.deepEqual(removed.body.redirect_schemes, []);
    assert.equal((await call('myapp://done')).status, 400);
  });

  it('404 for an unknown user', async () => {
    const answer = await api.post(`/v1/users/${ABSENT_ID}/devices`, { provider: 'nobody' });
    assert.deepEqual([answer.status, answer.body.error], [404, 'not_found']);
  });
});

describe('the hosted page', () => {
  it('200 names the organization, the purpose, the duration and how to stop, and works without scripts', async () => {
    const user = await createSandboxUser(service);
    await service.operator().put('/admin/accounts/default/logo', { logo_url: 'https://cdn.example/logo.png' });
    const { auth_url } = await beginConnecting(api, user.id, 'withings');
    const page = await openBrowser().open(auth_url);
    await service.operator().put('/admin/accounts/default/logo', { logo_url: null });
    assert.equal(page.status, 200);
    for (const text of [
      'default',
      'Withings',
      'What is shared',
      'Weight and body measurements',
      'Movement and workouts',
      'Muscle mass',
      'For how long',
      'How to stop',
    ])
      assert.ok(page.text.includes(text), text);
    assert.ok(page.text.includes('src="https://cdn.example/logo.png" alt=""'));
    assert.ok(!page.text.includes('<script'));
    assert.match(page.text, /<html lang="en">/);
    assert.match(page.text, /name="viewport"/);
  });

  it('200 as often as it is opened, until the user decides; then 410', async () => {
    const user = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(api, user.id, 'polar');
    const browser = openBrowser();
    assert.deepEqual([(await browser.open(auth_url)).status, (await openBrowser().open(auth_url)).status], [200, 200]);
    await browser.press(await browser.open(auth_url), 'allow');
    const used = await browser.open(auth_url);
    assert.equal(used.status, 410);
    assert.match(used.text, /works only once/);
  });

  it('410 after exactly 30 minutes; 404 for an unknown link', async () => {
    const user = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(api, user.id, 'polar');
    const before = await openBrowser().open(auth_url);
    assert.equal(before.status, 200);
    clock.advance(30 * MINUTE_MS);
    const page = await openBrowser().open(auth_url);
    assert.equal(page.status, 410);
    assert.match(page.text, /This link has expired/);
    assert.equal((await openBrowser().press(before, 'allow')).status, 410);
    assert.equal((await openBrowser().open(`${service.url}/connect/nonsense`)).status, 404);
    const tampered = auth_url.slice(0, -1) + (auth_url.endsWith('A') ? 'B' : 'A');
    assert.equal((await openBrowser().open(tampered)).status, 404);
  });

  it('410 once the device or the user is deleted', async () => {
    const user = await createSandboxUser(service);
    const first = await beginConnecting(api, user.id, 'polar');
    const second = await beginConnecting(api, user.id, 'whoop');
    assert.equal((await api.delete(`/v1/users/${user.id}/devices/${first.id}`)).status, 204);
    assert.equal((await openBrowser().open(first.auth_url)).status, 410);
    await api.delete(`/v1/users/${user.id}`);
    assert.equal((await openBrowser().open(second.auth_url)).status, 410);
  });

  it('400 for an invalid decision, after which the user can still decide', async () => {
    const user = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(api, user.id, 'polar');
    for (const body of ['', 'decision=perhaps', 'decision=allow&decision=deny'])
      assert.equal((await fetch(auth_url, { method: 'POST', body })).status, 400, body);
    assert.equal((await openBrowser().open(auth_url)).status, 200);
  });

  it('redirects a second click to the same URL, and returns 410 in another browser', async () => {
    const user = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(api, user.id, 'garmin');
    const browser = openBrowser();
    const page = await browser.open(auth_url);
    const clicks = await Promise.all([1, 2, 3].map(() => browser.press(page, 'allow')));
    assert.deepEqual(
      clicks.map(({ status }) => status),
      [303, 303, 303],
    );
    assert.equal(new Set(clicks.map(({ location }) => location)).size, 1);
    assert.equal((await openBrowser().press(page, 'allow')).status, 410);
    assert.equal((await browser.press(page, 'deny')).status, 410);
  });

  it('deny fails the device, and the user sees a page or returns to the app', async () => {
    const user = await createSandboxUser(service);
    const browser = openBrowser();
    const begun = await beginConnecting(api, user.id, 'oura');
    const denied = await browser.press(await browser.open(begun.auth_url), 'deny');
    assert.equal(denied.status, 200);
    assert.match(denied.text, /Oura was not connected/);
    assert.equal((await readDevice(api, user.id, begun.id)).status, 'failed');
    assert.equal((await browser.open(begun.auth_url)).status, 410);

    const other = await beginConnecting(api, user.id, 'whoop', { redirect_url: 'https://app.example/done?x=a%20b' });
    const back = await browser.press(await browser.open(other.auth_url), 'deny');
    assert.equal(back.status, 303);
    assert.equal(
      back.location,
      `https://app.example/done?x=a%20b&device_id=${other.id}&status=failed&failure_reason=declined&reason=declined`,
    );
    assert.deepEqual(stub.calls, []);
  });
});

describe('the redirect to the provider and back', () => {
  for (const provider of CLOUD_PROVIDER_IDS)
    it(`${provider}: connects, emits the event and backfills the history`, async () => {
      const user = await createSandboxUser(service);
      stub.holdData();
      const begun = await beginConnecting(api, user.id, provider);
      const browser = openBrowser();
      const { authorize, callback } = await agree(begun.auth_url, browser);
      assert.equal(authorize.searchParams.get('redirect_uri'), `${service.url}/connect/callback/${provider}`);
      assert.equal(authorize.searchParams.get('response_type'), 'code');
      const page = await browser.open(callback);
      assert.equal(page.status, 200);
      assert.match(page.text, /is connected/);
      const device = await readDevice(api, user.id, begun.id);
      assert.equal(device.status, 'active');
      assert.ok(Date.parse(device.connected_at) > 0);
      assert.deepEqual(device.backfill, { state: 'waiting', from_date: null });
      assert.equal('merged_into' in device, false);
      const events = await waitUntil('the event', async () => {
        const found = (await listEvents(user.id, 'device.connected')).filter(
          (event: { device_id: string }) => event.device_id === begun.id,
        );
        return found.length > 0 ? found : null;
      });
      assert.equal(events.length, 1);
      const today = createZone(null).dayAt(Date.parse(device.connected_at)).date;
      stub.release();
      assert.deepEqual(await awaitHistory(user.id, begun.id), {
        state: 'done',
        from_date: addDays(today, 1 - HISTORY_DAYS),
      });
    });

  it('redirects back to the app with the device and its status', async () => {
    const user = await createSandboxUser(service);
    const begun = await beginConnecting(api, user.id, 'oura', { redirect_url: 'https://app.example/done' });
    const page = await walk(begun.auth_url);
    assert.equal(page.status, 303);
    assert.equal(page.location, `https://app.example/done?device_id=${begun.id}&status=active`);
  });

  it('fails the device when the user denies access at the provider', async () => {
    const user = await createSandboxUser(service);
    stub.answer('/oura/oauth/authorize', ({ query }) => ({
      status: 302,
      headers: { location: `${query.get('redirect_uri')}?error=access_denied&state=${query.get('state')}` },
    }));
    const begun = await beginConnecting(api, user.id, 'oura');
    const page = await walk(begun.auth_url);
    stub.answer('/oura/oauth/authorize', null);
    assert.match(page.text, /You chose not to share/);
    assert.equal((await readDevice(api, user.id, begun.id)).status, 'failed');
    assert.deepEqual(stub.at('/oura/oauth/token'), []);
  });

  const failures: [string, string, string, { status: number; body?: unknown }, RegExp][] = [
    [
      'the code is rejected',
      'oura',
      '/oura/oauth/token',
      { status: 400, body: { error: 'invalid_grant' } },
      /could not complete/,
    ],
    ['the token endpoint is down', 'oura', '/oura/oauth/token', { status: 503 }, /could not complete/],
    ['the token response is invalid', 'oura', '/oura/oauth/token', { status: 200, body: {} }, /could not complete/],
    [
      'the identity response has no account',
      'oura',
      '/oura/v2/usercollection/personal_info',
      { status: 200, body: {} },
      /did not share enough/,
    ],
    [
      'the identity request is forbidden',
      'oura',
      '/oura/v2/usercollection/personal_info',
      { status: 403 },
      /did not share enough/,
    ],
    [
      'the identity request fails',
      'oura',
      '/oura/v2/usercollection/personal_info',
      { status: 500 },
      /could not complete/,
    ],
  ];
  for (const [name, provider, path, answer, text] of failures)
    it(`fails the device when ${name}`, async () => {
      const user = await createSandboxUser(service);
      stub.answer(path, () => answer);
      const begun = await beginConnecting(api, user.id, provider);
      const page = await walk(begun.auth_url);
      stub.answer(path, null);
      assert.equal(page.status, 200);
      assert.match(page.text, text);
      assert.equal((await readDevice(api, user.id, begun.id)).status, 'failed');
      assert.deepEqual(await db.query('select 1 from provider_accounts where user_id = $1', [user.id]), []);
    });

  it('revokes unusable tokens: nothing was shared at Garmin', async () => {
    const user = await createSandboxUser(service);
    stub.answer('/garmin/wellness-api/rest/user/permissions', () => ({ status: 200, body: [] }));
    const begun = await beginConnecting(api, user.id, 'garmin');
    const page = await walk(begun.auth_url);
    stub.answer('/garmin/wellness-api/rest/user/permissions', null);
    assert.match(page.text, /did not share enough/);
    assert.equal((await readDevice(api, user.id, begun.id)).status, 'failed');
    const path = '/garmin/wellness-api/rest/user/registration';
    const [call] = await waitUntil('the revocation', () => (stub.at(path).length > 0 ? stub.at(path) : null));
    assert.equal(call?.method, 'DELETE');
  });

  it('revokes tokens that arrive too late: the device was deleted meanwhile', async () => {
    const user = await createSandboxUser(service);
    const begun = await beginConnecting(api, user.id, 'oura');
    const path = '/oura/v2/usercollection/personal_info';
    const browser = openBrowser();
    const { callback } = await agree(begun.auth_url, browser);
    stub.answer('/oura/oauth/token', null);
    // The device is deleted after the token exchange and before the tokens are stored.
    stub.answer(path, async () => {
      await db.query('delete from devices where user_id = $1', [user.id]);
      return { status: 200, body: { id: 'late' } };
    });
    const page = await browser.open(callback);
    stub.answer(path, null);
    assert.match(page.text, /was not connected/);
    assert.deepEqual(await db.query('select 1 from provider_accounts where user_id = $1', [user.id]), []);
    await waitUntil('the revocation', () => stub.at('/oura/oauth/revoke').length > 0);
  });
});

describe('the states of a device', () => {
  it('pending becomes expired after 30 minutes, and is removed 24 hours later', async () => {
    const user = await createSandboxUser(service);
    const { id } = await beginConnecting(api, user.id, 'oura');
    clock.advance(30 * MINUTE_MS - 5_000);
    assert.equal((await readDevice(api, user.id, id)).status, 'pending');
    clock.advance(5_000);
    assert.equal((await readDevice(api, user.id, id)).status, 'expired');
    const detail = await api.get(`/v1/users/${user.id}`, { headers: { 'api-form': '2' } });
    assert.deepEqual(
      detail.body.devices.map((device: { status: string }) => device.status),
      ['expired'],
    );
    clock.advance(24 * HOUR_MS - 5_000);
    assert.equal((await readDevice(api, user.id, id)).status, 'expired');
    clock.advance(5_000);
    assert.equal(await readDevice(api, user.id, id), null);
    assert.equal((await api.delete(`/v1/users/${user.id}/devices/${id}`)).status, 404);
  });

  it('a new authorization request reuses the id of a failed or expired device, and invalidates the previous link', async () => {
    const user = await createSandboxUser(service);
    const first = await beginConnecting(api, user.id, 'oura');
    const browser = openBrowser();
    await browser.press(await browser.open(first.auth_url), 'deny');
    const second = await beginConnecting(api, user.id, 'oura');
    assert.equal(second.id, first.id);
    assert.equal((await readDevice(api, user.id, first.id)).status, 'pending');
    clock.advance(31 * MINUTE_MS);
    const third = await beginConnecting(api, user.id, 'oura');
    assert.equal(third.id, first.id);
    assert.equal((await openBrowser().open(second.auth_url)).status, 410);
    assert.match((await walk(third.auth_url)).text, /is connected/);
    assert.equal((await readDevice(api, user.id, first.id)).status, 'active');
  });

  it('a second account at a provider becomes a second device', async () => {
    const user = await createSandboxUser(service);
    const first = await beginConnecting(api, user.id, 'oura');
    await walk(first.auth_url);
    const second = await beginConnecting(api, user.id, 'oura');
    assert.notEqual(second.id, first.id);
    await walk(second.auth_url);
    for (const { id } of [first, second]) assert.equal((await readDevice(api, user.id, id)).status, 'active');
    const numbers = await db.query("select distinct number from devices where user_id = $1 and status = 'active'", [
      user.id,
    ]);
    assert.equal(numbers.length, 2);
  });

  it('an account that is already connected keeps its device; the new record is merged into it and deleted with it', async () => {
    const user = await createSandboxUser(service);
    stub.account = '4711';
    const first = await beginConnecting(api, user.id, 'oura');
    await walk(first.auth_url);
    const tokens = async () =>
      (
        await db.query<{ sealed_tokens: Buffer }>('select sealed_tokens from provider_accounts where user_id = $1', [
          user.id,
        ])
      ).map((row) => row.sealed_tokens.toString('hex'));
    const before = await tokens();
    const second = await beginConnecting(api, user.id, 'oura', { redirect_url: 'https://app.example/' });
    const page = await walk(second.auth_url);
    assert.equal(page.location, `https://app.example/?device_id=${second.id}&status=active`);
    const merged = await readDevice(api, user.id, second.id);
    assert.deepEqual([merged.status, merged.merged_into], ['active', first.id]);
    assert.equal((await readDevice(api, user.id, first.id)).status, 'active');
    const afterwards = await tokens();
    assert.deepEqual([before.length, afterwards.length], [1, 1]);
    assert.notDeepEqual(afterwards, before);
    const detail = await api.get(`/v1/users/${user.id}`, { headers: { 'api-form': '2' } });
    assert.equal(detail.body.sync.devices_active, 1);

    assert.equal((await api.delete(`/v1/users/${user.id}/devices/${first.id}`)).status, 204);
    assert.deepEqual((await api.get(`/v1/users/${user.id}/devices`)).body.data, []);
  });

  const SHARING: readonly [string, string, boolean][] = [
    ['shares a resource that it refused', `update synced_devices set skipped_resources = '{sleep}'`, true],
    ['grants a further scope', `update provider_accounts set scopes = '{daily}'`, true],
    ['shares the same', 'update provider_accounts set scopes = scopes', false],
  ];
  for (const [name, sharing, isRepeated] of SHARING)
    it(`an account that is already connected and ${name}: its history is ${isRepeated ? '' : 'not '}fetched again`, async () => {
      const user = await createSandboxUser(service);
      stub.account = `sharing ${name}`;
      const first = await beginConnecting(api, user.id, 'oura');
      await walk(first.auth_url);
      assert.equal((await awaitHistory(user.id, first.id)).state, 'done');
      await db.query(`${sharing} where user_id = $1`, [user.id]);
      stub.holdData();
      const second = await beginConnecting(api, user.id, 'oura');
      await walk(second.auth_url);
      assert.equal((await readDevice(api, user.id, second.id)).merged_into, first.id);
      const { backfill } = await readDevice(api, user.id, first.id);
      stub.release();
      assert.equal(backfill.state !== 'done', isRepeated);
      assert.equal((await awaitHistory(user.id, first.id)).state, 'done');
      const [synced] = await db.query('select skipped_resources from synced_devices where user_id = $1', [user.id]);
      assert.deepEqual(synced, { skipped_resources: [] });
    });

  it('reauthorize reconnects the same account to its device; another account becomes another device', async () => {
    const user = await createSandboxUser(service);
    stub.account = '815';
    const first = await beginConnecting(api, user.id, 'oura');
    await walk(first.auth_url);
    assert.equal((await awaitHistory(user.id, first.id)).state, 'done');
    const refuse = () =>
      db.query(`update devices set status = 'reauthorize' where user_id = $1 and id = $2`, [user.id, first.id]);
    await refuse();
    const again = await beginConnecting(api, user.id, 'oura');
    assert.equal(again.id, first.id);
    assert.equal((await readDevice(api, user.id, first.id)).status, 'pending');
    const settings = await api.get(`/v1/users/${user.id}/consolidation`);
    assert.ok(JSON.stringify(settings.body).includes('oura'), 'its provider stays connected meanwhile');
    stub.holdData();
    await walk(again.auth_url);
    const back = await readDevice(api, user.id, first.id);
    assert.deepEqual([back.status, back.backfill], ['active', { state: 'waiting', from_date: null }]);
    stub.release();
    assert.equal((await awaitHistory(user.id, first.id)).state, 'done', 'the backfill runs again');

    await refuse();
    stub.account = '816';
    const other = await beginConnecting(api, user.id, 'oura', { redirect_url: 'https://app.example/' });
    assert.equal(other.id, first.id);
    const page = await walk(other.auth_url);
    const listedId = new URL(page.location ?? '').searchParams.get('device_id') ?? '';
    assert.notEqual(listedId, first.id);
    assert.equal((await readDevice(api, user.id, listedId)).status, 'active');
    assert.equal((await readDevice(api, user.id, first.id)).status, 'reauthorize');
  });

  it('reauthorize stays when the authorization request fails', async () => {
    const user = await createSandboxUser(service);
    const first = await beginConnecting(api, user.id, 'oura');
    await walk(first.auth_url);
    await db.query(`update devices set status = 'reauthorize' where user_id = $1 and id = $2`, [user.id, first.id]);
    const denied = await beginConnecting(api, user.id, 'oura');
    const browser = openBrowser();
    await browser.press(await browser.open(denied.auth_url), 'deny');
    assert.equal((await readDevice(api, user.id, first.id)).status, 'reauthorize');
    await beginConnecting(api, user.id, 'oura');
    clock.advance(60 * HOUR_MS);
    assert.equal((await readDevice(api, user.id, first.id)).status, 'reauthorize');
  });
});

describe('the hourly cleanup', () => {
  it('removes only devices that are no longer listed', async () => {
    const [gone, kept] = [await createSandboxUser(service), await createSandboxUser(service)];
    await beginConnecting(api, gone.id, 'oura');
    const connected = await beginConnecting(api, kept.id, 'oura');
    await walk(connected.auth_url);
    await db.query(`update devices set status = 'reauthorize' where user_id = $1`, [kept.id]);
    await beginConnecting(api, kept.id, 'oura');
    const count = async (table: string, userId: string) =>
      (await db.query(`select 1 from ${table} where user_id = $1`, [userId])).length;
    clock.advance(24 * HOUR_MS);
    await tidyConnectionsJob.run(service.running.services, {});
    assert.deepEqual([await count('devices', gone.id), await count('authorization_requests', gone.id)], [1, 1]);
    clock.advance(31 * MINUTE_MS);
    await tidyConnectionsJob.run(service.running.services, {});
    assert.deepEqual([await count('devices', gone.id), await count('authorization_requests', gone.id)], [0, 0]);
    assert.deepEqual([await count('devices', kept.id), await count('provider_accounts', kept.id)], [1, 1]);
  });
});

describe('DELETE /v1/users/{id}/devices/{device_id}', () => {
  it('204 removes pending and failed devices without an event, because they were never connected', async () => {
    const user = await createSandboxUser(service);
    const [pending, failed] = [
      await beginConnecting(api, user.id, 'oura'),
      await beginConnecting(api, user.id, 'whoop'),
    ];
    const browser = openBrowser();
    await browser.press(await browser.open(failed.auth_url), 'deny');
    for (const { id } of [pending, failed]) {
      assert.equal((await api.delete(`/v1/users/${user.id}/devices/${id}`)).status, 204);
      assert.equal((await api.delete(`/v1/users/${user.id}/devices/${id}`)).status, 404);
    }
    const reported = await readStoredEvents(db, user.id);
    assert.deepEqual(
      reported.map(({ type }) => type).filter((type) => type.startsWith('device.')),
      ['device.failed'],
      'only the failure itself',
    );
  });

  it('204 emits device.disconnected for a connected device, also while it is being reconnected', async () => {
    const user = await createSandboxUser(service);
    const begun = await beginConnecting(api, user.id, 'oura');
    await walk(begun.auth_url);
    await db.query(`update devices set status = 'reauthorize' where user_id = $1 and id = $2`, [user.id, begun.id]);
    assert.equal((await beginConnecting(api, user.id, 'oura')).id, begun.id);
    assert.equal((await readDevice(api, user.id, begun.id)).status, 'pending');
    assert.equal((await api.delete(`/v1/users/${user.id}/devices/${begun.id}`)).status, 204);
    const reported = await readStoredEvents(db, user.id);
    assert.equal(reported.filter(({ type }) => type === 'device.disconnected').length, 1);
    await waitUntil('the access is revoked', () => stub.at('/oura/oauth/revoke').length === 1);
  });

  it('204 revokes access at the provider and retries until it responds, with a refreshed token if needed', async () => {
    const user = await createSandboxUser(service);
    const begun = await beginConnecting(api, user.id, 'oura');
    await walk(begun.auth_url);
    const answers = [{ status: 503 }, { status: 401 }, { status: 200 }];
    stub.answer('/oura/oauth/revoke', () => answers.shift() ?? { status: 500 });
    assert.equal((await api.delete(`/v1/users/${user.id}/devices/${begun.id}`)).status, 204);
    assert.deepEqual(await db.query('select 1 from provider_accounts where user_id = $1', [user.id]), []);
    const calls = await waitUntil(
      'three attempts',
      () => {
        const made = stub.at('/oura/oauth/revoke');
        return made.length === 3 ? made : null;
      },
      30_000,
    );
    stub.answer('/oura/oauth/revoke', null);
    assert.match(calls[0]?.query.get('access_token') ?? '', /^at\.\d+\./);
    assert.match(calls[2]?.query.get('access_token') ?? '', /^at\.refreshed\./);
  });

  it('keeps the access that another user has through the same account', async () => {
    stub.account = '99';
    const [one, other] = [await createSandboxUser(service), await createSandboxUser(service)];
    const devices = [];
    for (const user of [one, other]) {
      const begun = await beginConnecting(api, user.id, 'whoop');
      await walk(begun.auth_url);
      devices.push(begun.id);
    }
    const path = '/whoop/developer/v2/user/access';
    await api.delete(`/v1/users/${one.id}/devices/${devices[0]}`);
    const open = async () =>
      (await db.query(`select 1 from graphile_worker.jobs where task_identifier = 'deauthorize_account'`)).length;
    await waitUntil('the job is done', async () => (await open()) === 0);
    assert.deepEqual(stub.at(path), []);
    await api.delete(`/v1/users/${other.id}`);
    await waitUntil('the erasure revokes the last one', () => stub.at(path).length === 1);
    assert.deepEqual(await db.query('select 1 from authorization_requests where user_id = $1', [other.id]), []);
  });
});

describe('GET /v1/providers', () => {
  it('200 lists which providers are configured, and serves their logos', async () => {
    const { body } = await api.get('/v1/providers');
    assertEvery(body.data, ({ configured }: { configured: boolean }) => configured);
    assertEvery((await live.get('/v1/providers')).body.data, ({ configured }: { configured: boolean }) => !configured);
    const marks: string[] = [];
    for (const { logo_url, display_name } of body.data) {
      const logo = await fetch(logo_url);
      assert.equal(logo.status, 200);
      assert.equal(logo.headers.get('content-type'), 'image/svg+xml');
      marks.push(await logo.text());
      assert.ok(marks.at(-1)?.includes(`aria-label="${display_name}"`));
    }
    assert.equal(
      new Set(marks.map((mark) => mark.replace(/aria-label="[^"]*"/, ''))).size,
      marks.length,
      'no two alike',
    );
    assert.equal((await fetch(`${service.url}/providers/nobody.svg`)).status, 404);
    assert.equal((await fetch(`${service.url}/providers/oura.png`)).status, 404);
  });
});
