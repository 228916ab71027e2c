// A graceful stop: requests in flight get their response, new ones are rejected, nothing is left behind.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  apiOf,
  awaitNoDatabase,
  listDatabasePids,
  openServiceHarness,
  queryEmbedded,
  type ReadyService,
  useEmbedded,
  waitFor,
  within,
} from '../support/service-process.ts';

const ANSWER_LIMIT_MS = 10_000;
const takesLong = process.env.FAULT_LONG === '1' ? false : 'set FAULT_LONG=1: takes as long as the grace of a stop';

describe('SIGTERM', () => {
  it('lets requests in flight finish, rejects new ones, and exits with 0', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    const user = await createUser(service, 'ada');
    const slow = await openRaw(service);
    const begun = await openRaw(service);
    const body = JSON.stringify({ reference_id: 'grace' });
    let patch: ReturnType<ReturnType<typeof apiOf>['patch']> | null = null;

    await useEmbedded(harness.dataDir, async (client) => {
      await client.query('begin');
      await client.query('select 1 from users where id = $1 for update', [user]);
      patch = apiOf(service).patch(`/v1/users/${user}`, { timezone: 'Europe/Berlin' });
      await awaitBlocked(harness.dataDir);
      slow.socket.write(
        head(service, 'POST', '/v1/users', `content-length: ${body.length}\r\n\r\n${body.slice(0, 9)}`),
      );
      await waitFor('the slow request to begin', ANSWER_LIMIT_MS, async () => slow.socket.bytesWritten > 9);
      begun.socket.write(head(service, 'GET', '/v1/users', '')); // without its last line
      assert.equal((await apiOf(service).get('/healthz')).status, 200); // both have arrived by now

      service.signal('SIGTERM');
      await waitFor('the stop to begin', ANSWER_LIMIT_MS, async () => service.stderr().includes('"stopping"'));
      await waitFor('new connections are rejected', ANSWER_LIMIT_MS, async () => isRefused(service));
      begun.socket.write('\r\n');
      const refusal = await begun.answer();
      assert.match(refusal, /^HTTP\/1\.1 503 /);
      assert.match(refusal, /\r\nconnection: close\r\n/i);
      assert.match(refusal, /\r\nretry-after: 1\r\n/i);
      assert.match(refusal, /\{"error":"unavailable","message":"The service is stopping\. .*","details":\{\}\}$/);

      slow.socket.write(body.slice(9));
      assert.match(await slow.answer(), /^HTTP\/1\.1 201 [\s\S]*"reference_id":"grace"/);
      assert.equal(service.hasExited(), false, 'it waits for the blocked call');
    });
    const patched = await (patch as unknown as ReturnType<ReturnType<typeof apiOf>['patch']>);
    assert.equal(patched.status, 200, patched.text);
    assert.equal(patched.body.data.timezone, 'Europe/Berlin');
    assert.deepEqual(await within(ANSWER_LIMIT_MS, 'the end', service.exited), { code: 0, signal: null });
    assert.deepEqual(await listDatabasePids(harness.dataDir), []);
    await assert.rejects(access(join(harness.dataDir, 'service.json')), { code: 'ENOENT' });
    assert.doesNotMatch(service.stderr(), /"level":"(error|fatal)"/, 'a clean stop logs no error');

    const next = await harness.start().ready();
    assert.equal((await apiOf(next, service.keys.live).get('/v1/users?reference_id=grace')).body.meta.total, 1);
  });

  it('a second one ends the process at once, and the database follows', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    const user = await createUser(service, 'ada');
    await useEmbedded(harness.dataDir, async (client) => {
      await client.query('begin');
      await client.query('select 1 from users where id = $1 for update', [user]);
      const patch = apiOf(service).patch(`/v1/users/${user}`, { timezone: 'Europe/Berlin' });
      patch.catch(() => undefined); // the connection breaks
      await awaitBlocked(harness.dataDir);
      service.signal('SIGTERM');
      await waitFor('the stop to begin', ANSWER_LIMIT_MS, async () => service.stderr().includes('"stopping"'));
      assert.equal(service.hasExited(), false);
      // For half a second another signal counts as the same one: npm and the terminal both send it.
      await waitFor('the end', 3_000, async () => {
        service.signal('SIGTERM');
        return service.hasExited();
      });
    });
    assert.deepEqual(await service.exited, { code: 1, signal: null });
    await awaitNoDatabase(harness.dataDir);
  });

  it('to `npm start` stops the service', async (t) => {
    const harness = await openServiceHarness(t);
    const npm = harness.start({
      command: ['npm', 'start'],
      environment: { npm_config_logs_max: '0', npm_config_update_notifier: 'false' },
    });
    const service = await npm.ready();
    const { pid } = JSON.parse(await readFile(join(harness.dataDir, 'service.json'), 'utf8'));
    assert.notEqual(pid, npm.pid);
    assert.equal((await apiOf(service).get('/v1/users')).status, 200);
    await npm.end('SIGTERM');
    await waitFor('the end of the service', 15_000, async () => !isAlive(pid));
    await awaitNoDatabase(harness.dataDir);
    await assert.rejects(access(join(harness.dataDir, 'service.json')), { code: 'ENOENT' }, 'it stopped gracefully');
  });

  it('does not wait forever for a client that never finishes its request', { skip: takesLong }, async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    const stuck = await openRaw(service);
    stuck.socket.write(head(service, 'POST', '/v1/users', 'content-length: 100\r\n\r\n{'));
    assert.equal((await apiOf(service).get('/healthz')).status, 200);
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    assert.deepEqual(await listDatabasePids(harness.dataDir), []);
  });
});

async function createUser(service: ReadyService, reference: string): Promise<string> {
  const created = await apiOf(service).post('/v1/users', { reference_id: reference });
  assert.equal(created.status, 201, created.text);
  return created.body.data.id;
}

async function awaitBlocked(dataDir: string): Promise<void> {
  await waitFor('a call that waits for the lock', ANSWER_LIMIT_MS, async () => {
    const rows = await queryEmbedded(
      dataDir,
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'tributary'`,
    );
    return rows.length > 0;
  });
}

async function openRaw(service: ReadyService): Promise<{ socket: Socket; answer(): Promise<string> }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const isWhole = () => {
    const length = /content-length: (\d+)/i.exec(received)?.[1];
    const [, payload] = received.split('\r\n\r\n');
    return length !== undefined && payload !== undefined && Buffer.byteLength(payload) >= Number(length);
  };
  return {
    socket,
    answer: async () => {
      await waitFor('an answer', ANSWER_LIMIT_MS, async () => isWhole());
      return received;
    },
  };
}

function head(service: ReadyService, method: string, path: string, rest: string): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(service.url).host}`,
    `authorization: Bearer ${service.keys.live}`,
    'content-type: application/json',
  ];
  return `${lines.join('\r\n')}\r\n${rest}`;
}

function isRefused(service: ReadyService): Promise<boolean> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
