// Data that is fetched again unchanged: no event, no scoring, no new revision. If something changed, only its days are reported.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addDays } from '../../src/domain/time/calendar.ts';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import type { CloudProvider } from '../../src/providers/contract.ts';
import { CLOUD_PROVIDERS } from '../../src/providers/registry.ts';
import { todayAt } from '../support/lived-days.ts';
import { LIVED_UNTIL, openSimulatedClouds } from '../support/simulated-clouds.ts';
import type { Connected } from '../support/test-cloud.ts';
import { createKey } from '../support/test-users.ts';

const DAYS = 14;
const clouds = await openSimulatedClouds({ after }, { TRIBUTARY_BACKFILL_DAYS: String(DAYS) });
const { clock, lives } = clouds;
const TODAY = todayAt(LIVED_UNTIL);

type Reported = { type: string; metrics: string[]; from: string; to: string };

/** Everything that a change would move. */
async function readState({ user: { userId } }: Connected) {
  const events = await clouds.query<Reported>(
    `select type, metrics, from_date::text as "from", to_date::text as "to" from event_outbox where user_id = $1 order by seq`,
    [userId],
  );
  const revisions = await clouds.query('select data_revision from users where id = $1', [userId]);
  const marks = await clouds.query('select * from scoring_queue where user_id = $1', [userId]);
  return { events, revisions, marks };
}

/** Fetches everything that may still change. With `only`, the accounts of other providers wait. */
async function syncAgain(connected: readonly Connected[], only?: CloudProvider): Promise<void> {
  clock.advance(HOUR_MS);
  for (const { user, device } of connected) {
    const api = clouds.service.api(await createKey(clouds.service, user.tenant.accountId, 'live'));
    const requested = await api.post(`/v1/users/${user.userId}/devices/${device.id}/sync`);
    assert.equal(requested.status, 202, requested.text);
  }
  await clouds.settle(only);
  for (const { device } of connected) {
    const [synced] = await clouds.query<{ at: Date }>('select last_sync_at as at from devices where id = $1', [
      device.id,
    ]);
    assert.deepEqual(synced?.at, clock.now(), 'the days that a poll fetches again have no data');
  }
}

/** Not workouts alone. */
function isDaily({ hasSleep, hasWorkouts }: CloudProvider): boolean {
  return hasSleep || !hasWorkouts;
}

const accounts: Connected[] = [];

for (const provider of CLOUD_PROVIDERS) {
  describe(`an account of ${provider.displayName}`, () => {
    it('emits everything once, then nothing until a day changes, then that day', async () => {
      const connected = await clouds.connectAccount(provider, 'ann');
      accounts.push(connected);
      await clouds.settle(provider);
      clock.advance(HOUR_MS); // pushed history counts as complete after a pause
      await clouds.settle(provider);
      const whole = await readState(connected);
      assert.ok(whole.events.some(({ type }) => type === 'device.backfilled'));
      const reported = whole.events.filter(({ type }) => type === 'data.updated').map(({ from }) => from);
      // The clock has moved on with the accounts before this one. A week may begin without a workout.
      const latest = isDaily(provider) ? addDays(todayAt(clock.now()), 2 - DAYS) : addDays(TODAY, -1);
      assert.ok((reported.sort()[0] ?? TODAY) <= latest, `emitted from ${reported}`);

      await syncAgain([connected], provider);
      await syncAgain([connected], provider);
      assert.deepEqual(await readState(connected), whole, 'nothing has changed');

      if (!isDaily(provider)) return; // nobody has a workout every hour
      lives.advance(HOUR_MS);
      await syncAgain([connected], provider);
      const { events, revisions } = await readState(connected);
      const news = events.slice(whole.events.length);
      assert.ok(news.length > 0, 'today has changed');
      assert.notDeepEqual(revisions, whole.revisions);
      for (const { type, from, to, metrics } of news)
        assert.deepEqual([type, from, to], ['data.updated', TODAY, TODAY], metrics.join());
    });
  });
}

describe('the accounts of all providers', () => {
  it('emit nothing when all are fetched again unchanged', async () => {
    assert.equal(accounts.length, CLOUD_PROVIDERS.length);
    await syncAgain(accounts); // each has lived through the hours of those after it
    const whole = await Promise.all(accounts.map(readState));
    await syncAgain(accounts);
    assert.deepEqual(await Promise.all(accounts.map(readState)), whole);
  });
});
