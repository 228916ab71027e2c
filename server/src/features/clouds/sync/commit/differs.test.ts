import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EpochMs, Workout } from '../../../../domain/records/records.ts';
import { makeWorkout } from '../../../../providers/make-sessions.ts';
import { differs } from './differs.ts';

const stored: Workout = makeWorkout({
  key: '1',
  sportType: 'running',
  name: 'Morning run',
  start: 0 as EpochMs,
  end: 1_800_000 as EpochMs,
  offsetMinutes: 0,
  durationMinutes: 29,
  distanceKm: 5.0123,
  activeCalories: 300,
  method: 'active',
});

describe('a workout of a list differs from the stored one', () => {
  it('if its times, name, sport or a number is another', () => {
    assert.equal(differs(stored, stored), false);
    const changes: readonly Partial<Workout>[] = [
      { end: 900_000 as EpochMs },
      { name: 'Race' },
      { sportType: 'trail_running' },
      { distanceKm: 5.2 },
      { durationMinutes: 28 },
    ];
    for (const change of changes) assert.equal(differs({ ...stored, ...change }, stored), true, JSON.stringify(change));
    assert.equal(differs({ ...stored, distanceKm: 5 }, { ...stored, distanceKm: null }), true);
  });

  it('not if the list says less, or rounds', () => {
    const less = { name: null, sportType: 'other', distanceKm: 5.012, durationMinutes: null, activeCalories: null };
    assert.equal(differs({ ...stored, ...less }, stored), false);
  });
});
