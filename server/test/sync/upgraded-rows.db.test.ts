// A deployment that is upgraded during a sync continues it: its tasks and pending changes are there after the migration.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import type { DeviceId } from '../../src/domain/tenancy.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { addChange, type Changes, takeChanges } from '../../src/features/clouds/sync/pending-changes-store.ts';
import { addTasks, nextTasks } from '../../src/features/clouds/sync/store.ts';
import type { DeviceKey, SyncAction } from '../../src/features/clouds/sync/sync-task.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { listLaterMigrations } from '../support/later-migrations.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { createTestUser } from '../support/test-samples.ts';

const window = { from: Date.parse('2026-02-27'), to: Date.parse('2026-02-28') };
const backfillUntil = Date.parse('2026-01-01');
const steps = 'steps' as MetricId;
const NOW = new Date('2026-03-01T12:00:00Z');

/** One task of each kind. */
const TASKS: { readonly [Kind in SyncAction['kind']]: Extract<SyncAction, { kind: Kind }> } = {
  window: {
    kind: 'window',
    resource: 'sleep',
    window,
    backfillUntil,
    cursor: 'page-2',
    reconciles: { ...window, of: [steps] },
  },
  one: { kind: 'one', resource: 'sleep', id: 'document' },
  request: {
    kind: 'request',
    resource: 'epochs',
    request: { origin: 'api', method: 'GET', path: '/epochs?x=1', as: 'person' },
  },
  pushed: { kind: 'pushed', resource: 'dailies', packed: Buffer.from('28b52ffd', 'hex') },
  deleted: { kind: 'deleted', resource: 'workout', id: 'gone' },
  history: { kind: 'history', resource: 'dailies', window, backfillUntil },
  arrival: { kind: 'arrival', backfillUntil, requestedAt: window.to },
  check: { kind: 'check' },
  subscribe: { kind: 'subscribe' },
};
const DATED: Changes = {
  metrics: new Set(['heart_rate' as MetricId, steps]),
  days: [{ from: '2026-02-27' as LocalDate, to: '2026-03-01' as LocalDate }],
  rescoreRanges: [{ from: '2026-03-02' as LocalDate, to: '2026-03-05' as LocalDate }],
  hasDeletions: true,
};
const UNDATED: Changes = { metrics: new Set(), days: [], rescoreRanges: [], hasDeletions: false };

describe('a database that is upgraded during a sync', () => {
  it('keeps the tasks and the pending changes of a device, and accepts new ones', async (t) => {
    const db = await openTestDatabase(t);
    const user = await createTestUser(db);
    const [dated, undated] = [randomUUID() as DeviceId, randomUUID() as DeviceId];
    const device = { userId: user.userId, deviceId: dated };
    await insertSyncedDevice(db, device);
    await db.transaction(async (tx) => {
      const tasks = Object.values(TASKS).map((action) => ({ action, urgency: 1, dedupeKey: action.kind }) as const);
      await addTasks(tx, device, tasks, NOW);
      await addChange(tx, user, dated, DATED);
      await addChange(tx, user, undated, UNDATED);
    });
    await db.query('update sync_tasks set step = 3, attempts = 2');

    assert.equal((await migrate(db, listLaterMigrations())).length, 1);

    const kept = await nextTasks(db, device, { now: NOW, canRequest: true, limit: 100 });
    assert.deepEqual(Object.fromEntries(kept.map(({ action: task }) => [task.kind, task])), TASKS);
    for (const { step, attempts, createdAt } of kept) assert.deepEqual([step, attempts, createdAt], [3, 2, NOW]);
    await db.transaction(async (tx) => {
      assert.deepEqual(await takeChanges(tx, user, dated), DATED);
      assert.deepEqual(await takeChanges(tx, user, undated), UNDATED);
      await addChange(tx, user, dated, DATED);
      assert.deepEqual(await takeChanges(tx, user, dated), DATED);
      await addTasks(tx, device, [{ action: TASKS.check, urgency: 0, dedupeKey: null }], NOW);
    });
    assert.equal((await db.query('select 1 from sync_tasks')).length, kept.length + 1);
    await assert.rejects(db.query(`update sync_tasks set kind = 'departure'`), /sync_tasks_kind_check/);
  });
});

async function insertSyncedDevice(db: Database, { userId, deviceId }: DeviceKey): Promise<void> {
  await db.query(
    `insert into synced_devices (user_id, device_id, account_id, environment, provider, app_id, due_at)
     select id, $2, account_id, environment, 'oura', 'app', $3 from users where id = $1`,
    [userId, deviceId, NOW],
  );
}
