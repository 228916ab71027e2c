// Three API processes behind a proxy that checks /readyz and retries nothing are restarted one after the other under load. No
// request may fail.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { apiOf, MAIN, OWN_DATABASE, openServiceHarness, type ReadyService } from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROCESSES = 3;
const DRAIN_SECONDS = 4;
const CHECK_MS = 250;
const EVERY_MS = 10; // 100 requests a second
const LIMIT_MS = 60_000;

describe('a rolling restart behind a proxy', () => {
  it('fails no request', { timeout: 300_000 }, async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const database = await createTestDatabase();
    harness.beforeRemoval(() => database.drop());
    const environment = {
      DATABASE_URL: database.url,
      TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64'),
      TRIBUTARY_DRAIN_SECONDS: String(DRAIN_SECONDS),
    };
    const start = (index: number) =>
      harness
        .start({
          dataDir: `${harness.root}/data-${index}`,
          environment,
          command: [process.execPath, MAIN, 'serve', '--only', 'api'],
        })
        .ready();
    const first = await start(0);
    const { live } = first.keys;
    const { id } = (await apiOf(first).post('/v1/users', { reference_id: 'ada' })).body.data;
    const services = [first];
    for (let index = 1; index < PROCESSES; index += 1) services.push(await start(index));
    const proxy = await startProxy(t, services);

    const headers = { authorization: `Bearer ${live}` };
    const get = async (path: string) => {
      const answer = await fetch(`${proxy.url}${path}`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    const outcomes: number[] = [];
    let isOver = false;
    t.after(() => {
      isOver = true;
    });
    const requests: Promise<void>[] = [];
    const load = (async () => {
      for (let count = 0; !isOver; count += 1) {
        const path = count % 2 === 0 ? `/v1/users/${id}` : '/v1/users';
        requests.push(get(path).then((status) => void outcomes.push(status)));
        await delay(EVERY_MS);
      }
    })();
    for (const [index, service] of services.entries()) {
      const before = outcomes.length;
      assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
      assert.ok(outcomes.length > before, 'requests were answered meanwhile');
      const again = await start(index);
      services[index] = again;
      proxy.use(services);
      await waitUntil('the proxy uses the new process', () => proxy.isUsing(again), LIMIT_MS);
    }
    isOver = true;
    await load;
    await Promise.all(requests);
    const failed = outcomes.filter((status) => status !== 200);
    t.diagnostic(`${outcomes.length} requests, ${failed.length} failed`);
    assert.deepEqual(failed, []);
    assert.ok(outcomes.length > 100);
  });
});

/** Sends each request to the next process that was ready at its last check, over kept connections. */
async function startProxy(t: TestContext, first: readonly ReadyService[]) {
  const agent = new Agent({ keepAlive: true });
  let targets = first;
  let ready: readonly ReadyService[] = first;
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    next += 1;
    const target = ready[next % ready.length];
    if (target === undefined) return void outgoing.writeHead(502).end();
    const forwarded = httpRequest(new URL(incoming.url ?? '/', target.url), {
      agent,
      headers: { ...incoming.headers, connection: 'keep-alive' },
    });
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? '' });
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const check = async () => {
    const states = await Promise.all(
      targets.map(async (service) => {
        const isReady = await fetch(`${service.url}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        );
        return isReady ? service : null;
      }),
    );
    ready = states.filter((service) => service !== null);
  };
  let isOver = false;
  const checks = (async () => {
    while (!isOver) {
      await check();
      await delay(CHECK_MS);
    }
  })();
  t.after(async () => {
    isOver = true;
    await checks;
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    use: (services: readonly ReadyService[]) => {
      targets = [...services];
    },
    isUsing: (service: ReadyService) => ready.includes(service),
  };
}
