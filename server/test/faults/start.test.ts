// Starts that must succeed, and starts that must fail with the reason, the fix, exit code 1 and nothing left behind.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parseDatabaseUrl } from '../../src/platform/db/database-url.ts';
import { assertEvery } from '../support/assert-every.ts';
import {
  apiOf,
  awaitNoDatabase,
  EMPTY_FOLDER,
  FIRST_START,
  findFreePort,
  homeOf,
  isRoot,
  listDatabasePids,
  MAIN,
  OWN_DATABASE,
  openServiceHarness,
  type ReadyService,
  readRssMb,
  type ServiceProcess,
  waitFor,
} from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';

const UNPRIVILEGED = 65_534;
const needsRoot = isRoot ? false : 'only root can start the service as another user';

describe('starts on an empty folder and later starts', () => {
  it('print two keys and a working call, once; a second service on the folder fails to start', async (t) => {
    const harness = await openServiceHarness(t, FIRST_START);
    const first = await harness.start().ready();
    t.diagnostic(`ready after ${Math.round(first.startMs)} ms on an empty folder; the banner says ${printed(first)}`);
    assert.match(first.keys.live, /^sk_live_\w+$/);
    assert.match(first.keys.sandbox, /^sk_sandbox_\w+$/);
    await runPrintedCall(first);
    assertLogIsClean(first);
    for (const name of ['master.key', 'service.json']) {
      assert.equal((await stat(join(harness.dataDir, name))).mode & 0o077, 0, `${name} is readable by its owner only`);
    }
    await waitFor('the compiled program', 60_000, async () => {
      const versions = await readdir(join(harness.dataDir, 'compiled-code'));
      return versions.length > 0;
    });
    t.diagnostic(`idle resident memory: ${await readRssMb(first.pid)} MB`);

    const intruder = harness.start();
    await assertRefused(intruder, /Another Tributary process uses the data folder .*TRIBUTARY_DATA_DIR/);
    const address = JSON.parse(await readFile(join(harness.dataDir, 'service.json'), 'utf8'));
    assert.equal(address.pid, first.pid, 'the first can still be found');
    assert.equal((await apiOf(first).get('/v1/users')).status, 200, 'the first still works');

    assert.deepEqual(await first.end('SIGTERM'), { code: 0, signal: null });
    await assertNothingLeft(first);

    const second = await harness.start().ready();
    t.diagnostic(`ready after ${Math.round(second.startMs)} ms on an existing one; the banner says ${printed(second)}`);
    assert.doesNotMatch(second.stdout() + second.stderr(), /sk_(live|sandbox)_/, 'no key is printed again');
    assert.equal((await apiOf(second, first.keys.sandbox).get('/v1/users?reference_id=ada')).body.meta.total, 1);
  });

  it('report ready only after the keys are printed and the CLI can find the service', async (t) => {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const port = await findFreePort();
    const service = harness.start({ environment: { PORT: String(port) } });
    const states = new Set<number>();
    await waitFor('the first 200', 60_000, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      if (answer) states.add(answer.status);
      return answer?.status === 200;
    });
    await access(join(harness.dataDir, 'service.json'));
    await waitFor('what was written before', 1_000, async () => /sk_sandbox_\w+/.test(service.stdout()));
    assert.ok(states.has(200));
    assertEvery([...states], (status) => status === 200 || status === 503);
  });

  it('work for a user without privileges', { skip: needsRoot }, async (t) => {
    const harness = await openServiceHarness(t, FIRST_START);
    await mkdir(harness.dataDir);
    await chown(harness.dataDir, UNPRIVILEGED, UNPRIVILEGED);
    const service = await harness.start({ uid: UNPRIVILEGED, environment: { HOME: harness.dataDir } }).ready();
    assert.equal((await apiOf(service).post('/v1/users', { reference_id: 'ada' })).status, 201);
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    await assertNothingLeft(service);
  });

  it('find the data of a folder that only root can enter', { skip: needsRoot }, async (t) => {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    await mkdir(harness.dataDir, { mode: 0o700 });
    const first = await harness.start().ready();
    assert.match(first.stdout(), new RegExp(`PostgreSQL data is in ${await homeOf(harness.dataDir)}, because`));
    assert.equal((await apiOf(first).post('/v1/users', { reference_id: 'ada' })).status, 201);
    assert.deepEqual(await first.end('SIGTERM'), { code: 0, signal: null });
    const second = await harness.start().ready();
    assert.equal((await apiOf(second, first.keys.live).get('/v1/users?reference_id=ada')).body.meta.total, 1);
    assert.equal((await stat(harness.dataDir)).mode & 0o777, 0o700, 'the folder stays private');
  });
});

describe('a start that is interrupted', () => {
  it('ends promptly, leaves no process, and the next start works', async (t) => {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const moments: [string, (service: ServiceProcess) => Promise<unknown>][] = [
      ['at once', async () => undefined],
      ['while it makes the database', (service) => awaitLogged(service, 'creating a new PostgreSQL cluster')],
      ['while the database starts', (service) => awaitDatabase(service)],
    ];
    for (const [moment, come] of moments) {
      const service = harness.start();
      await come(service);
      const requestedMs = performance.now();
      const exit = await service.end('SIGTERM');
      const tookMs = Math.round(performance.now() - requestedMs);
      const isClean = exit.code === 0 || exit.signal === 'SIGTERM'; // by the signal itself before anything is open
      assert.ok(isClean, `${moment}: ${exit.signal ?? exit.code}\n${service.stderr()}`);
      t.diagnostic(`${moment}: ended ${tookMs} ms later by ${exit.signal ?? `code ${exit.code}`}`);
      await assertNothingLeft(service);
    }
    await harness.start().ready();
  });
});

describe('a start that cannot succeed', () => {
  it('names the port that is in use, and leaves nothing behind', async (t) => {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    t.after(() => occupant.close());
    const { port } = occupant.address() as { port: number };
    const service = harness.start({ environment: { PORT: String(port) } });
    await assertRefused(service, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use\\..* PORT`));
    await assertNothingLeft(service);
    await assert.rejects(access(join(harness.dataDir, 'postgres')), 'no database was created');
    await harness.start().ready(); // the folder is free
  });

  it('says that the limit of open files is too small, wherever it is reached', async (t) => {
    for (const limit of [26, 28, 30, 32, 36]) {
      const harness = await openServiceHarness(t);
      const command = ['sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, MAIN, 'serve'] as const;
      const service = harness.start({ command });
      await service.refused();
      assert.match(service.stderr(), /EMFILE|file descriptors/);
      assert.doesNotMatch(service.stderr(), /^ +at /m, `no stack with ${limit} files`);
      assert.doesNotMatch(service.stderr(), /was moved/);
      await assertNothingLeft(service);
    }
  });

  it('lists every problem of the configuration at once', async (t) => {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const environment = {
      PORT: 'eighty',
      TRIBUTARY_DEFAULT_FORM: '3',
      TRIBUTARY_DATADIR: '/x',
      DATABASE_URL: 'mysql://x',
    };
    const service = harness.start({ environment });
    await assertRefused(service, /PORT is "eighty"/);
    for (const variable of Object.keys(environment)) assert.match(service.stderr(), new RegExp(`- ${variable} is`));
    await assert.rejects(access(harness.dataDir), 'nothing was changed');
  });

  it('names the tombstone file that cannot be written and explains what to do', async (t) => {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const environment = { TRIBUTARY_TOMBSTONE_FILE: '/dev/null/tombstones.jsonl' };
    await assertRefused(
      harness.start({ environment }),
      /The tombstones cannot be written to \/dev\/null\/tombstones\.jsonl: .*ReadWritePaths=.*TRIBUTARY_TOMBSTONE_FILE/,
    );
  });

  it('names the folder that cannot be written and explains what to do', async (t) => {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    await assertRefused(
      harness.start({ dataDir: '/dev/null/x' }),
      /The data folder \/dev\/null\/x cannot be used: .*TRIBUTARY_DATA_DIR/,
    );
    if (!isRoot) return;
    const closed = join(harness.root, 'closed');
    await mkdir(closed, { mode: 0o755 });
    const asUnprivileged = { uid: UNPRIVILEGED, environment: { HOME: '/tmp' } };
    await assertRefused(
      harness.start({ ...asUnprivileged, dataDir: closed }),
      /The data folder .*closed cannot be used: EACCES/,
    );
    await assertRefused(harness.start({ ...asUnprivileged, dataDir: join(closed, 'x') }), /cannot be used: EACCES/);
    assert.deepEqual(await readdir(closed), []);

    const halfGiven = join(harness.root, 'half-given'); // chown without -R after a start as root
    await mkdir(halfGiven);
    await writeFile(join(halfGiven, 'service.lock'), '', { mode: 0o600 });
    await chown(halfGiven, UNPRIVILEGED, UNPRIVILEGED);
    await assertRefused(
      harness.start({ ...asUnprivileged, dataDir: halfGiven }),
      /The data folder .*half-given cannot be locked: .*/,
    );
  });

  it('refuses the embedded database after the service has run on DATABASE_URL, and says how to start on it', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const database = await createTestDatabase();
    harness.beforeRemoval(() => database.drop());
    const first = await harness.start({ environment: { DATABASE_URL: database.url } }).ready();
    await first.end('SIGTERM');
    const { location } = parseDatabaseUrl(database.url);
    const mark = join(harness.dataDir, 'external-database.json');
    const { to, at, ...rest } = JSON.parse(await readFile(mark, 'utf8'));
    assert.deepEqual([to, rest], [location, {}], 'neither user nor password');
    assert.ok(Date.parse(at) > 0);
    assert.equal((await stat(mark)).mode & 0o077, 0);
    for (const processes of ['1', '2']) {
      const command = [process.execPath, MAIN, 'serve', '--processes', processes] as const;
      await assertRefused(
        harness.start({ command }),
        new RegExp(`has used the database at ${location} since 20.* DATABASE_URL is not set\\. .* delete ${mark}\\.`),
      );
    }
    await assert.rejects(access(join(harness.dataDir, 'postgres')), 'no database was created');
    const again = await harness.start({ environment: { DATABASE_URL: database.url } }).ready();
    await again.end('SIGTERM');
    await rm(mark);
    await harness.start().ready();
  });

  it('refuses the embedded database after a worker has run on DATABASE_URL', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const database = await createTestDatabase();
    harness.beforeRemoval(() => database.drop());
    const command = [process.execPath, MAIN, 'serve', '--only', 'worker'] as const;
    const worker = harness.start({ command, environment: { DATABASE_URL: database.url } });
    await awaitLogged(worker, '"msg":"ready"');
    await worker.end('SIGTERM');
    await assertRefused(harness.start({ command }), /has used the database at .* DATABASE_URL is not set/);
  });

  it('rejects a master key that does not belong to the data, and accepts the right one again', async (t) => {
    const harness = await openServiceHarness(t);
    const first = await harness.start().ready();
    await first.end('SIGTERM');
    const file = join(harness.dataDir, 'master.key');
    const original = await readFile(file);
    for (const [text, message] of [
      [randomBytes(32).toString('base64'), /set up with another master key .*put the original master\.key file back/],
      ['too short', /master\.key does not contain a master key .*Restore it from a backup/],
    ] as const) {
      await writeFile(file, text);
      const service = harness.start({ environment: { TRIBUTARY_DRAIN_SECONDS: '300' } });
      await assertRefused(service, message);
      assert.doesNotMatch(service.stderr(), /draining/, 'nobody uses a service that did not start');
      await assertNothingLeft(service);
    }
    await writeFile(file, original);
    await chmod(file, 0o600);
    const last = await harness.start().ready();
    assert.equal((await apiOf(last, first.keys.live).get('/v1/users')).status, 200);
  });
});

/** Exit code 1, the reason in one readable line on standard error, no stack. */
async function assertRefused(service: ServiceProcess, message: RegExp): Promise<void> {
  await service.refused();
  assert.match(service.stderr(), message);
  assert.doesNotMatch(service.stderr(), /\n +at /, 'it fails without a crash');
}

async function assertNothingLeft(service: ServiceProcess): Promise<void> {
  assert.deepEqual(await listDatabasePids(service.dataDir), [], 'no process of the database');
  await awaitNoDatabase(service.dataDir);
  for (const path of [join(service.dataDir, 'service.json'), join(await homeOf(service.dataDir), 'owner.json')]) {
    await assert.rejects(access(path), { code: 'ENOENT' }, `${path} is gone`);
  }
}

/** Runs the printed command in a shell, like a user who copies it. */
async function runPrintedCall(service: ReadyService): Promise<void> {
  const command = /^ {2}curl (?:.*\\\n)*.*$/m.exec(service.stdout())?.[0];
  assert.ok(command, 'the banner has an example call');
  const hasCurl = await promisify(execFile)('curl', ['--version']).then(
    () => true,
    () => false,
  );
  if (!hasCurl) return void assert.equal((await apiOf(service).get('/v1/users')).status, 200);
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  assert.equal(JSON.parse(stdout).external_ref, 'ada', stdout);
}

/** Only structured lines, without secrets. */
function assertLogIsClean(service: ReadyService): void {
  const lines = service.stderr().split('\n').filter(Boolean);
  assert.ok(lines.length > 0);
  for (const line of lines) assert.equal(typeof JSON.parse(line).msg, 'string', line);
  assert.doesNotMatch(service.stderr(), /sk_(live|sandbox)_|op_/);
}

async function awaitLogged(service: ServiceProcess, message: string): Promise<void> {
  await waitFor(message, 60_000, async () => service.stderr().includes(message));
}

async function awaitDatabase(service: ServiceProcess): Promise<void> {
  await waitFor('a database process', 60_000, async () => (await listDatabasePids(service.dataDir)).length > 0);
}

function printed(service: ReadyService): string {
  return /is ready after (\S+ s)/.exec(service.stdout())?.[1] ?? '?';
}
