import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { refuseMovedDatabase } from './moved-database.ts';

describe('refuseMovedDatabase', () => {
  it('refuses a mark that is damaged, and says why one cannot be read', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-moved-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const mark = join(folder, 'database-moved.json');
    refuseMovedDatabase(folder);
    writeFileSync(mark, '{');
    assert.throws(
      () => refuseMovedDatabase(folder),
      /was moved to another server on an unknown date\. Set DATABASE_URL/,
    );
    rmSync(mark);
    mkdirSync(mark);
    assert.throws(
      () => refuseMovedDatabase(folder),
      /database-moved\.json cannot be read \(EISDIR\), so it is unknown/,
    );
  });
});
