// A deployment that was syncing when it was updated goes on: what it had gathered and had to do is there after the migrations.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { DeviceId, UserId } from '../../src/domain/tenancy.ts';
import { takeChanges } from '../../src/features/clouds/sync/commit/store.ts';
import type { ErrandTask } from '../../src/features/clouds/sync/errand.ts';
import { nextErrands } from '../../src/features/clouds/sync/store.ts';
import type { Queryable } from '../../src/platform/db/database.ts';
import { loadMigrations, migrate } from '../../src/platform/db/migrate.ts';
import { openEmptyDatabase } from '../support/test-database.ts';
import { openSubject } from '../support/test-samples.ts';

const OLD_VERSION = 12;
const START = Date.parse('2026-02-27');
const END = Date.parse('2026-02-28');
const FAR = Date.parse('2026-01-01');
const NOW = new Date('2026-03-01T12:00:00Z');
const packed = Buffer.from('28b52ffd', 'hex');
const request = { origin: 'api', method: 'GET', path: '/told?x=1' } as const;
const clears = { from: START, to: END, of: ['steps'] };

type OldErrand = {
  readonly resource?: string;
  readonly window?: boolean;
  readonly walksTo?: number;
  readonly cursor?: string;
  readonly details?: object;
  readonly body?: Buffer;
};
type OldKind = Exclude<ErrandTask['kind'], 'arrival'>;

/** One of each kind that there was, as its columns were written then. */
const OLD_ERRANDS: Readonly<Record<OldKind, OldErrand>> = {
  window: { resource: 'sleep', window: true, walksTo: FAR, cursor: 'page-2', details: clears },
  one: { resource: 'sleep', details: { id: 'document' } },
  request: { resource: 'epochs', details: request },
  pushed: { resource: 'dailies', body: packed },
  deleted: { resource: 'workout', details: { id: 'gone' } },
  history: { resource: 'dailies', window: true, walksTo: FAR },
  check: {},
  subscribe: {},
};
const READ_NOW: Readonly<Record<OldKind, object>> = {
  window: { resource: 'sleep', window: { from: START, to: END }, walksTo: FAR, cursor: 'page-2', clears },
  one: { resource: 'sleep', id: 'document' },
  request: { resource: 'epochs', request },
  pushed: { resource: 'dailies', packed },
  deleted: { resource: 'workout', id: 'gone' },
  history: { resource: 'dailies', window: { from: START, to: END }, walksTo: FAR },
  check: {},
  subscribe: {},
};

async function insertUser(db: Queryable): Promise<UserId> {
  const [account, user] = [randomUUID(), randomUUID()];
  await db.query(`insert into accounts (id, name, default_form) values ($1, 'before', 1)`, [account]);
  await db.query(
    `insert into users (id, account_id, environment, reference_id, score_status, created_at)
     values ($1, $2, 'live', 'ann', 'calibrating', $3)`,
    [user, account, NOW],
  );
  await db.query('insert into user_zones (user_id, zone) values ($1, null)', [user]);
  return user as UserId;
}

async function insertErrand(db: Queryable, userId: UserId, deviceId: DeviceId, kind: string, errand: OldErrand) {
  const { resource, window, walksTo, cursor, details, body } = errand;
  const toDate = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));
  await db.query(
    `insert into sync_errands (user_id, id, device_id, kind, urgency, resource, window_from, window_to, walks_to, cursor, details, body,
       sameness, step, attempts, due_at, created_at)
     values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10, $11, $4, 3, 2, $12, $12)`,
    [
      userId,
      randomUUID(),
      deviceId,
      kind,
      resource ?? null,
      toDate(window ? START : undefined),
      toDate(window ? END : undefined),
      toDate(walksTo),
      cursor ?? null,
      details === undefined ? null : JSON.stringify(details),
      body ?? null,
      NOW,
    ],
  );
}

async function insertChange(
  db: Queryable,
  userId: UserId,
  metrics: string[],
  dates: readonly [string, string] | null,
): Promise<DeviceId> {
  const deviceId = randomUUID() as DeviceId;
  await db.query('insert into gathered_changes values ($1, $2, $3, $4, $5, $6)', [
    userId,
    deviceId,
    metrics,
    dates?.[0] ?? null,
    dates?.[1] ?? null,
    dates !== null,
  ]);
  return deviceId;
}

describe('a database of before gathered days', () => {
  it('keeps what was gathered and what was to do, and takes what there is to do now', async (t) => {
    const db = await openEmptyDatabase(t);
    const migrations = loadMigrations();
    await migrate(db, migrations.slice(0, OLD_VERSION));
    const userId = await insertUser(db);
    const dated = await insertChange(db, userId, ['heart_rate', 'steps'], ['2026-02-27', '2026-03-01']);
    const undated = await insertChange(db, userId, [], null);
    for (const [kind, errand] of Object.entries(OLD_ERRANDS)) await insertErrand(db, userId, dated, kind, errand);
    await assert.rejects(insertErrand(db, userId, dated, 'arrival', {}), /sync_errands_kind_check/);

    assert.equal((await migrate(db, migrations)).length, migrations.length - OLD_VERSION);

    const errands = await nextErrands(db, { userId, deviceId: dated }, { now: NOW, canAsk: true, limit: 100 });
    assert.deepEqual(Object.fromEntries(errands.map(({ task: { kind, ...rest } }) => [kind, rest])), READ_NOW);
    for (const { step, attempts, createdAt } of errands) assert.deepEqual([step, attempts, createdAt], [3, 2, NOW]);
    await insertErrand(db, userId, dated, 'arrival', { walksTo: FAR, details: { askedAt: END } });
    await assert.rejects(insertErrand(db, userId, dated, 'departure', {}), /sync_errands_kind_check/);

    const rows = await db.query<{ days: string; anew: string }>(
      `select days::text as days, measured_anew::text as anew from gathered_changes order by isempty(days), device_id`,
    );
    assert.deepEqual(rows, [
      { days: '{[2026-02-27,2026-03-02)}', anew: '{}' },
      { days: '{}', anew: '{}' },
    ]);
    const user = await openSubject(db, userId);
    await db.transaction(async (tx) => {
      assert.deepEqual(await takeChanges(tx, user, dated), {
        metrics: new Set(['heart_rate', 'steps']),
        days: [{ from: '2026-02-27', to: '2026-03-01' }],
        measuredAnew: [],
        hasDeletions: true,
      });
      assert.deepEqual(await takeChanges(tx, user, undated), {
        metrics: new Set(),
        days: [],
        measuredAnew: [],
        hasDeletions: false,
      });
    });
  });
});
