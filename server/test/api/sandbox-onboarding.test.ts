// A sandbox user who connects a provider: an empty user for onboarding, and an account that is the same person.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { beginConnecting, readDevice, walkThroughConsent } from '../support/connect-account.ts';
import { openBrowser } from '../support/test-browser.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService();
after(() => service.stop());
const api = service.api(service.keys.sandbox);

async function createUser(fields: object) {
  const answer = await api.post('/v1/users', { reference_id: crypto.randomUUID(), ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data ?? answer.body;
}

const awaitHistory = (userId: string, deviceId: string) =>
  waitUntil(
    'the history',
    async () => ((await readDevice(api, userId, deviceId)).backfill?.state === 'done' ? true : null),
    60_000,
  );

describe('POST /v1/users in the sandbox', () => {
  it('201 with seed false creates a user without devices and data', async () => {
    const user = await createUser({ seed: false });
    assert.equal(user.score_status, 'calibrating');
    assert.deepEqual((await api.get(`/v1/users/${user.id}/devices`)).body.data, []);
    const seeded = await createUser({});
    assert.equal((await api.get(`/v1/users/${seeded.id}/devices`)).body.data.length, 3);
  });
});

describe('a simulated account of a sandbox user', () => {
  it('has the nights and workouts of the user’s own devices, in the same time zone', async () => {
    const user = await createUser({ timezone: 'America/New_York', profile: { birth_date: '1990-02-03' } });
    // Yesterday in UTC may still be today in New York, and only days that have ended are generated.
    const nights = async () => {
      const [from, to] = [6, 2].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10));
      const path = `/v1/users/${user.id}/sleep?from_date=${from}&to_date=${to}`;
      const { body, text } = await api.get(path, { headers: { 'api-form': '2' } });
      const list = body.data ?? body.sleep;
      assert.ok(Array.isArray(list), text.slice(0, 300));
      return list.map(({ date, start }: { date: string; start: string }) => `${date} ${start}`);
    };
    const before = await nights();
    assert.ok(before.length >= 5, String(before.length));
    const { id, auth_url } = await beginConnecting(api, user.id, 'withings');
    assert.match((await walkThroughConsent(auth_url, openBrowser())).text, /is connected/);
    await awaitHistory(user.id, id);
    const days = (list: string[]) => list.map((text) => text.slice(0, 10));
    assert.deepEqual(days(await nights()), days(before), 'no night of somebody else was added');
  });

  it('is another account while the first is connected, unless the previous one is chosen', async () => {
    const user = await createUser({ seed: false });
    const browser = openBrowser();
    const connect = async (decision?: string) => {
      const { id, auth_url } = await beginConnecting(api, user.id, 'oura');
      await walkThroughConsent(auth_url, browser, decision);
      return readDevice(api, user.id, id);
    };
    const first = await connect();
    const second = await connect();
    assert.notEqual(second.id, first.id);
    assert.deepEqual([second.status, 'merged_into' in second], ['active', false]);
    assert.equal((await connect('again')).merged_into, second.id);
  });

  it('is still the same person after the user declined', async () => {
    const user = await createUser({ seed: false });
    const openProvider = async () => {
      const browser = openBrowser();
      const { id, auth_url } = await beginConnecting(api, user.id, 'oura');
      const page = await browser.open((await browser.press(await browser.open(auth_url), 'allow')).location ?? '');
      assert.match(page.text, /same days as the other devices/);
      return {
        id,
        press: async (decision: string) => browser.open((await browser.press(page, decision)).location ?? ''),
      };
    };
    const declined = await openProvider();
    await declined.press('deny');
    assert.equal((await readDevice(api, user.id, declined.id)).status, 'failed');
    assert.equal((await openProvider()).id, declined.id);
  });

  it('is another account while the pages of the first are open', async () => {
    const user = await createUser({ seed: false });
    const links = [await beginConnecting(api, user.id, 'oura'), await beginConnecting(api, user.id, 'oura')];
    const browsers = links.map(() => openBrowser());
    const pages = [];
    for (const [index, { auth_url }] of links.entries()) {
      const browser = browsers[index] ?? assert.fail();
      pages.push(await browser.open((await browser.press(await browser.open(auth_url), 'allow')).location ?? ''));
    }
    for (const [index, page] of pages.entries()) {
      const browser = browsers[index] ?? assert.fail();
      await browser.open((await browser.press(page, 'allow')).location ?? '');
    }
    for (const { id } of links) {
      const device = await readDevice(api, user.id, id);
      assert.deepEqual([device.status, 'merged_into' in device], ['active', false]);
    }
  });
});

describe('POST /v1/webhooks', () => {
  it('400 for a local URL says how to receive events on this machine', async () => {
    const answer = await api.post('/v1/webhooks', { url: 'http://localhost:3000/hook', events: ['*'] });
    assert.equal(answer.status, 400);
    assert.match(answer.text, /tributary listen --forward-to/);
    assert.match(answer.text, /TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS/);
    const remote = await api.post('/v1/webhooks', { url: 'http://hooks.example.com/', events: ['*'] });
    assert.doesNotMatch(remote.text, /tributary listen/);
  });
});
