import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createFrozenClock } from '../../../../test/support/test-clock.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { createDerivedSecrets } from '../../../platform/crypto/derived-secret.ts';
import type { ProviderAnswer } from '../../../providers/contract.ts';
import { CLOUD_PROVIDERS, findProvider } from '../../../providers/registry.ts';
import type { ProviderApp } from '../provider-apps/index.ts';
import { applyRateLimits, takeBudget } from './budgets.ts';

const db = await openTestDatabase({ after }, 8);
const derivedSecrets = createDerivedSecrets(() => Buffer.alloc(32));

let apps = 0;
/** Each application has its own budgets. */
function openApp(id: string): ProviderApp {
  const provider = findProvider(id);
  assert.ok(provider);
  const { origins } = provider;
  apps += 1;
  return { id: `app-${apps}`, environment: 'live', provider, client: { clientId: '', clientSecret: '' }, origins };
}
const answer = (status: number, headers: Record<string, string>): ProviderAnswer => ({ status, headers, body: null });
const minutesOf = (clock: { now(): Date }, until: Date | null) =>
  until === null ? null : (until.getTime() - clock.now().getTime()) / MINUTE_MS;

describe('budgets', () => {
  it('are shared by concurrent requests: of 150, 100 may start and the others get the time to wait until', async () => {
    const services = { db, clock: createFrozenClock(), derivedSecrets };
    const app = openApp('whoop'); // 100 per minute, 10,000 per day
    const taken = await Promise.all(Array.from({ length: 150 }, () => takeBudget(services, app, 'person')));
    assert.equal(taken.filter((wait) => wait === null).length, 100);
    assert.deepEqual(new Set(taken.map((wait) => minutesOf(services.clock, wait))), new Set([null, 1]));
    services.clock.advance(61 * SECOND_MS);
    assert.equal(await takeBudget(services, app, 'person'), null);
  });

  it('reserve a share for urgent requests', async () => {
    const services = { db, clock: createFrozenClock(), derivedSecrets };
    const app = openApp('whoop');
    for (let count = 0; count < 70; count += 1) assert.equal(await takeBudget(services, app, 'person', 0.7), null);
    assert.notEqual(await takeBudget(services, app, 'person', 0.7), null);
    assert.equal(await takeBudget(services, app, 'person'), null);
  });

  it('of one user do not limit another user', async () => {
    const services = { db, clock: createFrozenClock(), derivedSecrets };
    const app = openApp('google_health'); // 300 per minute and user
    for (let count = 0; count < 300; count += 1) await takeBudget(services, app, 'one');
    assert.notEqual(await takeBudget(services, app, 'one'), null);
    assert.equal(await takeBudget(services, app, 'other'), null);
  });

  it('follow the rate limit headers of the provider', async () => {
    const services = { db, clock: createFrozenClock(), derivedSecrets };
    const app = openApp('whoop');
    const headers = {
      'x-ratelimit-limit': '100, 100;window=60',
      'x-ratelimit-remaining': '2',
      'x-ratelimit-reset': '30',
    };
    assert.equal(await applyRateLimits(services, app, null, answer(200, headers), false), null);
    const taken = [];
    for (let count = 0; count < 3; count += 1)
      taken.push(minutesOf(services.clock, await takeBudget(services, app, null)));
    assert.deepEqual(taken, [null, null, 0.5]);
  });

  for (const [what, headers, minutes] of [
    ['seconds', { 'retry-after': '120' }, 2],
    ['a date', { 'retry-after': 'Sun, 01 Mar 2026 12:05:00 GMT' }, 5],
    ['no Retry-After: the window of the budget', {}, 1],
    ['a date that is not an HTTP date: the window of the budget', { 'retry-after': 'March 2, 2026' }, 1],
    ['0 seconds: a second', { 'retry-after': '0' }, 1 / 60],
    ['a date far ahead: a day', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 24 * 60],
  ] as const)
    it(`wait after a 429 with ${what}`, async () => {
      const services = { db, clock: createFrozenClock(), derivedSecrets };
      const app = openApp('whoop');
      const until = await applyRateLimits(services, app, null, answer(429, headers), true);
      assert.equal(minutesOf(services.clock, until), minutes);
      assert.equal(minutesOf(services.clock, await takeBudget(services, app, null)), minutes);
    });

  for (const { id } of CLOUD_PROVIDERS)
    it(`of ${id} wait as long as Retry-After says`, async () => {
      const services = { db, clock: createFrozenClock(), derivedSecrets };
      const app = openApp(id);
      const until = await applyRateLimits(services, app, null, answer(429, { 'retry-after': '17' }), true);
      assert.equal(minutesOf(services.clock, until), 17 / 60);
      assert.equal(minutesOf(services.clock, await takeBudget(services, app, null)), 17 / 60);
    });

  it('end within a day, whatever reset the provider reports', async () => {
    const services = { db, clock: createFrozenClock(), derivedSecrets };
    const app = openApp('whoop');
    const headers = {
      'x-ratelimit-limit': '100, 100;window=60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '99999999999999',
    };
    const until = await applyRateLimits(services, app, null, answer(429, headers), true);
    assert.equal(minutesOf(services.clock, until), 24 * 60);
  });
});
