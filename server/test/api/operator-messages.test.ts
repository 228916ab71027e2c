// What an operator sees when a command cannot do its work: the reason and the next step, exit code 1, no stack.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { lockDataFolder } from '../../src/platform/data-folder.ts';
import { markExternal, markMoved } from '../../src/platform/external-database.ts';
import { runCli } from '../support/run-cli.ts';
import { connectToDatabase, createEmptyDatabase, createTestDatabase } from '../support/test-database.ts';

type Case = {
  readonly problem: string;
  readonly args: () => string[];
  readonly environment?: () => Record<string, string>;
  readonly message: RegExp;
};

const masterKey = randomBytes(32).toString('base64');
const cleanups: (() => Promise<unknown>)[] = [];
let root = '';
const urls = { current: '', newer: '', edited: '', interrupted: '', empty: '', rejecting: '', full: '', plain: '' };

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'tributary-messages-'));
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  const makeDatabase = async (create: typeof createTestDatabase, sql: string) => {
    const database = await create();
    const db = connectToDatabase(database.url, 1);
    await db.query(sql);
    await db.close();
    cleanups.push(() => database.drop());
    return database.url;
  };
  const newer = `insert into schema_migrations (version, name, checksum) values (9999, '9999_later.sql', 'x')`;
  urls.current = await makeDatabase(createTestDatabase, 'select 1');
  urls.newer = await makeDatabase(createTestDatabase, newer);
  urls.edited = await makeDatabase(createTestDatabase, `update schema_migrations set checksum = 'x' where version = 2`);
  urls.interrupted = await makeDatabase(createEmptyDatabase, 'create schema tributary_unfinished_copy');
  urls.empty = await makeDatabase(createEmptyDatabase, 'select 1');
  urls.rejecting = await startRejectingServer('28P01');
  urls.full = await startRejectingServer('53300');
  urls.plain = `${await startServer(Buffer.from('N'))}?sslmode=verify-full`;
  await mkdir(folder('moved'));
  await markMoved(folder('moved'), 'db.internal/health', new Date());
  await mkdir(folder('external'));
  await markExternal(folder('external'), 'db.internal/health', new Date());
  await mkdir(join(folder('used'), 'postgres/cluster'), { recursive: true });
  const lock = lockDataFolder(folder('used')) ?? assert.fail('not locked');
  cleanups.unshift(async () => lock.release());
  await mkdir(folder('incomplete'));
  await writeFile(folder('a-file'), '');
  const made = await run(['backup', folder('backups'), '--json'], { DATABASE_URL: urls.current });
  assert.equal(made.code, 0, made.stderr);
  backup = JSON.parse(made.stdout).path;
});

after(async () => {
  for (const clean of cleanups.toReversed()) await clean();
});

let backup = '';
const folder = (name: string) => join(root, name);
const withUrl = (name: keyof typeof urls) => () => ({ DATABASE_URL: urls[name] });

const CASES: readonly Case[] = [
  {
    problem: 'migrate: wrong password',
    args: () => ['migrate'],
    environment: withUrl('rejecting'),
    message: /rejected the password in DATABASE_URL\. Correct it and start again/,
  },
  {
    problem: 'migrate: missing database',
    args: () => ['migrate'],
    environment: () => ({ DATABASE_URL: urls.current.replace(/test_\w+/, 'no_such_database') }),
    message: /named in DATABASE_URL does not exist\. Create it/,
  },
  ...['migrate', 'backup'].map((command) => ({
    problem: `${command}: server without encryption`,
    args: () => [command],
    environment: withUrl('plain'),
    message: /server in DATABASE_URL does not encrypt connections\. Remove sslmode, or set ssl = on/,
  })),
  {
    problem: 'backup: no free connection',
    args: () => ['backup'],
    environment: withUrl('full'),
    message: /cannot be reached \(53300\)\. .* try again shortly/,
  },
  {
    problem: 'migrate: not a URL',
    args: () => ['migrate'],
    environment: () => ({ DATABASE_URL: 'db.internal' }),
    message: /DATABASE_URL is not a URL; set it to one that begins with/,
  },
  {
    problem: 'migrate: database newer than the program',
    args: () => ['migrate'],
    environment: withUrl('newer'),
    message: /is at migration 9999 .* Start a version of Tributary at least as new/,
  },
  {
    problem: 'migrate: edited migration',
    args: () => ['migrate'],
    environment: withUrl('edited'),
    message: /differs from the one that was applied .* Start the previous version/,
  },
  {
    problem: 'migrate: interrupted restore',
    args: () => ['migrate'],
    environment: withUrl('interrupted'),
    message: /was interrupted, so it is empty\. Run "tributary restore"/,
  },
  {
    problem: 'migrate: moved database',
    args: () => ['migrate'],
    environment: () => ({ TRIBUTARY_DATA_DIR: folder('moved') }),
    message: /was moved to db\.internal\/health on .* Set DATABASE_URL to it/,
  },
  {
    problem: 'restore: DATABASE_URL lost',
    args: () => ['restore', backup],
    environment: () => ({ TRIBUTARY_DATA_DIR: folder('external') }),
    message: /has used the database at db\.internal\/health since .*, but DATABASE_URL is not set\. Set it again/,
  },
  {
    problem: 'migrate: locked data folder',
    args: () => ['migrate'],
    environment: () => ({ TRIBUTARY_DATA_DIR: folder('used') }),
    message: /A service or another command is using/,
  },
  {
    problem: 'backup: no database',
    args: () => ['backup'],
    message: /has no database\. Set TRIBUTARY_DATA_DIR to the folder of the service/,
  },
  {
    problem: 'backup: service starting or stopping',
    args: () => ['backup'],
    environment: () => ({ TRIBUTARY_DATA_DIR: folder('used') }),
    message: /cannot be reached \(ENOENT\)\. If a service is starting or stopping, try again shortly/,
  },
  {
    problem: 'backup: server down',
    args: () => ['backup'],
    environment: () => ({ DATABASE_URL: 'postgresql://127.0.0.1:1/health' }),
    message: /at 127\.0\.0\.1:1\/health cannot be reached \(ECONNREFUSED\).* check DATABASE_URL/,
  },
  {
    problem: 'backup: wrong password',
    args: () => ['backup', folder('x')],
    environment: withUrl('rejecting'),
    message: /rejected the password in DATABASE_URL/,
  },
  {
    problem: 'backup: empty database',
    args: () => ['backup', folder('x')],
    environment: withUrl('empty'),
    message: /no tables of Tributary, so there is nothing to copy\. Check/,
  },
  {
    problem: 'backup: folder that cannot be written',
    args: () => ['backup', join(folder('a-file'), 'x')],
    environment: withUrl('current'),
    message: /was not written: .*a-file is not a folder\. Correct the path, or name another folder\./,
  },
  {
    problem: 'backup: empty name of the folder',
    args: () => ['backup', ''],
    environment: withUrl('current'),
    message: /The folder is empty\. Name one, or omit the argument/,
  },
  {
    problem: 'restore: not a backup',
    args: () => ['restore', folder('incomplete')],
    message: /is not a complete backup: it has no SHA256SUMS\. Name the folder/,
  },
  {
    problem: 'restore: empty name of the folder',
    args: () => ['restore', '--check', ''],
    message: /The folder is empty\. Name the folder that "tributary backup" printed/,
  },
  {
    problem: 'tombstones apply: empty name of the file',
    args: () => ['tombstones', 'apply', ''],
    environment: () => ({ DATABASE_URL: urls.current, TRIBUTARY_MASTER_KEY: masterKey }),
    message: /^The name of a tombstone file is empty\. Name the tombstones of the former data folder/,
  },
  {
    problem: 'migrate: distribution of the embedded database of a running service',
    args: () => ['migrate', '--distribute'],
    environment: () => ({ TRIBUTARY_DATA_DIR: folder('used') }),
    message: /The embedded database cannot be distributed\. Set DATABASE_URL/,
  },
  {
    problem: 'accounts close: no account',
    args: () => ['accounts', 'close'],
    message: /required option '--account <name>' not specified/,
  },
  {
    problem: 'export: no service',
    args: () => ['export', '--format', 'ndjson', '--to', folder('exported')],
    environment: () => ({ TRIBUTARY_URL: 'http://127.0.0.1:1', TRIBUTARY_API_KEY: 'sk_live_x' }),
    message:
      /^Cannot reach http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED.*\. Check TRIBUTARY_URL, and that the service runs\.$/m,
  },
  {
    problem: 'export: empty name of the target',
    args: () => ['export', '--format', 'ndjson', '--to', ''],
    environment: () => ({ TRIBUTARY_URL: 'http://127.0.0.1:1', TRIBUTARY_API_KEY: 'sk_live_x' }),
    message: /^The target is empty\. Name a folder, or s3:/,
  },
  {
    problem: 'restore: missing master key',
    args: () => ['restore', backup],
    environment: withUrl('empty'),
    message: /needs the master key .* has no master key\. .* Put its file into .* Nothing was restored/,
  },
  {
    problem: 'restore: wrong master key',
    args: () => ['restore', backup],
    environment: () => ({ DATABASE_URL: urls.empty, TRIBUTARY_MASTER_KEY: masterKey }),
    message: /needs the master key .* The one that is set is \S+\. Put its file/,
  },
  {
    problem: 'restore: service running',
    args: () => ['restore', backup],
    environment: () => ({ TRIBUTARY_DATA_DIR: folder('used') }),
    message: /A service or another command is using .* Stop it, and run "tributary restore" again/,
  },
  {
    problem: 'move: not a URL',
    args: () => ['move', '--to', 'db.internal'],
    message: /--to is not a URL; set it to one that begins with postgres:\/\/ or postgresql:\/\/\. Write characters/,
  },
  {
    problem: 'backup: several hosts',
    args: () => ['backup', folder('backups')],
    environment: () => ({ DATABASE_URL: 'postgresql://127.0.0.1:1,127.0.0.1:2/health' }),
    message: /names several hosts \(127\.0\.0\.1:1,127\.0\.0\.1:2\/health\)\. Name only the one that accepts writes/,
  },
  {
    problem: 'move: no embedded database',
    args: () => ['move', '--to', 'postgresql://127.0.0.1:1/health'],
    message: /has no database to move\. Set TRIBUTARY_DATA_DIR/,
  },
  {
    problem: 'move: own database',
    args: () => ['move', '--to', 'postgresql://127.0.0.1:1/health'],
    environment: withUrl('current'),
    message: /only the embedded database can be moved\. Unset it/,
  },
  {
    problem: 'move: service running',
    args: () => ['move', '--to', 'postgresql://127.0.0.1:1/health'],
    environment: () => ({ TRIBUTARY_DATA_DIR: folder('used') }),
    message: /A service or another command is using .* Stop it, and run "tributary move" again/,
  },
];

describe('a message for the operator', () => {
  for (const { problem, args, environment, message } of CASES)
    it(problem, async () => {
      const { code, stderr, stdout } = await run(args(), environment?.() ?? {});
      assert.equal(code, 1, stdout);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /^ +at /m, 'no stack');
    });
});

it('doctor fails if DATABASE_URL was lost', async () => {
  const { code, stdout } = await run(['doctor', '--json'], { TRIBUTARY_DATA_DIR: folder('external') });
  assert.equal(code, 1);
  const failed = (JSON.parse(stdout).checks as { ok: boolean; found: string }[]).filter(({ ok }) => !ok);
  assert.deepEqual(
    failed.map(({ found }) => found.replace(/ since .*/, '')),
    [`The service of ${folder('external')} has used the database at db.internal/health`],
  );
});

it('doctor judges a data folder that does not exist yet as the start does', async () => {
  await symlink(folder('nowhere'), folder('link'));
  for (const [name, isOk, found] of [
    ['none/of/these', true, `${folder('none/of/these')} will be created by the first start`],
    ['link', false, `${folder('link')} is not a folder that the service can use`],
    ['link/below', false, `${folder('link')} is not a folder that the service can use`],
    ['a-file', false, `${folder('a-file')} is not a folder that the service can use`],
    ['a-file/below', false, `${folder('a-file')} is not a folder that the service can use`],
  ] as const) {
    const { stdout } = await run(['doctor', '--json'], { TRIBUTARY_DATA_DIR: folder(name) });
    const checks = JSON.parse(stdout).checks as { check: string; ok: boolean; found: string }[];
    const check = checks.find((one) => one.check === 'data folder');
    assert.deepEqual([check?.ok, check?.found], [isOk, found]);
  }
});

function run(args: readonly string[], environment: Record<string, string>) {
  const service = { config: { dataDir: folder('none'), databaseUrl: null } as never };
  return runCli(service, args, environment);
}

/** A PostgreSQL that rejects every connection with this code. */
function startRejectingServer(code: string): Promise<string> {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mrejected\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return startServer(Buffer.concat([head, fields]));
}

/** Answers the first message of every connection with these bytes. Returns its URL. */
async function startServer(answer: Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => void server.close());
  const address = server.address();
  return `postgresql://ada@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/health`;
}
