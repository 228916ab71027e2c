// A wheelchair user, as the connector reads the watch: pushes, and neither steps nor runs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import * as lived from '../../../test/support/lived-days.ts';
import { backfill, dailyOf, samplesOf, startGarmin } from '../../../test/support/simulated-garmin.ts';
import { addDays } from '../../domain/time/calendar.ts';

const NAME = findAthlete();

describe('a watch in wheelchair mode', async () => {
  const { started, take, ask, month } = await startGarmin({ decision: 'allow', account: NAME });
  const yesterday = addDays(lived.todayAt(started.clock.now()), -1);
  for (const kind of ['dailies', 'epochs', 'activityDetails'])
    assert.equal(backfill.readAnswer(await ask(kind, month())), 'accepted', kind);
  const taken = await take();
  const moves = lived.sumOfSeries(lived.seenOn('watch', NAME, yesterday), 'steps');

  it('reports pushes and their distance, and no steps', () => {
    assert.ok(moves > 0);
    assert.equal(dailyOf(taken, 'wheelchair_pushes', yesterday), moves);
    assert.ok((dailyOf(taken, 'wheelchair_distance', yesterday) ?? 0) > 0);
    assert.equal(dailyOf(taken, 'steps', yesterday), 0);
  });

  it('reports quarter hours that add up to the day', () => {
    const { start, end } = lived.simulatedZone.dayOf(yesterday);
    const pushes = samplesOf(taken, 'epochs', 'wheelchair_pushes').filter(
      (one) => one.start >= start && one.start < end,
    );
    assert.equal(
      pushes.reduce((sum, { value }) => sum + value, 0),
      moves,
    );
  });

  it('reports wheelchair workouts instead of runs', () => {
    const workouts = taken.flatMap(({ records }) => records.workouts);
    const pushed = workouts.filter(({ sportType }) => sportType === 'wheelchair_run');
    assert.ok(pushed.length > 2);
    assertEvery(pushed, ({ steps, distanceKm }) => steps === null && (distanceKm ?? 0) > 0);
    assert.equal(workouts.filter(({ sportType }) => sportType === 'running').length, 0);
    assert.equal(samplesOf(taken, 'activityDetails', 'running_speed').length, 0);
  });
});

function findAthlete(): string {
  for (let index = 0; index < 200; index++)
    if (Object.values(lived.personOf(`wheelchair-${index}`).sports).includes('running')) return `wheelchair-${index}`;
  return assert.fail('there are no runs');
}
