// At most one rebuild of each scope is queued per user.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import { createJobQueue } from '../../../platform/jobs/job-queue.ts';
import { enqueueRebuild } from './index.ts';
import type { RebuildScope } from './rebuild.ts';

const jobQueue = createJobQueue();

const db = await openTestDatabase({ after });

describe('queued rebuilds', () => {
  it('are joined by scope and user', async () => {
    const users = [await createTestUser(db), await createTestUser(db)];
    const scopes: (RebuildScope | undefined)[] = ['choice', 'all', 'choice', undefined, 'choice'];
    for (const user of users)
      for (const scope of scopes) await db.transaction((tx) => enqueueRebuild(jobQueue, tx, user, scope));
    const waiting = await db.query<{ user_id: string; scope: string }>(
      `select payload->>'user_id' as user_id, payload->>'scope' as scope
         from graphile_worker._private_jobs order by scope, user_id`,
    );
    const ids = users.map(({ userId }) => userId).sort();
    assert.deepEqual(
      waiting.map(({ user_id, scope }) => `${scope} ${user_id}`),
      ['all', 'choice'].flatMap((scope) => ids.map((id) => `${scope} ${id}`)),
    );
  });
});
