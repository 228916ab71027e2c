// Backup and restore with the commands of docs/backup.md: a restored service returns the same and continues.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { formatUrl } from '../../src/platform/embedded-postgres/format-url.ts';
import { startSystemPostgres } from '../../tools/start-system-postgres.ts';
import { assertSameState } from '../support/assert-same-state.ts';
import {
  checkContinues,
  createBackupSubject,
  readDocumentedCommands,
  readEverything,
} from '../support/backup-subject.ts';
import {
  homeOf,
  isRoot,
  OWN_DATABASE,
  openServiceHarness,
  queryEmbedded,
  type ServiceHarness,
} from '../support/service-process.ts';
import { connectToDatabase } from '../support/test-database.ts';
import { startSink } from '../support/webhook-sink.ts';

const ALLOW_SINK = { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' };
const PG_DUMP = globSync('/usr/lib/postgresql/*/bin/pg_dump').sort().at(-1);

describe('a backup of the embedded database', () => {
  it('is restored to another folder', async (t) => {
    const harness = await openServiceHarness(t);
    const sink = await openSink(t);
    const start = (dataDir: string) => harness.start({ dataDir, environment: ALLOW_SINK });
    const original = await start(harness.dataDir).ready();
    const query = (dataDir: string) => (sql: string) => queryEmbedded(dataDir, sql);
    const subject = await createBackupSubject(original, sink, query(harness.dataDir));
    const before = await readEverything(original, subject);
    await original.end('SIGTERM');

    const [backup = '', , restore = ''] = await readDocumentedCommands('Copy of the data folder');
    await mkdir(join(harness.root, 'safe'));
    await runShell(harness.root, backup);
    await rename(harness.dataDir, join(harness.root, 'lost'));
    const [copyData = '', copyKey = ''] = restore.trim().split('\n');
    const restored = join(harness.root, 'restored');
    await runShell(harness.root, copyData.replace(/ data$/, ' restored'));

    const keyless = start(restored);
    await keyless.refused();
    assert.match(keyless.stderr(), /master key/i);
    await runShell(harness.root, copyKey.replace(' data/', ' restored/'));
    const service = await start(restored).ready();
    assert.equal(service.keys.live, '', 'no new account');
    assertSameState(await readEverything(service, subject), before);
    await checkContinues(service, subject, { before, sink, query: query(restored) });
  });

  it('is restored with a database outside of the data folder', { skip: !isRoot && 'only as root' }, async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const sink = await openSink(t);
    await mkdir(harness.dataDir, { mode: 0o700 });
    await chmod(harness.root, 0o700); // the user of PostgreSQL cannot enter it
    const start = () => harness.start({ environment: ALLOW_SINK }).ready();
    const original = await start();
    const query = (sql: string) => queryEmbedded(harness.dataDir, sql);
    const subject = await createBackupSubject(original, sink, query);
    const before = await readEverything(original, subject);
    await original.end('SIGTERM');
    const home = await homeOf(harness.dataDir);
    assert.ok(!home.startsWith(harness.root), home);

    const [backup = '', backupElsewhere = '', restore = ''] = await readDocumentedCommands('Copy of the data folder');
    await mkdir(join(harness.root, 'safe'));
    await runShell(harness.root, backup + backupElsewhere);
    for (const folder of [harness.dataDir, home]) await rm(folder, { recursive: true });
    await runShell(harness.root, `${restore}\ncp -a backup-postgres '${home}'`);
    const service = await start();
    assertSameState(await readEverything(service, subject), before);
    await checkContinues(service, subject, { before, sink, query });
  });
});

describe('a dump of an own PostgreSQL', { skip: PG_DUMP === undefined && 'PostgreSQL is not installed' }, () => {
  it('is restored to another server with the two roles', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const sink = await openSink(t);
    const masterKey = { TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') };
    const first = await startServer(harness, 'first');
    const start = (urls: Record<string, string>, dataDir: string) =>
      harness
        .start({ dataDir: join(harness.root, dataDir), environment: { ...ALLOW_SINK, ...masterKey, ...urls } })
        .ready();
    const original = await start(first.urls, 'data');
    const subject = await createBackupSubject(original, sink, first.query);
    const before = await readEverything(original, subject);
    const [dump = '', restore = ''] = await readDocumentedCommands('pg_dump');
    await runShell(harness.root, dump, first.urls); // while the service runs
    await original.end('SIGTERM');

    const second = await startServer(harness, 'second');
    await runShell(harness.root, restore, second.urls);
    const service = await start(second.urls, 'other');
    assert.equal(service.keys.live, '', 'no new account');
    assertSameState(await readEverything(service, subject), before);
    await checkContinues(service, subject, { before, sink, query: second.query });
  });
});

async function openSink(t: TestContext) {
  const sink = await startSink();
  t.after(() => sink.close());
  return sink;
}

async function runShell(cwd: string, script: string, environment: Record<string, string> = {}): Promise<void> {
  assert.notEqual(script.trim(), '', 'the command is in the docs');
  const PATH = `${dirname(PG_DUMP ?? '')}:${process.env.PATH}`;
  await promisify(execFile)('/bin/sh', ['-e', '-c', script], { cwd, env: { ...environment, PATH } });
}

/** A server with the roles and the empty database of the section "Database roles". */
async function startServer(harness: ServiceHarness, name: string) {
  const folder = join(harness.root, name);
  await mkdir(folder);
  await chmod(folder, 0o755);
  const server = await startSystemPostgres(folder, { fsync: 'off' });
  harness.beforeRemoval(() => server.stop());
  const urlOf = (user: string, database = 'health') => formatUrl({ ...server.connection, user, database });
  const admin = connectToDatabase(urlOf(server.connection.user, 'postgres'), 1);
  for (const sql of [
    'create role tributary_owner login',
    'create role tributary_service login',
    'create database health owner tributary_owner',
  ])
    await admin.query(sql);
  await admin.close();
  const db = connectToDatabase(urlOf('tributary_service'), 1);
  harness.beforeRemoval(() => db.close());
  return {
    urls: { DATABASE_URL: urlOf('tributary_service'), TRIBUTARY_MIGRATION_DATABASE_URL: urlOf('tributary_owner') },
    query: (sql: string) => db.query(sql),
  };
}
