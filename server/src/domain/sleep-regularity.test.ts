import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SleepSpan } from './scores/index.ts';
import { findSleepRegularity } from './sleep-regularity.ts';

/** 23:00 to 07:00. */
const NIGHT: SleepSpan = [-60, 420];
const nights = (count: number, night: readonly SleepSpan[] | null = [NIGHT]) =>
  Array.from({ length: count }, () => night);
const indexOf = (dates: readonly (readonly SleepSpan[] | null)[]) => findSleepRegularity(dates)?.index ?? Number.NaN;
/** `minutes`: that differ, in all pairs together. */
const assertDiffers = (dates: readonly (readonly SleepSpan[] | null)[], pairs: number, minutes: number) =>
  assert.equal(indexOf(dates).toFixed(9), (100 - (200 * minutes) / (pairs * 1_440)).toFixed(9));

describe('sleep regularity index', () => {
  it('is 100 for the same nights, over a week or more', () => {
    assert.deepEqual(findSleepRegularity(nights(7)), { index: 100, pairs: 6 });
    assert.deepEqual(findSleepRegularity(nights(40)), { index: 100, pairs: 13 });
    assert.equal(findSleepRegularity(nights(6)), null);
    assert.equal(findSleepRegularity([]), null);
  });

  it('falls by the minutes that differ, in both pairs of an odd night', () => {
    // 01:00 to 09:00: two hours awake instead of asleep, and two the other way round.
    const late: SleepSpan[] = [[60, 540]];
    assertDiffers([...nights(3), late, ...nights(3)], 6, 2 * 240);
    assert.equal(indexOf([...nights(3), late, ...nights(3)]).toFixed(1), '88.9');
    // The latest night is part of one pair only.
    assertDiffers([late, ...nights(6)], 6, 240);
    assert.equal(indexOf([late, ...nights(6)]).toFixed(1), '94.4');
  });

  it('is -100 where every state is the opposite of the day before', () => {
    const [dark, light]: SleepSpan[][] = [[[-720, 0]], [[0, 720]]];
    const turned = Array.from({ length: 14 }, (_, day) => (day % 2 === 0 ? dark : light) ?? []);
    assert.equal(indexOf(turned), -100);
  });

  it('counts naps as sleep, those of the afternoon in the day that begins at noon', () => {
    const napped: SleepSpan[] = [NIGHT, [840, 900]];
    assertDiffers([...nights(3), napped, ...nights(4)], 7, 2 * 60);
    // The nap of the last date is after its noon; before the first noon no nap is known.
    assertDiffers(nights(8, napped), 7, 60);
    assertDiffers([napped, ...nights(7)], 7, 0);
  });

  it('does not take a night that is not known for a night awake', () => {
    const gap = [...nights(4), null, ...nights(4)];
    assert.deepEqual(findSleepRegularity(gap), { index: 100, pairs: 6 });
    assert.equal(findSleepRegularity([...nights(4), null, ...nights(3)]), null, 'five pairs');
    const alternating = Array.from({ length: 15 }, (_, day) => (day % 2 === 0 ? [NIGHT] : null));
    assert.equal(findSleepRegularity(alternating), null);
  });

  it('counts overlapping sleeps once', () => {
    const doubled: SleepSpan[] = [NIGHT, [-60, 200], [100, 420]];
    assert.equal(indexOf([...nights(3), doubled, ...nights(4)]), 100);
  });
});
