// Three services on one database together let one limit through: by leases in the database, and by Redis, which is killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { RATE_POLICIES } from '../../src/platform/http/rate-limit.ts';
import { findFreePort } from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const SERVICES = 3;
const LIMIT_MS = 30_000;
const ROUNDS = 4;
const AT_ONCE = 60;
const REDIS = ['/usr/bin/redis-server', '/usr/bin/valkey-server', '/usr/local/bin/redis-server'].find(existsSync);
/** So slow that a loaded machine sends more than one limit allows. */
const POLICY = { perSecond: 0.5, burst: 60 };

describe('rate limits of three services on one database', { timeout: 300_000 }, () => {
  it('let one limit through, leased from the database', async (t) => {
    const group = await startServices(t);
    await assertOneLimit(group);
    assert.equal(group.countServices('the database is away'), 0);
  });

  it('let one limit through with Redis, a share each while it is away, and one again', {
    skip: REDIS === undefined && 'no redis-server',
  }, async (t) => {
    const port = await findFreePort();
    const redis = await startRedis(t, port);
    const group = await startServices(t, { REDIS_URL: `redis://127.0.0.1:${port}` });
    await assertOneLimit(group);
    assert.equal(group.countServices('Redis is away'), 0);

    await redis.kill();
    await assertOneLimit(group); // a third for each of the three
    assert.equal(group.countServices('Redis is away'), SERVICES, 'each says so');

    await startRedis(t, port);
    await waitUntil(
      'all services use Redis again',
      async () => {
        await Promise.all(group.services.map((_, index) => group.call(index)));
        return group.countServices('Redis is back') === SERVICES;
      },
      LIMIT_MS,
    );
  });
});

type Group = {
  readonly services: readonly TestService[];
  /** How many have logged this. */
  countServices(text: string): number;
  /** Calls one of the services with the same key. */
  call(index: number): Promise<number>;
};

async function startServices(t: TestContext, environment: Record<string, string> = {}): Promise<Group> {
  const database = await createTestDatabase();
  const services: TestService[] = [];
  const logs: string[][] = [];
  t.after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
  });
  const settings = { TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64'), ...environment };
  for (let index = 0; index < SERVICES; index += 1) {
    const logLines: string[] = [];
    logs.push(logLines);
    services.push(
      await startTestService({
        databaseUrl: database.url,
        role: 'api',
        ratePolicies: { ...RATE_POLICIES, api_key: POLICY },
        logLines,
        environment: settings,
      }),
    );
  }
  const countServices = (text: string) => logs.filter((lines) => lines.some((line) => line.includes(text))).length;
  await waitUntil(
    'all services know the others',
    () => countServices(`"processes":${SERVICES},"msg":"the number of API processes`) === SERVICES,
    LIMIT_MS,
  );
  const headers = { authorization: `Bearer ${services[0]?.keys.live}` };
  return {
    services,
    countServices,
    async call(index) {
      const answer = await fetch(`${services[index % SERVICES]?.url}/v1/users`, { headers });
      await answer.arrayBuffer();
      assert.equal(answer.headers.get('ratelimit-policy'), '"requests";q=60;w=120');
      assert.equal(/^[1-9]\d*$/.test(answer.headers.get('retry-after') ?? ''), answer.status === 429);
      return answer.status;
    },
  };
}

/** Many more requests than one limit allows, spread over the services. */
async function assertOneLimit(group: Group): Promise<void> {
  const startMs = performance.now();
  const statuses: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    statuses.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => group.call(index)))));
  const seconds = (performance.now() - startMs) / 1000;
  assert.deepEqual(new Set(statuses), new Set([200, 429]));
  const passed = statuses.filter((status) => status === 200).length;
  const most = POLICY.burst + POLICY.perSecond * seconds;
  const facts = `${passed} of ${statuses.length} passed in ${seconds} s, where one limit allows ${most}`;
  assert.ok(passed <= most + SERVICES, facts);
  assert.ok(passed >= POLICY.burst * 0.9, facts);
}

async function startRedis(t: TestContext, port: number): Promise<{ kill(): Promise<void> }> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn(REDIS ?? '', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };
  t.after(kill);
  let output = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await waitUntil('Redis is ready', () => output.includes('Ready to accept connections'), LIMIT_MS);
  return { kill };
}
