// Stores notices: those that come while a statement is under way share the next one, so that a burst costs a few commits.
import type { Queryable } from '../../../platform/db/database.ts';
import { insertWebhooks, type StoredWebhook } from './store.ts';

type Waiting = { readonly webhook: StoredWebhook; readonly stored: PromiseWithResolvers<void> };
type Line = { waiting: Waiting[]; isWriting: boolean };

const MAX_AT_ONCE = 200;
const lines = new WeakMap<Queryable, Line>();

/** Resolves when it is durable. */
export function storeWebhook(db: Queryable, webhook: StoredWebhook): Promise<void> {
  const line = lines.getOrInsertComputed(db, () => ({ waiting: [], isWriting: false }));
  const stored = Promise.withResolvers<void>();
  line.waiting.push({ webhook, stored });
  if (!line.isWriting) void write(db, line);
  return stored.promise;
}

async function write(db: Queryable, line: Line): Promise<void> {
  line.isWriting = true;
  while (line.waiting.length > 0) {
    const batch = line.waiting.splice(0, MAX_AT_ONCE);
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
  line.isWriting = false;
}
