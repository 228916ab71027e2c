import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { loadMigrations } from '../src/platform/db/migrate.ts';
import { checkMigrations, formatRelease, listChecksums } from './check-migrations.ts';

describe('checksums of merged migrations', () => {
  it('pass while files are only added and recorded', (t) => {
    const folder = makeFolder(t);
    write(folder, '0001_a.sql', 'select 1;');
    assert.deepEqual(findings(folder), ['0001_a.sql is not in checksums.txt: run npm run generate']);
    record(folder);
    assert.deepEqual(findings(folder), []);
    write(folder, '0002_b.sql', 'select 2;');
    record(folder);
    assert.deepEqual(findings(folder), []);
  });

  it('report an edited or renamed migration, even after the files were generated again', (t) => {
    const folder = makeFolder(t);
    write(folder, '0001_a.sql', 'select 1;');
    record(folder);
    write(folder, '0001_a.sql', 'select 2;');
    for (const again of [false, true]) {
      if (again) record(folder);
      assert.deepEqual(findings(folder), ['0001_a.sql was edited: restore it and put the change into a new migration']);
    }
    rmSync(path.join(folder, '0001_a.sql'));
    assert.deepEqual(findings(folder), ['0001_a.sql was removed: restore it and put the change into a new migration']);
  });
});

describe('released migrations', () => {
  it('cannot change, whatever checksums.txt says', (t) => {
    const folder = makeFolder(t);
    write(folder, '0001_a.sql', 'select 1;');
    write(folder, 'releases.txt', formatRelease('0.1.0', loadMigrations(folder)));
    record(folder);
    assert.deepEqual(findings(folder, '0.1.0'), []);
    write(folder, '0002_b.sql', 'select 2;');
    record(folder);
    assert.deepEqual(findings(folder), []);
    write(folder, '0001_a.sql', 'select 3;');
    rmSync(path.join(folder, 'checksums.txt'));
    record(folder);
    const fix = 'restore it and put the change into a new migration';
    assert.deepEqual(findings(folder), [`a migration of release 0.1.0 was changed: ${fix}`]);
  });

  it('are followed by others only in a later version', (t) => {
    const folder = makeFolder(t);
    write(folder, '0001_a.sql', 'select 1;');
    write(folder, 'releases.txt', formatRelease('0.1.0', loadMigrations(folder)));
    write(folder, '0002_b.sql', 'select 2;');
    record(folder);
    assert.deepEqual(findings(folder, '0.1.0'), [
      'release 0.1.0 has 1 migrations and this tree has 2: set the next version (CONTRIBUTING.md, "Make a release")',
    ]);
  });
});

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'check-migrations-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function write(folder: string, name: string, text: string): void {
  writeFileSync(path.join(folder, name), text);
}

function record(folder: string): void {
  write(folder, 'checksums.txt', listChecksums(folder));
}

function findings(folder: string, version = '0.2.0'): string[] {
  return checkMigrations(folder, version).map(({ message }) => message);
}
