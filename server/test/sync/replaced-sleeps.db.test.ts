// Sleeps without an id (Ultrahuman): a corrected bedtime replaces the night, and a nap stays beside it.
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { openTestCloud } from '../support/test-cloud.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '2' });
const seconds = (time: string) => Date.parse(time) / 1_000;

it('a corrected bedtime replaces the night', async () => {
  let bedtime = '2026-02-28T22:10:00Z';
  const nap = { bedtime_start: seconds('2026-03-01T11:00:00Z'), bedtime_end: seconds('2026-03-01T11:30:00Z') };
  cloud.stub.answer('/ultrahuman/api/partners/v1/user_data/metrics', ({ query }) => {
    const night = { bedtime_start: seconds(bedtime), bedtime_end: seconds('2026-03-01T06:00:00Z') };
    const sleeps = query.get('date') === '2026-03-01' ? [night, nap] : [];
    return { json: { data: { metric_data: sleeps.map((object) => ({ type: 'Sleep', object })) } } };
  });
  const { user } = await cloud.connect('ultrahuman');
  await cloud.runDue();
  const listStarts = async () => {
    const rows = await cloud.query<{ start_at: Date }>(
      'select start_at from sleep_sessions where user_id = $1 order by start_at',
      [user.userId],
    );
    return rows.map(({ start_at }) => start_at.toISOString());
  };
  assert.deepEqual(await listStarts(), ['2026-02-28T22:10:00.000Z', '2026-03-01T11:00:00.000Z']);
  bedtime = '2026-02-28T23:05:00Z';
  cloud.clock.advance(2 * HOUR_MS);
  await cloud.runDue();
  assert.deepEqual(await listStarts(), ['2026-02-28T23:05:00.000Z', '2026-03-01T11:00:00.000Z']);
});
