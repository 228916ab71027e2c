import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSport, getSportOrOther, matchSport, SPORT_FAMILIES, SPORTS, type Sport } from './sports.ts';

describe('kinds of sport', () => {
  it('are 105, each with a unique type and name, and every family is used', () => {
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

  it('are found by their type and by every platform name, in every spelling', () => {
    let checked = 0;
    const check = (spelling: string, { type }: Sport) => {
      checked += 1;
      assert.equal(matchSport(spelling)?.type, type, spelling);
    };
    for (const sport of SPORTS) {
      for (const name of [sport.type, sport.type.toUpperCase(), sport.type.replaceAll('_', ' '), ` ${sport.type} `])
        check(name, sport);
      for (const name of sport.healthKit) {
        const pascal = name.charAt(0).toUpperCase() + name.slice(1);
        const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        for (const spelling of [name, pascal, snake, snake.toUpperCase()]) check(spelling, sport);
        for (const prefix of ['HKWorkoutActivityType', 'HKWorkoutActivityType.', 'hkworkoutactivitytype'])
          for (const spelling of [name, pascal]) check(prefix + spelling, sport);
      }
      for (const name of sport.healthConnect) {
        for (const prefix of ['', 'EXERCISE_TYPE_', 'ExerciseSessionRecord.EXERCISE_TYPE_'])
          for (const spelling of [prefix + name, (prefix + name).toLowerCase()]) check(spelling, sport);
        check(
          name.toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase()),
          sport,
        );
      }
    }
    assert.equal(checked, 4 * 105 + 10 * 84 + 7 * 83);
  });

  it('are not found by unknown names', () => {
    for (const name of ['quidditch', '', ' ', '_', '-', 'HKWorkoutActivityType', 'EXERCISE_TYPE_', 'constructor', '37'])
      assert.equal(matchSport(name), null, name);
  });

  it('unknown input is other', () => {
    assert.equal(findSport('quidditch'), null);
    assert.equal(getSportOrOther('quidditch').type, 'other');
    assert.equal(getSportOrOther('constructor').type, 'other');
  });
});
