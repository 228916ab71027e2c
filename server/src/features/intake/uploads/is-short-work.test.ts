import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EpochMs } from '../../../domain/records/records.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Deletion } from '../../pipeline/ingest/index.ts';
import { isShortWork } from './is-short-work.ts';

const deleteDays = (days: number): Deletion => ({
  kind: 'samples',
  metric: 'heart_rate' as never,
  start: 0 as EpochMs,
  end: (days * DAY_MS) as EpochMs,
});

describe('isShortWork', () => {
  it('accepts one part with short deletions', () => {
    const sleep: Deletion = { kind: 'sleep', key: 'night' };
    assert.equal(isShortWork([{ deletions: [] }]), true);
    assert.equal(isShortWork([{ deletions: [deleteDays(3), sleep, deleteDays(4)] }]), true);
  });

  it('rejects deletions of more than seven days', () => {
    assert.equal(isShortWork([{ deletions: [deleteDays(20 * 365)] }]), false);
    assert.equal(isShortWork([{ deletions: [deleteDays(4), deleteDays(4)] }]), false);
  });

  it('rejects several parts', () => {
    assert.equal(isShortWork([{ deletions: [] }, { deletions: [] }]), false);
  });
});
