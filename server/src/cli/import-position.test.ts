import assert from 'node:assert/strict';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openPosition } from './import-position.ts';

const folder = mkdtempSync(join(tmpdir(), 'import-position-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.csv');
writeFileSync(file, 'time,weight\n');

const SETTINGS = { userId: 'a', format: 'csv', mapping: { time: 'time' }, timezone: 'Europe/Berlin' } as const;

describe('openPosition', () => {
  it('continues an import with the same settings', () => {
    const first = openPosition(folder, file, SETTINGS);
    assert.equal(first.isContinued, false);
    first.save({ ...first.from, counts: { ...first.from.counts, batches: 3 } });
    const next = openPosition(folder, file, { ...SETTINGS, mapping: { time: 'time' } });
    assert.deepEqual([next.isContinued, next.from.runId, next.from.counts.batches], [true, first.from.runId, 3]);
  });

  for (const changed of [
    { userId: 'b' },
    { format: 'gpx' as const },
    { mapping: { time: 'Zeit' } },
    { timezone: 'America/New_York' },
    { timezone: null },
  ])
    it(`starts again with ${JSON.stringify(changed)}`, () => {
      const other = openPosition(folder, file, { ...SETTINGS, ...changed });
      assert.equal(other.isContinued, false);
    });

  it('says why it cannot be kept, and what to do', () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const imports = join(dataDir, 'imports');
    writeFileSync(imports, '');
    assert.throws(() => openPosition(dataDir, file, SETTINGS), {
      message: `The position of the import cannot be kept in ${imports}: ${imports} is not a folder. Correct the path, and run the command again.`,
    });
    rmSync(imports);
    const position = openPosition(dataDir, file, SETTINGS);
    rmSync(imports, { recursive: true });
    assert.throws(
      () => position.save(position.from),
      /cannot be kept in .*: ENOENT.*\. Check that the folder .* and run/,
    );
  });

  const needsRoot = process.getuid?.() === 0 ? false : 'only root can import as another user than the service';
  it('leaves the folder to the user of the service if root imports', { skip: needsRoot }, () => {
    const SERVICE = 65_534;
    const dataDir = mkdtempSync(join(folder, 'data-'));
    chownSync(dataDir, SERVICE, SERVICE);
    const position = openPosition(dataDir, file, SETTINGS);
    position.save(position.from);
    const { uid, gid } = statSync(join(dataDir, 'imports'));
    assert.deepEqual([uid, gid], [SERVICE, SERVICE]);
  });
});
