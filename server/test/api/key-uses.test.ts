// Tests when the last use of API keys is recorded and saved, and the warnings before keys expire.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY_MS, DAY_SECONDS, MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { warnExpiringKeysJob } from '../../src/features/tenancy/accounts/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import { countQueries } from '../support/count-queries.ts';
import { runCli } from '../support/run-cli.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createAccount, createKey } from '../support/test-users.ts';

const clock = createFrozenClock(new Date());
const environment = { TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') };
const logLines: string[] = [];
const service = await startTestService({ clock, environment, logLines });
const databaseUrl = service.config.databaseUrl ?? '';
after(() => service.stop());
const operator = service.operator();
const { services } = service.running;

async function findKey(account: string, environmentName = 'live'): Promise<JsonBody> {
  const { body } = await operator.get(
    `/admin/keys?account=${encodeURIComponent(account)}&environment=${environmentName}`,
  );
  assert.ok(body.data.length > 0);
  return body.data[0];
}

async function callWith(key: string, agent: string | null, where: TestService = service): Promise<void> {
  const headers: Record<string, string> = agent === null ? {} : { 'user-agent': agent };
  assert.equal((await where.api(key).get('/v1/users', { headers })).status, 200);
}

describe('the last use of a key', () => {
  it('is the time and the User-Agent of the latest request, also of one that is rejected later', async () => {
    const { name, live } = await createAccount(service);
    assert.equal((await findKey(name)).last_used_at, null);
    await callWith(live, 'early/1.0');
    clock.advance(SECOND_MS);
    const headers = { 'user-agent': 'acme-backend/2.3 (linux)' };
    assert.equal((await service.api(live).get('/v1/users/nobody', { headers })).status, 404);
    await services.keyUses.flush();
    const key = await findKey(name);
    assert.equal(Date.parse(key.last_used_at), clock.now().getTime());
    assert.equal(key.last_used_agent, 'acme-backend/2.3 (linux)');
    assert.equal((await findKey(name, 'sandbox')).last_used_at, null, 'the other key was not used');
  });

  it('is not changed by a key that is rejected', async () => {
    const { name, live } = await createAccount(service);
    await operator.post('/admin/keys/revoke', { account: name, environment: 'live' });
    assert.equal((await service.api(live).get('/v1/users')).status, 401);
    await services.keyUses.flush();
    assert.equal((await findKey(name)).last_used_at, null);
  });

  it('shortens the User-Agent to 200 characters, and replaces what a terminal could interpret', async () => {
    const { name, live } = await createAccount(service);
    await callWith(live, `x\u009b2J${'é'.repeat(300)}`);
    await services.keyUses.flush();
    assert.equal((await findKey(name)).last_used_agent, `x?2J${'?'.repeat(196)}`);
  });

  it('costs no statement per request, and one statement for all keys', async () => {
    const accounts = [await createAccount(service), await createAccount(service), await createAccount(service)];
    await services.keyUses.flush();
    const during = await countQueries(services.db, async () => {
      for (let round = 0; round < 5; round += 1) for (const { live } of accounts) await callWith(live, 'loop');
    });
    assert.ok(during.length >= 15, 'the requests were counted');
    assertEvery(during, (text) => !text.includes('api_key_uses'));
    const flush = await countQueries(services.db, () => services.keyUses.flush());
    assert.equal(flush.filter((text) => text.includes('api_key_uses')).length, 1);
    for (const { name } of accounts) assert.equal((await findKey(name)).last_used_agent, 'loop');
    const again = await countQueries(services.db, () => services.keyUses.flush());
    assert.deepEqual(
      again.filter((text) => text.includes('api_key_uses')),
      [],
      'nothing new',
    );
  });

  it('is written by the next flush after one that failed, unless a later use replaced it', async () => {
    const { name, live } = await createAccount(service);
    const { name: otherName, live: other } = await createAccount(service);
    await callWith(live, 'before');
    await callWith(other, 'before');
    await services.db.query('alter table api_key_uses rename to hidden');
    await assert.rejects(services.keyUses.flush());
    clock.advance(SECOND_MS);
    await callWith(other, 'after');
    await services.db.query('alter table hidden rename to api_key_uses');
    await services.keyUses.flush();
    assert.equal((await findKey(name)).last_used_agent, 'before');
    assert.equal((await findKey(otherName)).last_used_agent, 'after');
  });

  it('is the latest of several processes, whichever saves last; a process saves when it stops', async () => {
    const { name, live } = await createAccount(service);
    const second = await startTestService({ clock, environment, databaseUrl });
    await callWith(live, 'old', second);
    clock.advance(SECOND_MS);
    await callWith(live, 'new');
    await services.keyUses.flush();
    const newest = await findKey(name);
    await second.stop();
    assert.deepEqual(await findKey(name), newest);
    assert.equal(newest.last_used_agent, 'new');

    const third = await startTestService({ clock, environment, databaseUrl });
    clock.advance(SECOND_MS);
    await callWith(live, 'last', third);
    await third.stop();
    assert.equal((await findKey(name)).last_used_agent, 'last');
  });
});

describe('expiry warnings', () => {
  const setExpiry = (id: string, days: number) =>
    services.db.query('update api_keys set expires_at = $2 where id = $1', [
      id,
      new Date(clock.now().getTime() + days * DAY_MS),
    ]);
  const warnings = () =>
    logLines.map((line) => JSON.parse(line) as JsonBody).filter(({ msg }) => /API key expires soon/.test(msg));
  const gauge = async () => {
    clock.advance(SECOND_MS); // the facts of /readyz are kept for a second
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const [, count] = /^tributary_api_keys_expiring\{environment="live"\} (\d+)$/m.exec(text) ?? [];
    return Number(count);
  };

  it('log each key once per day, from 14 days before its expiry, until it is replaced', async () => {
    const { name, live } = await createAccount(service);
    const { id } = await findKey(name);
    await setExpiry(id, 14.01);
    await warnExpiringKeysJob.run(services, {});
    assert.deepEqual(warnings(), []);

    await setExpiry(id, 13.5);
    await Promise.all([warnExpiringKeysJob.run(services, {}), warnExpiringKeysJob.run(services, {})]);
    assert.equal(warnings().length, 1);
    const [{ keyId, account, environment: where, lastFour, daysLeft, level }] = warnings();
    assert.deepEqual([keyId, account, where, lastFour, daysLeft], [id, name, 'live', live.slice(-4), 14]);
    assert.equal(level, 'warn');

    clock.advance(DAY_MS);
    await warnExpiringKeysJob.run(services, {});
    await warnExpiringKeysJob.run(services, {});
    assert.equal(warnings().length, 2);
    assert.equal(warnings()[1].daysLeft, 13);

    await operator.post('/admin/keys/rotate', { id, overlap_seconds: DAY_SECONDS });
    clock.advance(DAY_MS);
    await warnExpiringKeysJob.run(services, {});
    assert.equal(warnings().length, 2, 'the replaced key is not reported');
  });

  it('count the keys in /metrics', async () => {
    const { name } = await createAccount(service);
    const before = await gauge();
    const { id } = await findKey(name);
    await setExpiry(id, 3);
    assert.equal(await gauge(), before + 1);
    await operator.post('/admin/keys/rotate', { id });
    assert.equal(await gauge(), before);
    await setExpiry((await findKey(name)).id, -1);
    assert.equal(await gauge(), before, 'an expired key no longer expires soon');
  });

  it('are shown by doctor, which still passes', async () => {
    const { name } = await createAccount(service);
    const before = await runCli(service, ['doctor', '--json']);
    const found = (report: JsonBody) => report.checks.find(({ check }: JsonBody) => check === 'API keys');
    assert.deepEqual(found(JSON.parse(before.stdout)), {
      check: 'API keys',
      ok: true,
      found: 'none expires within 14 days',
    });
    const { id } = await findKey(name);
    await setExpiry(id, 5);
    assert.equal((await findKey(name)).expires_soon, true);
    const { code, stdout } = await runCli(service, ['doctor']);
    const day = new Date(clock.now().getTime() + 5 * DAY_MS).toISOString().slice(0, 10);
    assert.match(stdout, new RegExp(`^warn  API keys +${name} live "default" \\(${id}\\) expires on ${day}$`, 'm'));
    assert.match(stdout, /keys rotate ID --overlap/);
    assert.equal(code, 0);
  });
});

describe('keys of one account', () => {
  it('have a rate limit each', async () => {
    const limited = await startTestService({ clock, realLimits: true });
    const first = await createKey(limited, 'default', 'live');
    const second = await createKey(limited, 'default', 'live');
    for (let count = 0; count < 200; count += 1)
      assert.equal((await limited.api(first).get('/v1/webhooks')).status, 200);
    assert.equal((await limited.api(first).get('/v1/webhooks')).status, 429);
    assert.equal((await limited.api(second).get('/v1/webhooks')).status, 200);
    await limited.stop();
    clock.advance(MINUTE_MS);
  });
});
