import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createFrozenClock } from '../../test/support/test-clock.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { createCredentialVersion } from './credential-version.ts';

const db = await openTestDatabase({ after });

describe('createCredentialVersion', () => {
  it('detects a change of another process once, and only after its commit', async () => {
    const [here, there] = [
      createCredentialVersion(db, createFrozenClock()),
      createCredentialVersion(db, createFrozenClock()),
    ];
    let changes = 0;
    there.onChange(() => {
      changes += 1;
    });
    await there.refresh();
    const before = there.generation();
    await db.transaction(async (tx) => {
      await here.bump(tx);
      await there.refresh();
      assert.equal(there.generation(), before, 'not before the commit');
    });
    await there.refresh();
    await there.refresh();
    assert.equal(there.generation(), before + 1);
    assert.equal(changes, 2, 'the first answer and the bump');
  });

  it('does not change if the transaction was rolled back', async () => {
    const version = createCredentialVersion(db, createFrozenClock());
    await version.refresh();
    const before = version.generation();
    await assert.rejects(
      db.transaction(async (tx) => {
        await version.bump(tx);
        throw new Error('no');
      }),
    );
    await version.refresh();
    assert.equal(version.generation(), before);
  });

  it('detects a change after a failover that lost the last one, although as many changes were made', async () => {
    const version = createCredentialVersion(db, createFrozenClock());
    const [replicated] = await db.query<{ version: string }>('select version from credential_cache_version');
    await db.transaction((tx) => version.bump(tx));
    await version.refresh();
    const before = version.generation();
    await db.query('update credential_cache_version set version = $1', [replicated?.version]);
    await db.transaction((tx) => version.bump(tx));
    await version.refresh();
    assert.equal(version.generation(), before + 1);
  });

  it('is fresh for less than a second after a read, and never before the first one', async () => {
    const clock = createFrozenClock();
    const version = createCredentialVersion(db, clock);
    assert.equal(version.isFresh(), false);
    await version.refresh();
    assert.equal(version.isFresh(), true);
    clock.advance(899);
    assert.equal(version.isFresh(), true);
    clock.advance(1);
    assert.equal(version.isFresh(), false);
  });
});
