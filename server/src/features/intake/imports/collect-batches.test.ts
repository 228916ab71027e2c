import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { makeZip } from '../../../../test/support/read-import.ts';
import { collectBatches } from './collect-batches.ts';
import type { ImportSink } from './import-sink.ts';
import { openImport } from './open-import.ts';

const consumer = { onBatch: async () => undefined, onProgress: () => undefined };
const FROM = { runId: 'x', batches: 0 };
const NO_RECORDS = /has no records\. Nothing was imported/;
const collect = (read: (sink: ImportSink) => void) =>
  collectBatches({ bytesRead: () => 1, read: async (sink) => read(sink) }, FROM, consumer);

it('a valid file without any record fails with a message, and one with skipped records does not', async () => {
  assert.match((await collect(() => undefined)).failure?.message ?? '', NO_RECORDS);
  assert.equal((await collect((sink) => sink.skip('HKUnknown'))).failure, null);
  assert.equal((await collect((sink) => sink.reject('is not a time', 2))).failure, null);
});

it('an empty export of every format fails with a message', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'empty-import-'));
  const zip = (name: string, text: string) => makeZip({ [name]: Buffer.from(text) });
  const files: Record<string, string | Buffer> = {
    'export.xml': '<HealthData></HealthData>',
    'export.zip': zip('apple_health_export/export.xml', '<HealthData/>'),
    'table.csv': 'time,weight (kg)\n',
    'takeout.zip': zip('Takeout/Fitbit/Global Export Data/steps-2026-03-01.json', '[]'),
    'garmin.zip': zip('DI_CONNECT/DI-Connect-Aggregator/UDSFile_2026.json', '[]'),
  };
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const database = new DatabaseSync(join(folder, 'health_connect_export.db'));
    database.exec('create table application_info_table (row_id integer, package_name text, app_name text)');
    database.close();
    for (const name of [...Object.keys(files), 'health_connect_export.db']) {
      const opened = await openImport(join(folder, name), { format: null, timezone: null, mapping: {} });
      const { failure } = await collectBatches(opened, FROM, consumer);
      opened.close();
      assert.match(failure?.message ?? '', NO_RECORDS, name);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
