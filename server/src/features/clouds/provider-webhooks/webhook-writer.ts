// Stores provider webhooks with group commit: those that arrive during a statement share the next one, so a burst costs a few
// commits.
import type { Queryable } from '../../../platform/db/database.ts';
import { insertWebhooks, type StoredWebhook } from './store.ts';

type Waiting = { readonly webhook: StoredWebhook; readonly stored: PromiseWithResolvers<void> };
type WriteQueue = { waiting: Waiting[]; isWriting: boolean };

const MAX_AT_ONCE = 200;
const queues = new WeakMap<Queryable, WriteQueue>();

/** Resolves once the webhook is durable. */
export function storeWebhook(db: Queryable, webhook: StoredWebhook): Promise<void> {
  const queue = queues.getOrInsertComputed(db, () => ({ waiting: [], isWriting: false }));
  const stored = Promise.withResolvers<void>();
  queue.waiting.push({ webhook, stored });
  if (!queue.isWriting) void write(db, queue);
  return stored.promise;
}

async function write(db: Queryable, queue: WriteQueue): Promise<void> {
  queue.isWriting = true;
  while (queue.waiting.length > 0) {
    const batch = queue.waiting.splice(0, MAX_AT_ONCE);
    try {
      await insertWebhooks(
        db,
        batch.map(({ webhook }) => webhook),
      );
      for (const { stored } of batch) stored.resolve();
    } catch (error) {
      for (const { stored } of batch) stored.reject(error);
    }
  }
  queue.isWriting = false;
}
