import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findHealthConnectSport,
  findHealthKitSport,
  findSport,
  getSportOrOther,
  SPORT_FAMILIES,
  SPORTS,
} from './sports.ts';

describe('kinds of sport', () => {
  it('are 105, each with a type and a name of its own, and every family is used', () => {
    assert.equal(SPORTS.length, 105);
    assert.equal(new Set(SPORTS.map(({ type }) => type)).size, 105);
    assert.equal(new Set(SPORTS.map(({ displayName }) => displayName)).size, 105);
    assert.deepEqual(new Set(SPORTS.map(({ family }) => family)), new Set(SPORT_FAMILIES));
  });

  it('84 names of HealthKit and 83 of Health Connect, each once', () => {
    const healthKit = SPORTS.flatMap((sport) => sport.healthKit);
    const healthConnect = SPORTS.flatMap((sport) => sport.healthConnect);
    assert.deepEqual([healthKit.length, new Set(healthKit).size], [84, 84]);
    assert.deepEqual([healthConnect.length, new Set(healthConnect).size], [83, 83]);
  });

  it('are found by the names of the platforms', () => {
    assert.equal(findHealthKitSport('functionalStrengthTraining')?.type, 'strength_training');
    assert.equal(findHealthConnectSport('EXERCISE_TYPE_RUNNING_TREADMILL')?.type, 'treadmill_running');
    assert.equal(findHealthConnectSport('BIKING')?.type, 'cycling');
    assert.equal(findHealthKitSport('quidditch'), null);
  });

  it('unknown input is other', () => {
    assert.equal(findSport('quidditch'), null);
    assert.equal(getSportOrOther('quidditch').type, 'other');
    assert.equal(getSportOrOther('constructor').type, 'other');
  });
});
