import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAbout } from './change-of-key.ts';

const none = { metrics: {} };
const steps = { metrics: { steps: { method: 'max' as const, providersOff: [] } } };

describe('a change of consolidation settings', () => {
  it('is about the keys whose settings differ, not about those that were set before', () => {
    const both = { metrics: { ...steps.metrics, weight: { method: null, providersOff: ['withings'] } } };
    assert.equal(isAbout('steps', { before: none, after: steps }), true);
    assert.equal(isAbout('steps', { before: steps, after: both }), false);
    assert.equal(isAbout('weight', { before: steps, after: both }), true);
    assert.equal(isAbout('steps', { before: steps, after: none }), true);
  });

  it('is about no key without details', () => {
    assert.equal(isAbout('steps', {}), false);
  });
});
