// tributary backup and restore as processes: beside a running service, and killed at bad moments.
import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertSameState } from '../support/assert-same-state.ts';
import { checkContinues, createBackupSubject, readEverything } from '../support/backup-subject.ts';
import {
  awaitNoDatabase,
  MAIN,
  openServiceHarness,
  queryEmbedded,
  type ServiceHarness,
  waitFor,
} from '../support/service-process.ts';
import { startSink } from '../support/webhook-sink.ts';

const LIMIT_MS = 60_000;
const ALLOW_SINK = { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' };

describe('an online backup of the embedded database', () => {
  it('is restored with every read, also after kill -9 of the backup and of the restore', async (t) => {
    const harness = await openServiceHarness(t);
    const sink = await startSink();
    t.after(() => sink.close());
    const original = await harness.start({ environment: ALLOW_SINK }).ready();
    const query = (dataDir: string) => (sql: string) => queryEmbedded(dataDir, sql);
    const subject = await createBackupSubject(original, sink, query(harness.dataDir));
    const before = await readEverything(original, subject);

    const folder = join(harness.root, 'backups');
    await killDuring(harness, harness.dataDir, ['backup', folder], async () => hasUnfinished(folder));
    assert.equal((await listBackups(folder)).length, 0, 'nothing looks like a backup');
    const { path } = JSON.parse(await run(harness, harness.dataDir, ['backup', folder, '--json']));
    assert.deepEqual(await readdir(folder), [path.slice(folder.length + 1)], 'the unfinished folder is gone');
    await original.end('SIGTERM');

    const restored = join(harness.root, 'restored');
    await mkdir(restored, { mode: 0o711 });
    const keyless = await refused(harness, restored, ['restore', path]);
    assert.match(keyless, /needs the master key \S+\. .* has no master key\. .*Nothing was restored/);
    await copyFile(join(harness.dataDir, 'master.key'), join(restored, 'master.key'));
    await killDuring(harness, restored, ['restore', path], async () => {
      const marker = "select 1 from pg_namespace where nspname = 'tributary_unfinished_copy'";
      return (await queryEmbedded(restored, marker).catch(() => [])).length > 0;
    });
    await awaitNoDatabase(restored);
    const early = harness.start({ dataDir: restored });
    await early.refused();
    assert.match(early.stderr(), /restore or move into this database was interrupted.*Run "tributary restore"/);

    assert.match(await run(harness, restored, ['restore', path]), /^Restored: \d+ rows of 20/);
    assert.match(await refused(harness, restored, ['restore', path]), /database is not empty, and nothing was changed/);
    const service = await harness.start({ dataDir: restored, environment: ALLOW_SINK }).ready();
    assert.equal(service.keys.live, '', 'no new account');
    assertSameState(await readEverything(service, subject), before);
    await checkContinues(service, subject, { before, sink, query: query(restored) });
    assert.match(
      await refused(harness, restored, ['restore', path]),
      /A service or another command is using .* Stop it/,
    );
  });
});

function startCommand(harness: ServiceHarness, dataDir: string, args: readonly string[]) {
  return harness.run([process.execPath, MAIN, ...args], { TRIBUTARY_DATA_DIR: dataDir });
}

async function run(harness: ServiceHarness, dataDir: string, args: readonly string[]): Promise<string> {
  const command = startCommand(harness, dataDir, args);
  assert.equal((await command.exited).code, 0, command.stderr());
  return command.stdout();
}

async function refused(harness: ServiceHarness, dataDir: string, args: readonly string[]): Promise<string> {
  const command = startCommand(harness, dataDir, args);
  assert.equal((await command.exited).code, 1, command.stdout());
  assert.doesNotMatch(command.stderr(), /^ +at /m, 'no stack');
  return command.stderr();
}

async function killDuring(
  harness: ServiceHarness,
  dataDir: string,
  args: readonly string[],
  isUnderWay: () => Promise<boolean>,
): Promise<void> {
  const command = startCommand(harness, dataDir, args);
  await waitFor(`${args[0]} under way`, LIMIT_MS, async () => {
    if (command.hasExited()) assert.fail(`it ended before it was killed: ${command.stdout()}${command.stderr()}`);
    return isUnderWay();
  });
  assert.deepEqual(await command.end('SIGKILL'), { code: null, signal: 'SIGKILL' });
}

async function listBackups(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith('tributary-'));
}

async function hasUnfinished(folder: string): Promise<boolean> {
  return (await readdir(folder).catch((): string[] => [])).some((name) => name.startsWith('.unfinished-'));
}
