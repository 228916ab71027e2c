// Ten thousand connections at once, and clients that start a request and never finish it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { RATE_POLICIES } from '../../src/platform/http/rate-limit.ts';
import {
  apiOf,
  openServiceHarness,
  operatorOf,
  type ReadyService,
  readRssMb,
  waitFor,
  within,
} from '../support/service-process.ts';

const CONNECTIONS = 10_000;
const CLIENT_PROCESSES = 2;
/** As many lists of an account may wait for their turn; beyond them, those of its burst are rejected as overloaded. */
const LEAST_READ = 200;
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
  it(`${CONNECTIONS} at once: each is answered completely, and others are not refused`, { skip: tooFew }, async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    await apiOf(service).get('/v1/users');
    const operator = operatorOf(service);
    assert.equal((await operator.post('/admin/accounts', { name: 'other' })).status, 201);
    const { key } = (await operator.post('/admin/keys', { account: 'other', environment: 'live' })).body;
    const atRest = await readRssMb(service.pid);
    const clients = Array.from({ length: CLIENT_PROCESSES }, () =>
      startClients(t, service, CONNECTIONS / CLIENT_PROCESSES),
    );
    await within(CLIENT_LIMIT_MS, 'all connections', Promise.all(clients.map((half) => half.connected)));
    const connected = await readRssMb(service.pid);
    const sentMs = performance.now();
    const answers = Promise.all(clients.map((half) => half.sendRequest()));
    const otherAnswer = await apiOf(service, key).get('/v1/users');
    assert.equal(otherAnswer.status, 200, otherAnswer.text);
    const counts = await within(CLIENT_LIMIT_MS, 'all answers', answers);
    const tookMs = performance.now() - sentMs;
    const afterMb = await readRssMb(service.pid);
    t.diagnostic(`answers ${JSON.stringify(counts)} within ${Math.round(tookMs)} ms`);
    t.diagnostic(`resident memory: ${atRest} MB idle, ${connected} MB connected, ${afterMb} MB answered`);
    const answered = sumCounts(counts);
    const { '/healthz 200': probes, '/v1/users 200': read = 0, '/v1/users 429 rate_limited': limited = 0 } = answered;
    const { '/v1/users 503 overloaded': overloaded = 0 } = answered;
    assert.equal(probes, CONNECTIONS / 2, 'a flood from one address does not refuse probes');
    assert.equal(read + limited + overloaded, CONNECTIONS / 2, JSON.stringify(answered));
    assert.ok(read >= LEAST_READ, `${read} of the burst were answered`);
    const { burst, perSecond } = RATE_POLICIES.api_key;
    assert.ok(read + overloaded <= burst + (perSecond * tookMs) / 1_000, `${read} and ${overloaded} were let through`);
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

function sumCounts(parts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of parts.flatMap((part) => Object.entries(part))) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

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
