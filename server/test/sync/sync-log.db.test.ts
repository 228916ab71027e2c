// The log of syncs: a row per run that stored something or failed; runs without news share one.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/time/durations.ts';
import { disconnectDevice } from '../../src/features/clouds/connections/disconnect-device.ts';
import { tidySyncJob } from '../../src/features/clouds/sync/index.ts';
import { listSyncLog, logRun } from '../../src/features/clouds/sync/log-store.ts';
import { createRunReport } from '../../src/features/clouds/sync/run-report.ts';
import type { AccountCaller } from '../../src/platform/http/caller.ts';
import { type Connected, openTestCloud } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '3' });
const { stub, clock, services } = cloud;
const COLLECTIONS = '/oura/v2/usercollection';
const EMPTY = { json: { data: [], next_token: null } };
const STEPS = { json: { data: [{ id: 'a', day: '2026-03-01', steps: 4_321 }], next_token: null } };

beforeEach(async () => {
  for (const table of ['sync_tasks', 'synced_devices', 'provider_budgets']) await cloud.query(`delete from ${table}`);
  stub.answer(COLLECTIONS, EMPTY);
  for (const name of ['sleep', 'daily_activity', 'workout', 'heartrate']) stub.answer(`${COLLECTIONS}/${name}`, EMPTY);
});

const logOf = ({ user }: Connected) => listSyncLog(services.db, user, { before: null, limit: 600 });
const connect = async () => {
  const connected = await cloud.connect('oura');
  await cloud.query(`delete from sync_tasks where kind = 'subscribe'`);
  return connected;
};

describe('the sync log', () => {
  it('has the records, metrics and days of a run', async () => {
    const connected = await connect();
    stub.answer(`${COLLECTIONS}/daily_activity`, STEPS);
    await cloud.runDue();
    const changed = (await logOf(connected)).filter(({ outcome }) => outcome === 'changed');
    assert.equal(changed.length, 1);
    const [entry] = changed;
    assert.deepEqual([entry?.kind, entry?.deviceId, entry?.records], ['backfill', connected.device.id, 1]);
    assert.ok(entry?.metrics.includes('steps'));
    assert.deepEqual(entry?.days, { from: '2026-03-01', to: '2026-03-01' });
  });

  it('counts polls that find nothing new in one entry', async () => {
    const connected = await connect();
    await cloud.runDue();
    for (let hours = 0; hours < 48; hours += 6) {
      clock.advance(6 * HOUR_MS);
      await cloud.runDue();
    }
    const polls = (await logOf(connected)).filter(({ kind }) => kind === 'poll');
    assert.equal(polls.length, 1);
    assert.equal(polls[0]?.outcome, 'unchanged');
    assert.ok((polls[0]?.runs ?? 0) > 2, `${polls[0]?.runs} runs`);
    assert.equal(polls[0]?.at.getTime(), clock.now().getTime());
  });

  it('has status, resource and next attempt of a failure', async () => {
    const connected = await connect();
    stub.answer(COLLECTIONS, { status: 503 });
    for (const name of ['sleep', 'daily_activity', 'workout', 'heartrate'])
      stub.answer(`${COLLECTIONS}/${name}`, { status: 503 });
    await cloud.runDue();
    const [entry] = await logOf(connected);
    assert.deepEqual([entry?.outcome, entry?.httpStatus, entry?.records], ['unavailable', 503, 0]);
    assert.ok(entry?.cause && entry.retryAt && entry.retryAt > clock.now());
  });

  it('distinguishes a rate limit of the provider', async () => {
    const connected = await connect();
    for (const path of [COLLECTIONS, ...['sleep', 'daily_activity', 'workout'].map((name) => `${COLLECTIONS}/${name}`)])
      stub.answer(path, { status: 429, headers: { 'retry-after': '600' } });
    await cloud.runDue();
    const [entry] = await logOf(connected);
    assert.deepEqual([entry?.outcome, entry?.httpStatus], ['rate_limited', 429]);
  });

  it('keeps 500 entries per device and 30 days', async () => {
    const connected = await connect();
    const key = { userId: connected.user.userId, deviceId: connected.device.id };
    const report = { ...createRunReport(), urgency: 1 as const, records: 1 };
    await services.db.transaction(async (tx) => {
      for (let count = 0; count < 510; count += 1) await logRun(tx, key, report, { at: clock.now(), durationMs: 1 });
    });
    assert.equal((await logOf(connected)).length, 500);
    clock.advance(31 * DAY_MS);
    await tidySyncJob.run(services, {});
    assert.equal((await logOf(connected)).length, 0);
  });

  it('goes with its device', async () => {
    const connected = await connect();
    stub.answer(`${COLLECTIONS}/daily_activity`, STEPS);
    await cloud.runDue();
    assert.ok((await logOf(connected)).length > 0);
    const caller = { kind: 'api_key', tenant: connected.user.tenant } as AccountCaller;
    await disconnectDevice({ services, caller }, { userId: connected.user.userId, deviceId: connected.device.id });
    assert.deepEqual(await logOf(connected), []);
  });
});
