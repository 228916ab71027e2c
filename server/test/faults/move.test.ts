// tributary move: the embedded database continues on another server with every read the same.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSameState } from '../support/assert-same-state.ts';
import { checkContinues, createBackupSubject, readEverything } from '../support/backup-subject.ts';
import { MAIN, openServiceHarness, queryEmbedded } from '../support/service-process.ts';
import { connectToDatabase, createEmptyDatabase, createTestDatabase } from '../support/test-database.ts';
import { startSink } from '../support/webhook-sink.ts';

const ALLOW_SINK = { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' };

describe('a move to an own PostgreSQL', () => {
  it('keeps every read, needs a stopped service and an empty target, and leaves no second service', async (t) => {
    const harness = await openServiceHarness(t);
    const sink = await startSink();
    t.after(() => sink.close());
    const [target, filled] = [await createEmptyDatabase(), await createTestDatabase()];
    const db = connectToDatabase(target.url, 1);
    harness.beforeRemoval(async () => {
      await db.close();
      await Promise.all([target.drop(), filled.drop()]);
    });
    const move = async (to: string) => {
      const command = harness.run([process.execPath, MAIN, 'move', '--to', to], {
        TRIBUTARY_DATA_DIR: harness.dataDir,
      });
      const { code } = await command.exited;
      return { code, output: command.stdout() + command.stderr() };
    };
    const original = await harness.start({ environment: ALLOW_SINK }).ready();
    const subject = await createBackupSubject(original, sink, (sql) => queryEmbedded(harness.dataDir, sql));
    const before = await readEverything(original, subject);
    assert.match(
      (await move(target.url)).output,
      /A service or another command is using .* Stop it, and run "tributary move" again/,
    );
    await original.end('SIGTERM');

    const occupied = await move(filled.url);
    assert.equal(occupied.code, 1);
    assert.match(occupied.output, /target database is not empty, and nothing was changed/);
    const moved = await move(target.url);
    assert.equal(moved.code, 0, moved.output);
    const [recorded] = await db.query("select 1 from audit_inbox where entry ->> 'action' = 'database.move_started'");
    assert.ok(recorded, 'the audit trail has an entry of the move');
    assert.match(moved.output, /Moved \d+ rows in \d+ tables to .* The number of rows of every table is the same/);

    const old = harness.start();
    await old.refused();
    assert.match(old.stderr(), /was moved to \S+ on 20.* Set DATABASE_URL to it/);
    const service = await harness.start({ environment: { ...ALLOW_SINK, DATABASE_URL: target.url } }).ready();
    assert.equal(service.keys.live, '', 'no new account');
    assertSameState(await readEverything(service, subject), before);
    await checkContinues(service, subject, { before, sink, query: (sql) => db.query(sql) });
  });
});
