import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import { openImportFolder, sweepFolders } from './import-folder.ts';
import type { MemberImport } from './member-import.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const STATE = { id: '1', status: 'uploading', updated_at: NOW.toISOString() } as MemberImport;
const ACTOR = { kind: 'member', id: '1', name: 'Ann', via: 'dashboard', requestId: '1' } as const;
const OPTIONS = { timezone: 'Europe/Berlin', mapping: {}, actor: ACTOR };

function openScene() {
  const root = mkdtempSync(join(tmpdir(), 'imports-'));
  return { root, active: join(root, 'account', 'active'), folder: openImportFolder(root, 'account') };
}

describe('the folder of an import', () => {
  it('keeps the options for the process that receives the last part', () => {
    const { root, folder } = openScene();
    assert.equal(folder.claim(STATE, OPTIONS), true);
    assert.deepEqual(openImportFolder(root, 'account').readOptions(), OPTIONS);
    assert.equal(folder.claim(STATE, OPTIONS), false);
  });

  for (const state of [null, ''])
    it(`is free again if a crash left ${state === null ? 'no' : 'an empty'} state`, () => {
      const { root, active, folder } = openScene();
      mkdirSync(active, { recursive: true });
      if (state !== null) writeFileSync(join(active, 'state.json'), state);
      utimesSync(active, NOW, NOW);
      sweepFolders(root, new Date(NOW.getTime() + MINUTE_MS));
      assert.equal(folder.claim(STATE, OPTIONS), false, 'another process may be about to write it');
      sweepFolders(root, new Date(NOW.getTime() + 11 * MINUTE_MS));
      assert.equal(folder.claim(STATE, OPTIONS), true);
      assert.equal(JSON.parse(readFileSync(join(active, 'state.json'), 'utf8')).id, '1');
    });

  it('counts the processes that continued and stored nothing more', () => {
    const { root, folder } = openScene();
    folder.claim(STATE, OPTIONS);
    const position = { runId: '1', counts: { records: 5, accepted: 5, duplicates: 0, rejected: 0, batches: 1 } };
    assert.deepEqual([folder.countAttempt(STATE), openImportFolder(root, 'account').countAttempt(STATE)], [1, 2]);
    folder.savePosition(STATE, position);
    assert.deepEqual([folder.countAttempt(STATE), folder.countAttempt(STATE)], [1, 2]);
  });
});
