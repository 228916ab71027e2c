import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOwnLimit, createTimeLimits } from './time-limit.ts';

describe('shared time limits', () => {
  it('share a signal among requests that begin at about the same time', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let nowMs = 0;
    const startLimit = createTimeLimits(6_400, () => nowMs);
    const first = startLimit();
    nowMs = 100;
    assert.equal(startLimit().signal, first.signal);
    nowMs = 101;
    assert.notEqual(startLimit().signal, first.signal, 'it would end too early');
  });

  it('abort what runs too long, never early, and nothing that begins later', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let nowMs = 0;
    const startLimit = createTimeLimits(6_400, () => nowMs);
    const first = startLimit();
    nowMs = 100;
    const second = startLimit();
    t.mock.timers.tick(6_499);
    assert.equal(second.signal.aborted, false);
    t.mock.timers.tick(1);
    assert.deepEqual([first.signal.aborted, second.signal.aborted], [true, true]);
    first.end();
    second.end();
    assert.equal(startLimit().signal.aborted, false);
  });

  it('reuse a signal that no request follows, with the whole time', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let nowMs = 0;
    const startLimit = createTimeLimits(6_400, () => nowMs);
    const first = startLimit();
    first.end();
    nowMs = 5_000;
    t.mock.timers.tick(5_000);
    const second = startLimit();
    assert.equal(second.signal, first.signal);
    t.mock.timers.tick(6_400);
    assert.equal(second.signal.aborted, false);
    t.mock.timers.tick(100);
    assert.equal(second.signal.aborted, true);
  });

  it('use a signal for at most 100 requests', () => {
    const startLimit = createTimeLimits(6_400, () => 0);
    const signals = Array.from({ length: 250 }, () => {
      const limit = startLimit();
      limit.end();
      return limit.signal;
    });
    assert.equal(new Set(signals).size, 3);
  });

  it('have no timer after the last request', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const startLimit = createTimeLimits(1_000, () => 0);
    const limits = [startLimit(), startLimit()];
    for (const limit of limits) limit.end();
    t.mock.timers.tick(10_000);
    assert.equal(limits[0]?.signal.aborted, false);
  });
});

describe('the time limit of one call', () => {
  it('ends after its time, or with the reason of the caller', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const late = createOwnLimit(50);
    t.mock.timers.tick(50);
    assert.equal(late.signal.aborted, true);
    const caller = new AbortController();
    const limit = createOwnLimit(50, caller.signal);
    caller.abort('enough');
    assert.equal(limit.signal.reason, 'enough');
    const ended = createOwnLimit(50, new AbortController().signal);
    ended.end();
    t.mock.timers.tick(100);
    assert.equal(ended.signal.aborted, false);
  });

  it('can be without an end', async () => {
    const limit = createOwnLimit(Number.POSITIVE_INFINITY);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(limit.signal.aborted, false);
    limit.end();
  });
});
