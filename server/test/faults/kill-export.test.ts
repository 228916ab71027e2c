// kill -9 during an export into a folder and into a bucket: a file is whole or not there, the next run continues, and an export
// never writes to a target at the same time as another one.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startS3Server } from '../support/s3-server.ts';
import { MAIN } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const LIMIT_MS = 60_000;
/** More than two parts of a bucket. */
const HALF = Buffer.alloc(17 * 1_048_576, 'x');
const LOCK = 'export-lock.json';
const STATE = 'export-state.json';

type Target = {
  readonly to: string;
  readonly environment: Record<string, string>;
  names(): string[];
  read(name: string): string;
  /** A file whose writing has begun. */
  unfinished(): number;
};

describe('kill -9 during an export', () => {
  it('into a folder leaves whole files, and the next run neither loses nor doubles a user', async (t) => {
    const to = mkdtempSync(join(tmpdir(), 'kill-export-'));
    t.after(() => rmSync(to, { recursive: true }));
    await killTwice(t, {
      to,
      environment: {},
      names: () => readdirSync(to).filter((name) => !name.endsWith('.partial')),
      read: (name) => readFileSync(join(to, name), 'utf8'),
      unfinished: () => readdirSync(to).filter((name) => name.endsWith('.partial')).length,
    });
  });

  it('into a bucket leaves whole files, and the next run neither loses nor doubles a user', async (t) => {
    const storage = await startS3Server();
    t.after(() => storage.stop());
    await killTwice(t, {
      to: 's3://bucket/nightly',
      environment: storage.environment,
      names: () => [...storage.objects.keys()].map((key) => key.slice('nightly/'.length)),
      read: (name) => storage.objects.get(`nightly/${name}`)?.toString() ?? '',
      unfinished: () => [...storage.uploads.values()].filter(({ parts }) => parts.size > 0).length,
    });
  });

  it('leaves a lock that is taken over when its process is gone, and respected until then', async (t) => {
    const to = mkdtempSync(join(tmpdir(), 'lock-export-'));
    t.after(() => rmSync(to, { recursive: true }));
    const api = await startApi(t);
    const run = () => runExport(t, api.url, { to, environment: {} });
    const lock = (host: string, ageMinutes: number) =>
      writeFileSync(
        join(to, LOCK),
        JSON.stringify({ id: 'x', host, pid: 1, renewed_at: new Date(Date.now() - ageMinutes * 60_000).toISOString() }),
      );
    lock('elsewhere', 5);
    const refused = await run().ended;
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Another export writes to .* \(process 1 of elsewhere, .*\)\. Nothing was changed\./);
    assert.deepEqual(readdirSync(to), [LOCK]);
    lock('elsewhere', 20);
    assert.equal((await run().ended).code, 0);
    writeFileSync(join(to, LOCK), '{"id":');
    assert.equal((await run().ended).code, 0);
    assert.ok(!existsSync(join(to, LOCK)));

    const before = readFileSync(join(to, STATE), 'utf8');
    const [first] = api.ids;
    api.change(first);
    api.stalled = first;
    const late = run();
    await waitUntil('a stalled file', () => api.waiting.length > 0, LIMIT_MS);
    lock('elsewhere', 0);
    api.resume();
    const { code, stderr } = await late.ended;
    assert.deepEqual([code, /Another export writes to .* now/.test(stderr)], [1, true], stderr);
    assert.equal(readFileSync(join(to, STATE), 'utf8'), before, 'the cursor is that of the last whole export');
  });
});

async function killTwice(t: TestContext, target: Target): Promise<void> {
  const api = await startApi(t);
  const [one, two, three] = api.ids;
  const run = () => runExport(t, api.url, target);
  const killAt = async (id: string) => {
    api.stalled = id;
    const victim = run();
    await waitUntil('an unfinished file', () => api.waiting.length > 0 && target.unfinished() > 0, LIMIT_MS);
    const other = await run().ended;
    assert.deepEqual([other.code, /Another export writes to /.test(other.stderr)], [1, true], other.stderr);
    victim.child.kill('SIGKILL');
    await victim.ended;
    api.stalled = null;
    api.waiting.length = 0;
  };
  const file = (id: string) => `${id}.ndjson`;
  const assertWhole = () => {
    for (const id of api.ids) assert.equal(target.read(file(id)), api.contentOf(id));
    assert.deepEqual(target.names().sort(), [...api.ids.map(file), STATE].sort());
    assert.equal(target.unfinished(), 0);
  };

  await killAt(two);
  assert.deepEqual(target.names().sort(), [file(one), LOCK, STATE].sort());
  assert.equal(JSON.parse(target.read(STATE)).cursor, null);
  assert.equal((await run().ended).code, 0);
  assertWhole();

  const old = target.read(file(three));
  for (const id of [one, three]) api.change(id);
  await killAt(three);
  assert.deepEqual([target.read(file(one)), target.read(file(three))], [api.contentOf(one), old]);
  api.requested.length = 0;
  const last = await run().ended;
  assert.deepEqual([last.code, JSON.parse(last.stdout).users], [0, 2], last.stderr);
  assert.deepEqual(api.requested.toSorted(), [one, three].toSorted());
  assertWhole();
  assert.equal(JSON.parse((await run().ended).stdout).users, 0);
}

function runExport(t: TestContext, url: string, { to, environment }: Pick<Target, 'to' | 'environment'>) {
  const child: ChildProcess = spawn(process.execPath, [MAIN, 'export', '--json', '--format', 'ndjson', '--to', to], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      TRIBUTARY_URL: url,
      TRIBUTARY_API_KEY: 'sk_live_any',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return { child, ended };
}

/** Users and events as the service returns them. The file of `stalled` stops in its middle. */
async function startApi(t: TestContext) {
  const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
  const versions = new Map(ids.map((id) => [id as string, 1]));
  const events: string[] = [];
  const tailOf = (id: string) => `\n${id} ${versions.get(id)}\n`;
  const waiting: { readonly response: ServerResponse; readonly id: string }[] = [];
  const requested: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://any');
    const json = (body: object) => response.end(JSON.stringify(body));
    if (pathname === '/v1/events') {
      const from = Number(searchParams.get('cursor') ?? events.length);
      const found = events.slice(from).map((id) => ({ user_id: id }));
      return json({ events: found, cursor: String(events.length), has_more: false });
    }
    if (pathname === '/v1/users') return json({ data: ids.map((id) => ({ id })), next_cursor: null });
    const id = pathname.split('/')[3] ?? '';
    requested.push(id);
    response.write(HALF);
    if (api.stalled === id) waiting.push({ response, id });
    else response.end(tailOf(id));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const api = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ids,
    requested,
    waiting,
    stalled: null as string | null,
    contentOf: (id: string) => HALF.toString() + tailOf(id),
    change(id: string) {
      versions.set(id, (versions.get(id) ?? 0) + 1);
      events.push(id);
    },
    resume() {
      api.stalled = null;
      for (const { response, id } of waiting.splice(0)) response.end(tailOf(id));
    },
  };
  return api;
}
