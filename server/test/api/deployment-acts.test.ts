// Commands that concern the whole deployment leave an entry in the audit trail.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Database } from '../../src/platform/db/database.ts';
import { runCli } from '../support/run-cli.ts';
import { connectToDatabase, createEmptyDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';

const service = await startTestService();
after(() => service.stop());
const { db } = service.running.services;

type Entry = { action: string; actor: string; via: string; account_id: string | null };

async function listActs(database: Database): Promise<string[]> {
  const rows = await database.query<{ entry: Entry }>(
    'select entry from audit_inbox union all select entry::jsonb from audit_trail',
  );
  return rows
    .filter(({ entry }) => entry.actor === 'cli' && entry.via === 'cli' && entry.account_id === null)
    .map(({ entry }) => entry.action)
    .sort();
}

async function verifiedHead(): Promise<string> {
  const { code, stdout, stderr } = await runCli(service, ['audit', 'verify', '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout).head;
}

async function run(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await runCli(service, args, environment);
  assert.equal(code, 0, stderr);
  return stdout;
}

describe('the audit trail', () => {
  it('has an entry of a backup, also in the backup, and of a restore and of applied tombstones', async (t) => {
    const head = await verifiedHead();
    const { path } = JSON.parse(await run(['backup', join(service.config.dataDir, 'kept'), '--json']));
    assert.deepEqual(await listActs(db), ['database.backup_started']);
    assert.notEqual(await verifiedHead(), head, 'the head includes what was done just now');

    const empty = await createEmptyDatabase();
    const restored = connectToDatabase(empty.url, 1);
    t.after(async () => {
      await restored.close();
      await empty.drop();
    });
    await run(['restore', path], { DATABASE_URL: empty.url });
    assert.deepEqual(await listActs(restored), ['database.backup_started', 'database.restored']);
    await run(['tombstones', 'apply'], { DATABASE_URL: empty.url });
    assert.deepEqual(await listActs(restored), ['database.backup_started', 'database.restored', 'tombstones.applied']);
  });

  it('has no entry of a backup of a database that accepts no writes, and the backup says so', async () => {
    const acts = await listActs(db);
    const url = new URL(service.config.databaseUrl ?? assert.fail('the service has a database of its own'));
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const { code, stderr } = await runCli(service, ['backup', join(service.config.dataDir, 'of-standby')], {
      DATABASE_URL: url.href,
    });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /accepts no writes/);
    assert.deepEqual(await listActs(db), acts);
  });

  it('has an entry of a rotation of the master key, and of its end', async () => {
    const before = await listActs(db);
    await run(['keys', 'rotate-master']);
    await db.query(`update master_keys set seen_at = seen_at - interval '3 minutes'`);
    await run(['keys', 'rotate-master', '--finish']);
    assert.deepEqual(await listActs(db), [...before, 'master_key.retired', 'master_key.rotated']);
  });
});
