// Queueing and gathering agree: a session queues exactly the days whose inputs it is read for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { EpochMs } from '../records/records.ts';
import { sleepDate } from '../sleep/index.ts';
import type { LocalDate } from '../time/calendar.ts';
import { createZone } from '../time/day.ts';
import { DAY_MS, MINUTE_MS } from '../time/durations.ts';
import { workoutDate } from '../workouts/index.ts';
import { datesOfReaching, listReachedDays, reachesDay, SLEEP_REACH, WORKOUT_REACH } from './session-reach.ts';

/** Around daylight saving changes, and around the date that one time zone skipped. */
const MOMENTS = ['2026-03-29T00:00:00Z', '2025-10-26T00:00:00Z', '2011-12-30T10:00:00Z'].map((text) =>
  Date.parse(text),
);
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia'];
const KINDS = [
  { name: 'sleep', reach: SLEEP_REACH, dateOf: sleepDate, maxMs: DAY_MS },
  { name: 'workouts', reach: WORKOUT_REACH, dateOf: workoutDate, maxMs: 7 * DAY_MS },
] as const;

const NONE = { sleep: [], workouts: [] };
const at = (text: string) => Date.parse(text);

describe('listReachedDays', () => {
  it('returns the days of the evening and the morning of a night', () => {
    const sleep = [{ start: at('2026-03-19T22:30:00Z'), end: at('2026-03-20T06:00:00Z') }];
    assert.deepEqual(listReachedDays(createZone('UTC'), { ...NONE, sleep }), [
      { from: '2026-03-19', to: '2026-03-20' },
    ]);
    assert.deepEqual(listReachedDays(createZone('Asia/Tokyo'), { ...NONE, sleep }), [
      { from: '2026-03-20', to: '2026-03-20' },
    ]);
  });

  it('includes the day after a workout that ends shortly before midnight', () => {
    const workouts = [{ start: at('2026-03-19T22:30:00Z'), end: at('2026-03-19T23:45:00Z') }];
    assert.deepEqual(listReachedDays(createZone('UTC'), { ...NONE, workouts }), [
      { from: '2026-03-19', to: '2026-03-20' },
    ]);
  });

  it('includes the day after the longest workout, even across a date that a time zone skipped', () => {
    const zone = createZone('Pacific/Apia');
    const start = at('2011-12-30T09:59:00Z'); // 23:59 of the 29th; the 30th was skipped
    const workout = { start, end: start + 7 * DAY_MS };
    const reached = listReachedDays(zone, { ...NONE, workouts: [workout] });
    assert.deepEqual(reached, [
      { from: '2011-12-29', to: '2011-12-29' },
      { from: '2011-12-31', to: '2012-01-07' },
    ]);
    const last = '2012-01-07' as LocalDate;
    assert.ok(datesOfReaching(WORKOUT_REACH, { from: last, to: last }).includes('2011-12-29' as LocalDate));
  });

  it('returns exactly the days whose inputs the session is read for', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KINDS),
        fc.constantFrom(...ZONES),
        fc.constantFrom(...MOMENTS),
        fc.integer({ min: -2 * 1_440, max: 2 * 1_440 }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        ({ name, reach, dateOf, maxMs }, zoneName, nearMs, minutes, part) => {
          const zone = createZone(zoneName);
          const start = nearMs + minutes * MINUTE_MS;
          const session = { start, end: start + Math.ceil((part * maxMs) / MINUTE_MS) * MINUTE_MS };
          const reached = listReachedDays(zone, { ...NONE, [name]: [session] });
          const isReached = (date: LocalDate) => reached.some(({ from, to }) => from <= date && date <= to);
          const own = dateOf({ start: session.start as EpochMs, end: session.end as EpochMs }, zone);
          const days = Array.from({ length: 14 }, (_, index) => zone.dayAt(start + (index - 3) * DAY_MS));
          for (const day of days) {
            const isRead = datesOfReaching(reach, { from: day.date, to: day.date }).includes(own);
            assert.equal(isReached(day.date), isRead && reachesDay(reach, session, day), `${day.date} of ${own}`);
          }
          assert.ok(reached.length > 0);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
