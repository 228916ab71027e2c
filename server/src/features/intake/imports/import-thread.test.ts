// The side of the service, with a thread that the test plays: what it sends arrives in a known order.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import type { MessagePort } from 'node:worker_threads';
import type { ThreadPool } from '../../../platform/threads/thread-pool.ts';
import { openInThread } from './import-thread.ts';

it('hands over no batch after one that could not be stored, so that no import continues behind it', async (t) => {
  const state = { records: 1, rejected: 0, bytesRead: 1, problems: [] };
  const none = { samples: [], daily: [], sleep: [], workouts: [] };
  const batchOf = (index: number) => ({
    kind: 'batch',
    batch: { index, json: new Uint8Array(1), sourceName: 'a', positions: none },
    state,
  });
  const lastArrived = Promise.withResolvers<void>();
  const threads: Pick<ThreadPool, 'run'> = {
    async run({ input }) {
      const { port } = input as { port: MessagePort };
      port.postMessage({ kind: 'opened', format: 'csv', totalBytes: 1 });
      await once(port, 'message');
      for (const index of [0, 1]) port.postMessage(batchOf(index));
      port.postMessage({ kind: 'progress', state });
      await once(port, 'close');
      throw new Error('stopped');
    },
  };
  const opened = await openInThread(threads, 'a', 'a.csv', { format: null, timezone: null, mapping: {} });
  t.after(() => opened.close());
  const handed: number[] = [];
  const read = opened.read(
    { runId: 'a', batches: 0 },
    {
      async onBatch({ index }) {
        handed.push(index);
        await lastArrived.promise;
        throw new Error('no database');
      },
      onProgress: () => lastArrived.resolve(),
    },
  );
  await assert.rejects(read, /no database/);
  await new Promise(setImmediate);
  assert.deepEqual(handed, [0]);
});
