import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cannotStart, countEnd, countFailedStart, NO_FAILURES, restartDelayMs } from './restart-delay.ts';

describe('restartDelayMs', () => {
  it('restarts at once after the first end, then after twice as long each time, at most half a minute', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7, 50].map((ends) => restartDelayMs({ ...NO_FAILURES, ends })),
      [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000],
    );
  });
});

describe('countEnd', () => {
  it('begins again after a process that served for a minute', () => {
    assert.equal(countEnd(NO_FAILURES, 10).ends, 1);
    assert.equal(countEnd({ ends: 3, failedStarts: 0 }, 59_999).ends, 4);
    assert.equal(countEnd({ ends: 3, failedStarts: 0 }, 60_000).ends, 1);
  });
});

describe('cannotStart', () => {
  it('is true after five failed starts in a row', () => {
    let failures = countEnd(NO_FAILURES, 10);
    for (let start = 1; start <= 4; start += 1) failures = countFailedStart(failures);
    assert.equal(cannotStart(failures), false);
    assert.equal(cannotStart(countFailedStart(failures)), true);
  });

  it('is false for a process that starts and ends again and again, also after one failed start', () => {
    let failures = NO_FAILURES;
    for (let end = 1; end <= 10; end += 1) failures = countEnd(failures, 10);
    failures = countFailedStart(failures);
    assert.equal(cannotStart(failures), false);
    assert.equal(restartDelayMs(failures), 30_000, 'the delays go on');
    assert.equal(countEnd(failures, 10).failedStarts, 0);
  });
});
