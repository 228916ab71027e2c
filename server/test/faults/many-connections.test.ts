// Ten thousand connections at once, and clients that start a request and never finish it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import {
  apiOf,
  openServiceHarness,
  type ReadyService,
  readRssMb,
  waitFor,
  within,
} from '../support/service-process.ts';

const CONNECTIONS = 10_000;
const CLIENT_PROCESSES = 2;
const SPARE_DESCRIPTORS = 500;
const CLIENT_LIMIT_MS = 60_000;
const DAWDLERS = 500;
const HURRY_LIMIT_MS = 5_000; // far below the time after which the others are closed
const CUT_LIMIT_MS = 30_000; // the headers timeout of 20 s, and the interval in which it is checked

const limit = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
const isEnough = limit === 'unlimited' || Number(limit) >= CONNECTIONS + SPARE_DESCRIPTORS;
const tooFew = isEnough ? false : `needs ${CONNECTIONS + SPARE_DESCRIPTORS} file descriptors, ulimit -Hn is ${limit}`;
const isLong = process.env.FAULT_LONG === '1';

describe('many connections', () => {
  it(`${CONNECTIONS} at once: each gets 200, 429 or 503 in the error shape`, { skip: tooFew }, async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    await apiOf(service).get('/v1/users');
    const atRest = await readRssMb(service.pid);
    const clients = Array.from({ length: CLIENT_PROCESSES }, () =>
      startClients(t, service, CONNECTIONS / CLIENT_PROCESSES),
    );
    await within(CLIENT_LIMIT_MS, 'all connections', Promise.all(clients.map((half) => half.connected)));
    const connected = await readRssMb(service.pid);
    const sentMs = performance.now();
    const counts = await within(CLIENT_LIMIT_MS, 'all answers', Promise.all(clients.map((half) => half.sendRequest())));
    const tookMs = Math.round(performance.now() - sentMs);
    const answered = await readRssMb(service.pid);
    t.diagnostic(`answers ${JSON.stringify(counts)} within ${tookMs} ms`);
    t.diagnostic(`resident memory: ${atRest} MB idle, ${connected} MB connected, ${answered} MB answered`);
    let total = 0;
    for (const [status, count] of counts.flatMap((half) => Object.entries(half))) {
      assert.match(status, /^(200|429|503)$/); // 503: on a very busy machine a call waits too long for the database
      total += count;
    }
    assert.equal(total, CONNECTIONS);
    const create = () => apiOf(service).post('/v1/users', { reference_id: 'after the load' });
    await waitFor('the limits to recover', 10_000, async () => (await create()).status === 201);
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
  });

  it(`${DAWDLERS} that never finish their headers do not block others${isLong ? ', and are closed' : ''}`, async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    const sockets = await openDawdlers(t, service);
    const requestedMs = performance.now();
    assert.equal((await apiOf(service).post('/v1/users', { reference_id: 'in a hurry' })).status, 201);
    assert.ok(performance.now() - requestedMs < HURRY_LIMIT_MS);
    if (isLong) {
      await waitFor('all of them to be closed', CUT_LIMIT_MS, async () => sockets.every((socket) => socket.closed));
      t.diagnostic(`closed after ${Math.round(performance.now() - requestedMs)} ms`);
    }
    for (const socket of sockets) socket.destroy(); // they would delay the stop
  });
});

function startClients(t: TestContext, service: ReadyService, count: number) {
  const script = join(import.meta.dirname, 'many-connections.client.ts');
  const child = spawn(process.execPath, [script, service.url, String(count), service.keys.live], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const nextLine = async () => String((await once(lines, 'line'))[0]);
  const connected = nextLine();
  return {
    connected,
    sendRequest: async (): Promise<Record<string, number>> => {
      child.stdin.write('go\n');
      return JSON.parse(await nextLine());
    },
  };
}

async function openDawdlers(t: TestContext, service: ReadyService): Promise<Socket[]> {
  const { hostname, port } = new URL(service.url);
  const sockets = Array.from({ length: DAWDLERS }, () => connect(Number(port), hostname));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.on('error', () => undefined).resume();
    socket.write('GET /v1/users HTTP/1.1\r\nhost: x\r\n');
  }
  return sockets;
}
