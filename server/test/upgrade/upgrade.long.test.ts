// Upgrades the populated database of every earlier release and compares all reads. RELEASE=0.2.0 npm test -- server/test/upgrade
// adds the fixture of a new release and its line in releases.txt.
import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { packScoresJob } from '../../src/features/pipeline/scoring/index.ts';
import { formatMasterKey } from '../../src/platform/crypto/master-key.ts';
import { readMasterKeyFile } from '../../src/platform/data-folder.ts';
import { loadMigrations } from '../../src/platform/db/migrate.ts';
import { formatRelease } from '../../tools/check-migrations.ts';
import { createBackupSubject, readEverything } from '../support/backup-subject.ts';
import { listReleases, readRelease, unpackBackup, writeRelease } from '../support/release-fixture.ts';
import { runCli } from '../support/run-cli.ts';
import { REPOSITORY } from '../support/service-process.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { createEmptyDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { startSink } from '../support/webhook-sink.ts';

/** Keys and statuses depend on the time, so it is always the same. */
const atRelease = () => createMovableClock(new Date('2025-03-21T12:00:00Z'));
const newRelease = process.env.RELEASE;

describe('an upgrade', () => {
  it('writes the fixture of a new release', {
    skip: newRelease === undefined && 'only with RELEASE=version',
  }, async (t) => {
    const version = newRelease ?? '';
    const sink = await startSink();
    t.after(() => sink.close());
    const service = await startTestService({
      clock: atRelease(),
      environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' },
    });
    t.after(() => service.stop());
    const subject = await createBackupSubject(service, sink, (sql) => service.running.services.db.query(sql));
    const expected = await readEverything(service, subject);
    const { dataDir } = service.config;
    const made = await runCli(service, ['backup', join(dataDir, 'made'), '--json']);
    assert.equal(made.code, 0, made.stderr);
    const masterKey = formatMasterKey(readMasterKeyFile(dataDir));
    const { userId, keys, phone, webhook } = subject;
    const kept = { userId, keys, phone: { accessToken: phone.accessToken }, webhook };
    await writeRelease({ version, masterKey, subject: kept, expected }, JSON.parse(made.stdout).path);
    const releases = join(REPOSITORY, 'server/migrations/releases.txt');
    await appendFile(releases, formatRelease(version, loadMigrations()));
  });

  it('from every earlier release keeps all reads', async (t) => {
    const releases = await listReleases();
    assert.ok(releases.length > 0);
    for (const version of releases) {
      const fixture = await readRelease(version);
      const database = await createEmptyDatabase();
      const environment = { TRIBUTARY_MASTER_KEY: fixture.masterKey };
      const starting = { databaseUrl: database.url, role: 'api', clock: atRelease(), environment } as const;
      const unpacked = join(process.env.TEST_RUN_FOLDER ?? assert.fail('run with npm test'), `release-${version}`);
      await unpackBackup(fixture, unpacked);
      const target = { DATABASE_URL: database.url, TRIBUTARY_DATA_DIR: unpacked, ...environment };
      const restored = await runCli({ config: { dataDir: unpacked } as never }, ['restore', unpacked], target);
      assert.equal(restored.code, 0, restored.stderr);
      const service = await startTestService(starting);
      t.after(async () => {
        await service.stop();
        await database.drop();
      });
      assertKept(await readEverything(service, fixture.subject), fixture.expected, version);
      await packScoresJob.run(service.running.services, {});
      assertKept(await readEverything(service, fixture.subject), fixture.expected, `${version}, packed`);
    }
  });
});

/** A later version may add fields; it may not change or remove one. */
function assertKept(actual: JsonBody, expected: JsonBody, at: string): void {
  if (typeof expected !== 'object' || expected === null) {
    assert.equal(actual, expected, at);
    return;
  }
  assert.ok(typeof actual === 'object' && actual !== null, at);
  if (Array.isArray(expected)) assert.equal(actual.length, expected.length, `the length of ${at}`);
  for (const [name, value] of Object.entries(expected)) assertKept(actual[name], value, `${at}.${name}`);
}
