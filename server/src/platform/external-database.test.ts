import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { markExternal, markMoved, refuseEmbeddedDatabase } from './external-database.ts';

const folder = join(tmpdir(), `tributary-external-${process.pid}`);
const moved = join(folder, 'database-moved.json');
const external = join(folder, 'external-database.json');

beforeEach(() => void mkdirSync(folder));
afterEach(() => rmSync(folder, { recursive: true }));

describe('refuseEmbeddedDatabase', () => {
  it('accepts a folder without a mark', () => {
    refuseEmbeddedDatabase(folder);
  });

  it('refuses a mark that is damaged, and says why one cannot be read', () => {
    writeFileSync(moved, '{');
    assert.throws(
      () => refuseEmbeddedDatabase(folder),
      /was moved to another server on an unknown date\. Set DATABASE_URL/,
    );
    rmSync(moved);
    mkdirSync(moved);
    assert.throws(
      () => refuseEmbeddedDatabase(folder),
      /database-moved\.json cannot be read \(EISDIR\), so it is unknown/,
    );
  });

  it('names the last database after a move and a start with DATABASE_URL, and both files', async () => {
    await markMoved(folder, 'old.internal/health', new Date('2026-03-09'));
    await markExternal(folder, 'new.internal/health', new Date('2026-03-10'));
    assert.throws(() => refuseEmbeddedDatabase(folder), {
      message:
        `The service of ${folder} has used the database at new.internal/health since 2026-03-10T00:00:00.000Z, but DATABASE_URL ` +
        'is not set. Set it again. To start on the embedded database instead, without the data of the other one, ' +
        `delete ${external} and ${moved}.`,
    });
  });
});

describe('markExternal', () => {
  it('keeps the time of the first start on a database', async () => {
    for (const [to, day] of [
      ['a/health', '10'],
      ['a/health', '11'],
      ['b/health', '12'],
      ['b/health', '13'],
    ] as const)
      await markExternal(folder, to, new Date(`2026-03-${day}`));
    assert.deepEqual(JSON.parse(readFileSync(external, 'utf8')), { to: 'b/health', at: '2026-03-12T00:00:00.000Z' });
  });

  it('leaves a folder without a mark that has an embedded database, which somebody may want to use again', async () => {
    for (const name of ['postgres', 'postgres-location.json']) {
      mkdirSync(join(folder, name));
      await markExternal(folder, 'a/health', new Date('2026-03-10'));
      assert.equal(existsSync(external), false, name);
      rmSync(join(folder, name), { recursive: true });
    }
  });
});
