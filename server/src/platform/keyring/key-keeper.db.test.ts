// Keys of one database as several processes see them: made, taken over from before, replaced, interrupted.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { connectToDatabase, createEmptyDatabase, openTestDatabase } from '../../../test/support/test-database.ts';
import { deriveKey } from '../crypto/derive-key.ts';
import { formatMasterKey, generateMasterKey, type MasterKey, parseMasterKey } from '../crypto/master-key.ts';
import { createSecretEnvelope } from '../crypto/secret-envelope.ts';
import { loadOrMakeMasterKey, readMasterKeyFile } from '../data-folder.ts';
import type { Database } from '../db/database.ts';
import { loadMigrations, migrate } from '../db/migrate.ts';
import { createLogger } from '../log.ts';
import { createKeyKeeper } from './key-keeper.ts';
import { createKeyring } from './keyring.ts';
import { type MasterKeySource, masterKeySource } from './master-key-source.ts';
import { DamagedKeyError, WrongMasterKeyError } from './open-keys.ts';
import { admitMaster } from './replace-master.ts';

const silent = createLogger('silent');
const isConflict = { name: 'AppError', code: 'master_key_conflict' };
const db = await openTestDatabase({ after });

const given = (masterKey: MasterKey): MasterKeySource => masterKeySource({ masterKey, dataDir: '/nowhere' });

/** What a process holds after its start. */
async function start(source: MasterKeySource, target = db) {
  const keyring = createKeyring();
  const keeper = createKeyKeeper({ db: target, keyring, source, log: silent });
  await keeper.open(target);
  return { keyring, keeper, envelope: createSecretEnvelope(keyring) };
}

const forget = () => db.query('truncate master_keys, data_keys, wrapped_keys');
const pass = (minutes: number) =>
  db.query(
    `with aged as (update data_keys set created_at = created_at - interval '${minutes} minutes')
     update master_keys set seen_at = seen_at - interval '${minutes} minutes'`,
  );
const keyIdOf = (sealed: Buffer) => sealed.readUInt32BE(1);
const listFingerprints = async () =>
  (await db.query<{ fingerprint: string }>('select fingerprint from master_keys order by number')).map(
    (row) => row.fingerprint,
  );

beforeEach(forget);

describe('a start', () => {
  it('creates keys once, and every process opens them with the same master key', async () => {
    const master = generateMasterKey();
    const processes = await Promise.all([1, 2, 3, 4].map(() => start(given(master))));
    const [first] = processes;
    assert.ok(first);
    const sealed = first.envelope.seal('secret', 'a');
    for (const { envelope, keyring } of processes) {
      assert.equal(envelope.open(sealed, 'a'), 'secret');
      assert.deepEqual(keyring.derive('cursors'), first.keyring.derive('cursors'));
    }
    assert.notDeepEqual(first.keyring.derive('cursors'), deriveKey(master.exportSecret(), 'cursors'));
  });

  it('rejects another master key, and names both fingerprints', async () => {
    const [right, wrong] = [generateMasterKey(), generateMasterKey()];
    await start(given(right));
    await assert.rejects(start(given(wrong)), (error: Error) => {
      assert.ok(error instanceof WrongMasterKeyError);
      assert.match(
        error.message,
        new RegExp(`another master key \\(${right.fingerprint}, not ${wrong.fingerprint}\\)`),
      );
      return true;
    });
    await start(given(right));
  });

  it('creates the master key of a new database, and none for a database that has one', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-keys-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const source = masterKeySource({ masterKey: null, dataDir: folder });
    await start(source);
    const fingerprint = readMasterKeyFile(folder).fingerprint;
    rmSync(join(folder, 'master.key'));
    await assert.rejects(start(source), (error: Error) => {
      assert.ok(error instanceof WrongMasterKeyError);
      assert.match(
        error.message,
        new RegExp(`needs the master key ${fingerprint}\\. ${folder} has no master key\\..* put `),
      );
      return true;
    });
    assert.deepEqual(readdirSync(folder), [], 'a backup of the folder must not replace that of the lost key');
  });

  it('says which key is damaged', async () => {
    const master = generateMasterKey();
    await start(given(master));
    await db.query(`update wrapped_keys set wrapped = (select wrapped from wrapped_keys where data_key = 0)`);
    await assert.rejects(start(given(master)), (error: Error) => {
      assert.ok(error instanceof DamagedKeyError);
      assert.match(error.message, /^Data key 1 in the database is damaged/);
      return true;
    });
  });
});

describe('a deployment whose master key is known and that has no data keys yet', () => {
  const MASTER = 'fb'.repeat(32);
  const SEALED = Buffer.from('01f4c95f445219d7b12f1f8fb997c6d10fb7210ea6df11fc99c0d02d6a68b58cf1eb38f2', 'hex');
  const master = parseMasterKey(MASTER) ?? assert.fail();
  const deploymentId = randomUUID();
  let old: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let oldDb: Database;

  before(async () => {
    old = await createEmptyDatabase();
    oldDb = connectToDatabase(old.url);
    await migrate(oldDb, loadMigrations());
    await oldDb.query('insert into deployment (id) values ($1)', [deploymentId]);
    await oldDb.query(`insert into master_keys (fingerprint, seen_at) values ('ac0691b261aee795', now())`);
  });
  after(async () => {
    await oldDb.close();
    await old.drop();
  });

  function assertNothingIsLost({ envelope, keyring }: Awaited<ReturnType<typeof start>>): void {
    assert.equal(envelope.open(SEALED, 'webhook/1'), 'grüße');
    assert.equal(
      keyring.derive('cursors').toString('hex'),
      '9a4e97d2aec0a3f70a8ce8b8edf52bd5bb23b6a96f0bf41f90bd63e369dd9128',
    );
    assert.deepEqual(keyring.derive('sdk tokens'), deriveKey(master.exportSecret(), 'sdk tokens'));
  }

  it('rejects another master key without changes', async () => {
    await assert.rejects(start(given(generateMasterKey()), oldDb), WrongMasterKeyError);
    assert.deepEqual(await oldDb.query('select * from data_keys'), []);
    assert.deepEqual(await oldDb.query('select id from deployment'), [{ id: deploymentId }]);
  });

  it('opens and derives the same as before; new secrets use a new key', async () => {
    const [one, two] = await Promise.all([start(given(master), oldDb), start(given(master), oldDb)]);
    assertNothingIsLost(one);
    assertNothingIsLost(two);
    const sealed = one.envelope.seal('new', 'a');
    assert.equal(keyIdOf(sealed), 1);
    assert.equal(two.envelope.open(sealed, 'a'), 'new');
  });

  it('works after a rotation of its master key, and no longer with the old key', async () => {
    const sealed = (await start(given(master), oldDb)).envelope.seal('new', 'a');
    const next = generateMasterKey();
    await (await start(given(master), oldDb)).keeper.rotateMaster(next);
    const after = await start(given(next), oldDb);
    assertNothingIsLost(after);
    await oldDb.query(`update master_keys set seen_at = now() - interval '3 minutes' where fingerprint = $1`, [
      master.fingerprint,
    ]);
    await after.keeper.refresh();
    await assert.rejects(start(given(master), oldDb), WrongMasterKeyError);
    const later = await start(given(next), oldDb);
    assertNothingIsLost(later);
    assert.equal(later.envelope.open(sealed, 'a'), 'new');
  });
});

describe('replacing a master key that the operator keeps', () => {
  it('both keys work until every process uses the new one; then new secrets get a key that the old one never wrapped', async () => {
    const [old, next] = [generateMasterKey(), generateMasterKey()];
    const [one, two] = [await start(given(old)), await start(given(old))];
    const sealedBefore = one.envelope.seal('before', 'a');
    assert.deepEqual(await one.keeper.rotateMaster(next), {
      fingerprint: next.fingerprint,
      previous: old.fingerprint,
      keptIn: 'environment',
      newKey: null,
    });

    const oneAgain = await start(given(next));
    await oneAgain.keeper.refresh();
    await start(given(old)); // a restart with the old one still works
    assert.deepEqual(await listFingerprints(), [old.fingerprint, next.fingerprint]);
    const sealedBetween = oneAgain.envelope.seal('between', 'a');
    assert.equal(two.envelope.open(sealedBetween, 'a'), 'between');

    await pass(3);
    await two.keeper.refresh(); // lives, and says so
    await oneAgain.keeper.refresh();
    assert.equal((await listFingerprints()).length, 2);

    const twoAgain = await start(given(next));
    await pass(3);
    await oneAgain.keeper.refresh();
    assert.deepEqual(await listFingerprints(), [next.fingerprint]);
    await assert.rejects(start(given(old)), WrongMasterKeyError);

    assert.equal(keyIdOf(oneAgain.envelope.seal('x', 'a')), 1, 'a new key waits until all have it');
    await pass(3);
    await oneAgain.keeper.refresh();
    const sealedAfter = oneAgain.envelope.seal('after', 'a');
    assert.equal(keyIdOf(sealedAfter), 2);
    assert.throws(() => two.envelope.open(sealedAfter, 'a'), { code: 'unavailable' });
    assert.throws(() => twoAgain.envelope.open(sealedAfter, 'a'), { code: 'unavailable' });
    await twoAgain.keeper.refresh();
    for (const [sealed, plain] of [
      [sealedBefore, 'before'],
      [sealedBetween, 'between'],
      [sealedAfter, 'after'],
    ] as const)
      assert.equal(twoAgain.envelope.open(sealed, 'a'), plain);
  });

  it('generates a key if none is given, and returns it once', async () => {
    const { keeper } = await start(given(generateMasterKey()));
    const { newKey, fingerprint } = await keeper.rotateMaster(null);
    const next = parseMasterKey(newKey ?? '') ?? assert.fail('no key');
    assert.equal(next.fingerprint, fingerprint);
    await start(given(next));
  });

  it('a process with the old key keeps working, but cannot rotate', async () => {
    const [old, next] = [generateMasterKey(), generateMasterKey()];
    const left = await start(given(old));
    const sealed = left.envelope.seal('secret', 'a');
    await left.keeper.rotateMaster(next);
    await pass(3);
    assert.deepEqual(await (await start(given(next))).keeper.finishRotation(), [old.fingerprint]);
    await left.keeper.refresh();
    assert.match(left.keeper.problem() ?? '', /was rotated\. Restart with the new key/);
    assert.equal(left.envelope.open(sealed, 'a'), 'secret');
    assert.equal(left.envelope.open(left.envelope.seal('more', 'b'), 'b'), 'more');
    await assert.rejects(left.keeper.rotateMaster(null), isConflict);
    await assert.rejects(left.keeper.finishRotation(), isConflict);
  });

  it('rejects a key that is already in use', async () => {
    const old = generateMasterKey();
    const { keeper } = await start(given(old));
    await assert.rejects(keeper.rotateMaster(old), isConflict);
    const next = generateMasterKey();
    await keeper.rotateMaster(next);
    await assert.rejects(keeper.rotateMaster(next), isConflict);
  });

  it('finishing fails while another key is in use, and keeps the used key over one that was never used', async () => {
    const [old, next] = [generateMasterKey(), generateMasterKey()];
    const { keeper } = await start(given(old));
    await keeper.rotateMaster(next);
    await assert.rejects((await start(given(next))).keeper.finishRotation(), {
      ...isConflict,
      details: { in_use: [old.fingerprint] },
    });
    await pass(3);
    const running = await start(given(next));
    await running.keeper.rotateMaster(null);
    await running.keeper.refresh();
    assert.equal((await listFingerprints()).length, 3, 'the newest may be about to be used');
    assert.equal((await running.keeper.finishRotation()).length, 2);
    assert.deepEqual(await listFingerprints(), [next.fingerprint]);
    assert.deepEqual(await running.keeper.finishRotation(), []);
  });
});

describe('replacing a master key in the data folder', () => {
  let folder: string;
  let source: MasterKeySource;
  const read = () => readFileSync(join(folder, 'master.key'), 'utf8');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-keys-'));
    loadOrMakeMasterKey(folder);
    source = masterKeySource({ masterKey: null, dataDir: folder });
  });
  const clear = () => rmSync(folder, { recursive: true, force: true });
  after(clear);

  it('writes the new key to the file and keeps no copy of the old one', async (t) => {
    t.after(clear);
    const { keeper } = await start(source);
    const before = read();
    const rotation = await keeper.rotateMaster(null);
    assert.deepEqual({ keptIn: rotation.keptIn, newKey: rotation.newKey }, { keptIn: 'file', newKey: null });
    assert.equal(readMasterKeyFile(folder).fingerprint, rotation.fingerprint);
    assert.notEqual(read(), before);
    assert.deepEqual(readdirSync(folder), ['master.key']);
    assert.equal(statSync(join(folder, 'master.key')).mode & 0o777, 0o600);
    await start(source);
  });

  it('processes that share the folder use it without a restart', async (t) => {
    t.after(clear);
    const [one, two] = [await start(source), await start(source)];
    const { fingerprint } = await one.keeper.rotateMaster(null);
    await two.keeper.refresh();
    await pass(3);
    await two.keeper.refresh();
    assert.deepEqual(await listFingerprints(), [fingerprint]);
    await pass(3);
    await one.keeper.refresh();
    await two.keeper.refresh();
    const sealed = one.envelope.seal('secret', 'a');
    assert.equal(keyIdOf(sealed), 2);
    assert.equal(two.envelope.open(sealed, 'a'), 'secret');
  });

  it('killed before the file is written: starts with the old key, and can be repeated', async (t) => {
    t.after(clear);
    const { envelope } = await start(source);
    const sealed = envelope.seal('secret', 'a');
    await admitMaster(db, source.read(), generateMasterKey());
    writeFileSync(join(folder, 'master.key.0.tmp'), formatMasterKey(generateMasterKey()));

    const again = await start(source);
    assert.equal(again.envelope.open(sealed, 'a'), 'secret');
    await again.keeper.refresh();
    assert.equal((await listFingerprints()).length, 2, 'nothing is retired for a key that nobody has used');
    const { fingerprint } = await again.keeper.rotateMaster(null);
    assert.deepEqual(readdirSync(folder), ['master.key']);
    await pass(3);
    await again.keeper.refresh();
    assert.deepEqual(await listFingerprints(), [fingerprint], 'the one that was lost is gone too');
    assert.equal((await start(source)).envelope.open(sealed, 'a'), 'secret');
  });

  it('killed after the file is written: starts with the new key, and retires the old one', async (t) => {
    t.after(clear);
    const sealed = (await start(source)).envelope.seal('secret', 'a');
    const next = generateMasterKey();
    await admitMaster(db, source.read(), next);
    writeFileSync(join(folder, 'master.key'), formatMasterKey(next));

    const again = await start(source);
    assert.equal(again.envelope.open(sealed, 'a'), 'secret');
    await pass(3);
    await again.keeper.refresh();
    assert.deepEqual(await listFingerprints(), [next.fingerprint]);
  });

  it('two at once: the key in the file works', async (t) => {
    t.after(clear);
    const processes = [await start(source), await start(source)];
    const outcomes = await Promise.allSettled(processes.map(({ keeper }) => keeper.rotateMaster(null)));
    assert.ok(outcomes.some((outcome) => outcome.status === 'fulfilled'));
    await start(source);
  });

  it('a file that cannot be written is an error, and the old key stays valid', async (t) => {
    t.after(clear);
    const { keeper } = await start(source);
    const kept = join(folder, 'kept');
    copyFileSync(join(folder, 'master.key'), kept);
    const failing: MasterKeySource = {
      ...source,
      kind: 'file',
      replace: () => Promise.reject(new Error('no space left')),
    };
    await assert.rejects((await start(failing)).keeper.rotateMaster(null), { ...isConflict, message: 'no space left' });
    assert.equal(read(), readFileSync(kept, 'utf8'));
    await keeper.refresh();
    await start(source);
  });

  it('a file that is lost while the service runs leaves it running, and a rotation writes a new one', async (t) => {
    t.after(clear);
    const { keeper, envelope } = await start(source);
    const sealed = envelope.seal('secret', 'a');
    assert.equal(keeper.problem(), null);
    rmSync(join(folder, 'master.key'));
    await keeper.refresh();
    assert.equal(envelope.open(sealed, 'a'), 'secret');
    assert.deepEqual(readdirSync(folder), [], 'and no other is made in its place');
    assert.match(keeper.problem() ?? '', /has no master key.* "tributary keys rotate-master", which writes a new one/);
    const { fingerprint } = await keeper.rotateMaster(null);
    assert.equal(readMasterKeyFile(folder).fingerprint, fingerprint);
    assert.equal(keeper.problem(), null);
    assert.equal((await start(source)).envelope.open(sealed, 'a'), 'secret');
  });

  it('a file that is replaced by the key of another database is reported as such, and can be repaired', async (t) => {
    t.after(clear);
    const { keeper, envelope } = await start(source);
    const sealed = envelope.seal('secret', 'a');
    const right = read();
    const { fingerprint } = readMasterKeyFile(folder);
    const wrong = generateMasterKey();
    writeFileSync(join(folder, 'master.key'), formatMasterKey(wrong));
    await pass(3);
    await keeper.refresh();
    assert.match(
      keeper.problem() ?? '',
      new RegExp(
        `has the key ${wrong.fingerprint}, which this database does not accept.* need ${fingerprint}: put it back`,
      ),
    );
    const [known] = await db.query<{ fresh: boolean }>(
      "select seen_at > now() - interval '1 minute' as fresh from master_keys",
    );
    assert.equal(known?.fresh, true, 'the key in force is reported as used');

    writeFileSync(join(folder, 'master.key'), right);
    await keeper.refresh();
    assert.equal(keeper.problem(), null);

    writeFileSync(join(folder, 'master.key'), formatMasterKey(wrong));
    const rotation = await keeper.rotateMaster(null);
    assert.equal(rotation.previous, fingerprint);
    assert.equal(readMasterKeyFile(folder).fingerprint, rotation.fingerprint);
    assert.equal((await start(source)).envelope.open(sealed, 'a'), 'secret');
  });

  it('a file with a retired key is not taken for a rotation either', async (t) => {
    t.after(clear);
    const { keeper } = await start(source);
    const former = read();
    await keeper.rotateMaster(null);
    await pass(3);
    await keeper.refresh();
    writeFileSync(join(folder, 'master.key'), former);
    await keeper.refresh();
    assert.match(keeper.problem() ?? '', /which this database does not accept/);
  });
});
