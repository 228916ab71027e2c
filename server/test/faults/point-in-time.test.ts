// Point-in-time recovery with the settings and commands of docs/backup.md: every read is that of the moment, and nobody who was
// erased after it comes back.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findBinaries, makeFolder, readIdentity } from '../../tools/start-system-postgres.ts';
import { assertSameState } from '../support/assert-same-state.ts';
import { checkContinues, createBackupSubject, readEverything } from '../support/backup-subject.ts';
import { createCluster, hasSystemPostgres, openCluster } from '../support/replicated-postgres.ts';
import { MAIN, OWN_DATABASE, openServiceHarness, REPOSITORY } from '../support/service-process.ts';
import { createApi } from '../support/test-api.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const LIMIT_MS = 60_000;

describe('point-in-time recovery', { skip: !hasSystemPostgres && 'PostgreSQL is not installed' }, () => {
  it('returns to the moment, without a user who was erased after it', async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const sink = await startSink();
    t.after(() => sink.close());
    const identity = await readIdentity();
    await chmod(harness.root, 0o755);
    const place = (name: string) => join(harness.root, name);
    for (const folder of ['wal', 'base']) await makeFolder(place(folder), identity);
    const guide = await readGuide((text) =>
      text.replaceAll('/mnt/wal', place('wal')).replaceAll('/mnt/base', place('base')),
    );

    await createCluster(place('first'));
    await appendFile(join(place('first'), 'postgresql.conf'), guide.archive);
    const first = await openCluster(place('first'));
    await first.start();
    harness.beforeRemoval(() => first.kill());
    const environment = {
      TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1',
      TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    const start = (dataDir: string, url: string) =>
      harness.start({ dataDir: place(dataDir), environment: { ...environment, DATABASE_URL: url } }).ready();
    const original = await start('data', first.url);
    const live = createApi(original.url, original.keys.live);
    const sandbox = createApi(original.url, original.keys.sandbox);
    const backup = guide.backup
      .replace('db.internal', `127.0.0.1 --port=${first.port}`)
      .replace('=backup', '=tributary');
    await runShell(backup, { cwd: place('base'), ...identity });

    const subject = await createBackupSubject(original, sink, (sql) => first.query(sql));
    const erased = await createUser(sandbox, { seed: false });
    const before = await readEverything(original, subject);
    const [moment] = await first.query<{ now: string }>('select clock_timestamp()::text as now');
    const devices = before.devices.data as { id: string }[];
    for (const { id } of devices)
      assert.equal((await live.delete(`/v1/users/${subject.userId}/devices/${id}`)).status, 204);
    assert.equal((await sandbox.delete(`/v1/users/${erased.id}`)).status, 202);
    const isErased = async () => (await first.query('select 1 from users where id = $1', [erased.id])).length === 0;
    await waitUntil('the erasure', isErased, LIMIT_MS);
    const [ended] = await first.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment');
    await waitUntil(
      'the last segment in the archive', // the service may already write to the next one
      async () => {
        const [archiver] = await first.query<{ last: string }>(
          'select last_archived_wal as last from pg_stat_archiver',
        );
        return archiver !== undefined && ended !== undefined && archiver.last >= ended.segment;
      },
      LIMIT_MS,
    );
    await original.end('SIGKILL');
    await first.kill();

    await makeFolder(place('second'), identity);
    await runShell(`tar -xzf "$(ls -d ${place('base')}/*/base.tar.gz)"`, { cwd: place('second'), ...identity });
    const recovery = guide.recovery.replace(/'20\d\d-[^']*'/, `'${moment?.now}'`);
    await appendFile(join(place('second'), 'postgresql.conf'), recovery);
    await writeFile(join(place('second'), 'recovery.signal'), '');
    const second = await openCluster(place('second'));
    await second.start();
    harness.beforeRemoval(() => second.kill());
    await waitUntil(
      'the end of the recovery',
      async () => {
        const [row] = await second.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers');
        return row?.recovers === false;
      },
      LIMIT_MS,
    );
    assert.equal((await second.query('select 1 from users where id = $1', [erased.id])).length, 1, 'it is back');

    await mkdir(place('other'));
    const applied = harness.run(
      [process.execPath, MAIN, 'tombstones', 'apply', join(place('data'), 'tombstones.jsonl')],
      {
        ...environment,
        DATABASE_URL: second.url,
        TRIBUTARY_DATA_DIR: place('other'),
      },
    );
    assert.equal((await applied.exited).code, 0, applied.stdout() + applied.stderr());
    const service = await start('other', second.url);
    assertSameState(await readEverything(service, subject), before);
    const restoredSandbox = createApi(service.url, original.keys.sandbox);
    assert.equal((await restoredSandbox.get(`/v1/users/${erased.id}`)).status, 404);
    await checkContinues(service, subject, { before, sink, query: (sql) => second.query(sql) });
  });
});

/** The blocks of the guide, with other paths. */
async function readGuide(withPaths: (text: string) => string) {
  const text = withPaths(await readFile(join(REPOSITORY, 'docs/backup.md'), 'utf8'));
  const [section = ''] = text.split('## Point-in-time recovery\n')[1]?.split('\n## ') ?? [];
  const blocks = [...section.matchAll(/```(ini|sh)\n([\s\S]*?)```/g)].map(([, kind, block = '']) => ({ kind, block }));
  const [archive, recovery] = blocks.filter(({ kind }) => kind === 'ini').map(({ block }) => block);
  const [backup, restart] = blocks.filter(({ kind }) => kind === 'sh').map(({ block }) => block);
  assert.ok(archive && recovery && backup);
  assert.match(restart ?? '', /recovery\.signal[\s\S]*pg_is_in_recovery[\s\S]*tombstones apply/);
  return { archive, recovery, backup };
}

async function runShell(script: string, options: { cwd: string; uid?: number; gid?: number }): Promise<void> {
  const env = { PATH: `${findBinaries()}:${process.env.PATH}` };
  await promisify(execFile)('/bin/sh', ['-e', '-c', script], { ...options, env });
}
