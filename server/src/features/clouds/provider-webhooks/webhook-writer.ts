// Stores provider webhooks with group commit: those that arrive during a statement share the next one, so a burst costs a few
// commits.
import { BatchQueue } from '../../../platform/batch-queue.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { insertWebhooks, type StoredWebhook } from './store.ts';

const MAX_AT_ONCE = 200;
const queues = new WeakMap<Queryable, BatchQueue<StoredWebhook, void>>();

/** Resolves once the webhook is durable. */
export function storeWebhook(db: Queryable, webhook: StoredWebhook): Promise<void> {
  return queues.getOrInsertComputed(db, createQueue).add(webhook);
}

function createQueue(db: Queryable): BatchQueue<StoredWebhook, void> {
  return new BatchQueue<StoredWebhook, void>({
    run: async (webhooks) => {
      await insertWebhooks(db, webhooks);
      return webhooks.map(() => undefined);
    },
    maxItems: MAX_AT_ONCE,
    maxInFlight: 1,
    gatherMs: 0,
  });
}
