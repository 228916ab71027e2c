// The simulator is on the public port: outside callers are rate-limited as everywhere, but the service itself is not.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { beginConnecting, readDevice, walkThroughConsent } from '../support/connect-account.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';
import { createSandboxUser } from '../support/test-users.ts';

const clock = createFrozenClock(new Date('2026-03-10T12:00:00Z'));
const service = await startTestService({ clock, role: 'api', realLimits: true });
after(() => service.stop());
const simulator = `${service.url}/simulator`;
const call = (path: string, init: RequestInit = {}) => fetch(simulator + path, { redirect: 'manual', ...init });
const TOKEN_PATH = '/oura/oauth/token';

describe('the simulator', () => {
  it('429 for an address after 200 calls, like any route without a credential', async () => {
    const answers = await Promise.all(Array.from({ length: 260 }, () => call('/oura/v2/usercollection/sleep')));
    assert.equal(answers.filter(({ status }) => status === 401).length, 200);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 60);
    assert.match(refused[0]?.headers.get('retry-after') ?? '', /^\d+$/);
    const guessed = await call('/oura/v2/usercollection/sleep', {
      headers: { 'x-tributary-own-call': 'a'.repeat(64) },
    });
    assert.equal(guessed.status, 429, 'a guessed token is not accepted');
  });

  it('200 for the service, even if its own address has used up its calls', async () => {
    clock.advance(60 * SECOND_MS);
    const { id } = await createSandboxUser(service);
    const sandbox = service.api(service.keys.sandbox);
    const { id: deviceId, auth_url } = await beginConnecting(sandbox, id, 'oura');
    const outbound = service.running.services.ownOutbound;
    await Promise.all(Array.from({ length: 190 }, () => call('/oura/v2/usercollection/sleep')));
    await walkThroughConsent(auth_url); // a few calls of the browser and the service
    assert.equal((await readDevice(sandbox, id, deviceId)).status, 'active');
    await Promise.all(Array.from({ length: 210 }, () => call('/oura/v2/usercollection/sleep')));
    assert.equal((await call('/oura/v2/usercollection/sleep')).status, 429);
    for (let round = 0; round < 300; round += 1) {
      const answer = await outbound.request(
        'GET',
        `${service.running.services.settings.simulator().api}/oura/v2/usercollection/sleep`,
      );
      assert.equal(answer.ok && answer.status, 401, 'it is called without a limit');
    }
  });

  it('413 for a body of more than 8 kB', async () => {
    clock.advance(60 * SECOND_MS);
    const answer = await call(TOKEN_PATH, { method: 'POST', body: 'x'.repeat(8_193) });
    assert.equal(answer.status, 413);
  });

  it('401 for other clients, whatever the body is', async () => {
    const nested = JSON.stringify({ a: 1 }).padEnd(8_000, ' ');
    const json = { 'content-type': 'application/json' };
    for (const [path, method] of [
      ['/oura/v2/webhook/subscription', 'POST'],
      ['/oura/v2/usercollection/sleep', 'GET'],
      ['/polar/v3/webhooks', 'POST'],
    ] as const) {
      const body = method === 'GET' ? {} : { body: nested };
      assert.equal((await call(path, { method, headers: json, ...body })).status, 401, path);
    }
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'x',
      client_id: 'y',
      client_secret: 'z',
    });
    assert.equal((await call(TOKEN_PATH, { method: 'POST', body: form })).status, 401);
  });

  it('stores nothing for callers without a valid token', async () => {
    clock.advance(60 * SECOND_MS);
    const { listAccounts } = service.running.services.simulator;
    const before = await listAccounts();
    const [authorize] = await Promise.all([
      (async () => {
        const { id } = await createSandboxUser(service);
        return (await beginConnecting(service.api(service.keys.sandbox), id, 'oura')).auth_url;
      })(),
    ]);
    const sent = await fetch(authorize, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'allow' }),
      redirect: 'manual',
    });
    const consent = sent.headers.get('location') ?? '';
    for (let round = 0; round < 50; round += 1) {
      const allowed = await fetch(consent, {
        method: 'POST',
        body: new URLSearchParams({ decision: 'allow' }),
        redirect: 'manual',
      });
      assert.equal(allowed.status, 303);
    }
    assert.deepEqual(await listAccounts(), before, 'codes are signed, not stored');
  });
});
