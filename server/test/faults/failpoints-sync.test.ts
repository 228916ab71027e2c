// The connection to the database is lost at every statement and commit of a sync run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { claimDevices } from '../../src/features/clouds/sync/device-store.ts';
import { runDevice } from '../../src/features/clouds/sync/schedule/run-device.ts';
import { addTasks } from '../../src/features/clouds/sync/store.ts';
import { URGENCY } from '../../src/features/clouds/sync/sync-task.ts';
import type { Services } from '../../src/platform/services.ts';
import { CLOUD_PROVIDERS } from '../../src/providers/registry.ts';
import { failEverywhere } from '../support/failpoints.ts';
import { readStoredRows } from '../support/stored-rows.ts';
import type { CloudRequest } from '../support/stub-cloud.ts';
import { type Connected, openTestCloud, type TestCloud } from '../support/test-cloud.ts';

const ACTIVITY = 'daily_activity';
const DELETED_DAY = '2026-02-24';
const CHANGED_DAY = '2026-02-25';

/** A reconcile window in which a day was changed and another deleted, then a poll: each is committed by itself. */
describe('a sync run that loses its database', () => {
  it('commits each fetched page once', async (t) => {
    const cloud = await openTestCloud(t, { TRIBUTARY_BACKFILL_DAYS: '10' });
    await failEverywhere(t, {
      db: cloud.services.db,
      atLeast: { statements: 50, commits: 4 },
      prepare: () => connectAndChange(cloud),
      async run({ user }, db) {
        // As if the time of an earlier claim had passed.
        await cloud.query('update synced_devices set claimed_until = null where user_id = $1', [user.userId]);
        await runDue({ ...cloud.services, db });
      },
      read: (connected) => readUser(cloud, connected),
    });
  });
});

/**
 * Without claims and the log, which has a row per run. A run that fails emits the changes of its committed pages by itself, so that their number depends on the failure;
 * together, emitted or not, they name the same metrics and days.
 */
async function readUser({ services, query }: TestCloud, { user: { userId } }: Connected): Promise<object> {
  const { synced_devices, sync_log, event_outbox, pending_changes, scoring_queue, users, ...rows } =
    await readStoredRows(services.db, [userId], { ignoresTimes: true });
  const [changes] = await query(
    `select (select array_agg(distinct metric order by metric) from (
               select unnest(metrics) as metric from event_outbox where user_id = $1
               union select unnest(metrics) from pending_changes where user_id = $1) m) as metrics,
            (select range_agg(days)::text from (
               select daterange(from_date, to_date, '[]') as days from event_outbox where user_id = $1 and from_date is not null
               union all select unnest(days) from pending_changes where user_id = $1) d) as reported,
            (select range_agg(days)::text from (
               select unnest(days) as days from scoring_queue where user_id = $1
               union all select unnest(days + rescore_ranges) from pending_changes where user_id = $1) s) as rescored`,
    [userId],
  );
  return { rows, changes };
}

/** An account whose history is fetched, with changes that are not. */
async function connectAndChange(cloud: TestCloud): Promise<Connected> {
  answerActivity(cloud, (day) => Number(day.slice(8)) * 100);
  const connected = await cloud.connect('oura', { tokens: { scopes: ['daily'] } });
  const { userId } = connected.user;
  const others = CLOUD_PROVIDERS.find(({ id }) => id === 'oura')?.resources.map(({ name }) => name) ?? [];
  assert.ok(others.includes(ACTIVITY));
  await cloud.query('update synced_devices set next_poll_at = null, skipped_resources = $2 where user_id = $1', [
    userId,
    others.filter((name) => name !== ACTIVITY),
  ]);
  await cloud.query('delete from sync_tasks where user_id = $1 and resource is distinct from $2', [userId, ACTIVITY]);
  await runDue(cloud.services);
  for (const table of ['event_outbox', 'scoring_queue'])
    await cloud.query(`delete from ${table} where user_id = $1`, [userId]);
  answerActivity(cloud, (day) => (day === DELETED_DAY ? null : day === CHANGED_DAY ? 1 : Number(day.slice(8)) * 100));
  const now = cloud.clock.now();
  const window = { from: now.getTime() - 7 * DAY_MS, to: now.getTime() - 2 * DAY_MS };
  const reconciles = { of: ['steps' as MetricId], ...window };
  const action = { kind: 'window', resource: ACTIVITY, window, backfillUntil: null, cursor: null, reconciles } as const;
  await cloud.services.db.transaction((tx) =>
    addTasks(
      tx,
      { userId, deviceId: connected.device.id },
      [{ action, urgency: URGENCY.webhook, dedupeKey: null }],
      now,
    ),
  );
  await cloud.query('update synced_devices set next_poll_at = $2, polled_to = $3 where user_id = $1', [
    userId,
    now,
    new Date(now.getTime() - DAY_MS),
  ]);
  return connected;
}

async function runDue(services: Services): Promise<void> {
  for (;;) {
    const now = services.clock.now();
    const until = new Date(now.getTime() + MINUTE_MS);
    const devices = await claimDevices(services.db, { provider: 'oura', now, until, limit: 10 }, true);
    if (devices.length === 0) return;
    for (const device of devices) await runDevice(services, device);
  }
}

/** Pages of three days. */
function answerActivity({ stub }: TestCloud, stepsOf: (day: string) => number | null): void {
  stub.answer('/oura/v2/usercollection', { json: { data: [], next_token: null } });
  stub.answer(`/oura/v2/usercollection/${ACTIVITY}`, ({ query }: CloudRequest) => {
    const fromMs = Date.parse(query.get('start_date') ?? '');
    const count = (Date.parse(query.get('end_date') ?? '') - fromMs) / DAY_MS;
    const days = Array.from({ length: count }, (_, index) => {
      const day = new Date(fromMs + index * DAY_MS).toISOString().slice(0, 10);
      return { id: day, day, steps: stepsOf(day) };
    }).filter(({ steps }) => steps !== null);
    const first = Number(query.get('next_token') ?? 0);
    const next = first + 3 < days.length ? String(first + 3) : null;
    return { json: { data: days.slice(first, first + 3), next_token: next } };
  });
}
