import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SleepInterval } from '../scores/index.ts';
import { findSleepRegularity } from './sleep-regularity.ts';

/** 23:00 to 07:00. */
const NIGHT: SleepInterval = [-60, 420];
const nights = (count: number, night: readonly SleepInterval[] | null = [NIGHT]) =>
  Array.from({ length: count }, () => night);
const indexOf = (dates: readonly (readonly SleepInterval[] | null)[]) =>
  findSleepRegularity(dates)?.index ?? Number.NaN;
/** `minutes`: minutes that differ, over all pairs. */
const assertDiffers = (dates: readonly (readonly SleepInterval[] | null)[], pairs: number, minutes: number) =>
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
    const late: SleepInterval[] = [[60, 540]];
    assertDiffers([...nights(3), late, ...nights(3)], 6, 2 * 240);
    assert.equal(indexOf([...nights(3), late, ...nights(3)]).toFixed(1), '88.9');
    // The latest night is part of one pair only.
    assertDiffers([late, ...nights(6)], 6, 240);
    assert.equal(indexOf([late, ...nights(6)]).toFixed(1), '94.4');
  });

  it('is -100 if every state is the opposite of the day before', () => {
    const [dark, light]: SleepInterval[][] = [[[-720, 0]], [[0, 720]]];
    const turned = Array.from({ length: 14 }, (_, day) => (day % 2 === 0 ? dark : light) ?? []);
    assert.equal(indexOf(turned), -100);
  });

  it('counts naps as sleep, afternoon naps in the day that begins at noon', () => {
    const napped: SleepInterval[] = [NIGHT, [840, 900]];
    assertDiffers([...nights(3), napped, ...nights(4)], 7, 2 * 60);
    // The nap of the last date is after its noon; before the first noon no nap is known.
    assertDiffers(nights(8, napped), 7, 60);
    assertDiffers([napped, ...nights(7)], 7, 0);
  });

  it('does not treat an unknown night as awake', () => {
    const gap = [...nights(4), null, ...nights(4)];
    assert.deepEqual(findSleepRegularity(gap), { index: 100, pairs: 6 });
    assert.equal(findSleepRegularity([...nights(4), null, ...nights(3)]), null, 'five pairs');
    const alternating = Array.from({ length: 15 }, (_, day) => (day % 2 === 0 ? [NIGHT] : null));
    assert.equal(findSleepRegularity(alternating), null);
  });

  it('counts overlapping sleeps once', () => {
    const doubled: SleepInterval[] = [NIGHT, [-60, 200], [100, 420]];
    assert.equal(indexOf([...nights(3), doubled, ...nights(4)]), 100);
  });

  it('equals a count of every minute', () => {
    const interval = fc.tuple(fc.integer({ min: -900, max: 1_400 }), fc.integer({ min: 1, max: 800 }));
    const intervals = fc.array(
      interval.map(([start, length]): SleepInterval => [start, start + length]),
      { maxLength: 4 },
    );
    const dates = fc.array(fc.option(intervals, { freq: 12 }), { minLength: 10, maxLength: 15 });
    let compared = 0;
    fc.assert(
      fc.property(dates, (some) => {
        const found = findSleepRegularity(some);
        if (found !== null) compared += 1;
        assert.equal(found?.index.toFixed(9), countEveryMinute(some)?.toFixed(9));
      }),
    );
    assert.ok(compared > 20);
  });
});

function countEveryMinute(dates: readonly (readonly SleepInterval[] | null)[]): number | undefined {
  const isAsleep = (minute: number) =>
    dates.some((intervals, before) =>
      intervals?.some(([start, end]) => minute >= start - before * 1_440 && minute < end - before * 1_440),
    );
  let [pairs, same] = [0, 0];
  for (let before = 0; before < 13; before += 1) {
    if (!dates[before] || !dates[before + 1]) continue;
    pairs += 1;
    const noon = -720 - before * 1_440;
    for (let minute = noon; minute < noon + 1_440; minute += 1)
      if (isAsleep(minute) === isAsleep(minute - 1_440)) same += 1;
  }
  return pairs < 6 ? undefined : (200 * same) / (pairs * 1_440) - 100;
}
