import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workoutAt } from '../../../test/support/test-sessions.ts';
import { checkWorkouts } from './check-sessions.ts';
import type { Refusals } from './refusals.ts';

const START = Date.parse('2026-03-02T17:00:00Z');
const END = START + 30 * 60_000;

describe('zones of a provider', () => {
  const check = (minutes: readonly number[]) => {
    const refusals: Refusals = new Map();
    const workout = workoutAt(START, END, { distanceKm: 5, sourceZones: { minutes, isApproximate: false } });
    const [kept] = checkWorkouts([workout], END, refusals);
    return { kept, refusals: [...refusals] };
  };

  it('are kept where they fit into the workout, rounded as sources round', () => {
    for (const minutes of [
      [0, 0, 0, 0, 0],
      [6, 6, 6, 6, 6.5],
    ]) {
      const { kept, refusals } = check(minutes);
      assert.deepEqual([kept?.sourceZones?.minutes, refusals], [minutes, []]);
    }
  });

  it('are dropped whole, and the workout stays, where they cannot be', () => {
    for (const minutes of [
      [10, 10, 10, 10, 0],
      [-1, 2, 0, 0, 0],
      [1, 2, 3, 4],
    ]) {
      const { kept, refusals } = check(minutes);
      assert.deepEqual([kept?.sourceZones, kept?.distanceKm], [null, 5]);
      assert.deepEqual(refusals, [['workout out_of_range', 1]]);
    }
  });
});
