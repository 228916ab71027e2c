import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mapSport, nameWorkout, sportTable } from './map-sport.ts';

const TABLE = sportTable({ running: 'JOG SPRINT', other: 'MISC' });

describe("a provider's word for a sport", () => {
  it('is found in its table, otherwise among our types and platform names', () => {
    const words = ['JOG', 'TRAIL_RUNNING', 'traditionalStrengthTraining', 'BIKING', 'MISC', 'UNHEARD_OF', null];
    assert.deepEqual(
      words.map((word) => mapSport(TABLE, word)),
      ['running', 'trail_running', 'strength_training', 'cycling', 'other', 'other', 'other'],
    );
  });

  it('becomes the name of the workout if the sport is unknown and the workout has no name', () => {
    assert.equal(nameWorkout(TABLE, 'UNHEARD_OF', null), 'UNHEARD_OF');
    assert.equal(nameWorkout(TABLE, 'UNHEARD_OF', 'Evening'), 'Evening');
    for (const word of ['JOG', 'MISC', 'cycling', null]) assert.equal(nameWorkout(TABLE, word, null), null);
  });
});
