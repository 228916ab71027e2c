import assert from 'node:assert/strict';
import { it } from 'node:test';
import { collectBatches } from './collect-batches.ts';
import type { ImportSink } from './import-sink.ts';

const consumer = { onBatch: async () => undefined, onProgress: () => undefined };
const collect = (read: (sink: ImportSink) => void) =>
  collectBatches({ bytesRead: () => 1, read: async (sink) => read(sink) }, { runId: 'x', batches: 0 }, consumer);

it('a valid file without any record fails with a message, and one with skipped records does not', async () => {
  const empty = await collect(() => undefined);
  assert.match(empty.failure?.message ?? '', /has no records\. Nothing was imported/);
  assert.equal((await collect((sink) => sink.skip('HKUnknown'))).failure, null);
  assert.equal((await collect((sink) => sink.reject('is not a time', 2))).failure, null);
});
