import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeSummary } from './import-summary.ts';

const SUMMARY = {
  records: 1_200,
  accepted: 0,
  duplicates: 1_200,
  rejected: 0,
  batches: 1,
  sources: new Set(['Watch']),
  skipped: new Map<string, number>(),
  problems: [],
  failure: null,
};

describe('describeSummary', () => {
  it('says that a second import found nothing new', () => {
    assert.equal(
      describeSummary(SUMMARY, 'csv', false),
      'Imported csv: 1,200 records of 1 source.\n  new or corrected: 0\n  already stored: 1,200\n  Nothing was new: these records were imported before.\n  rejected: 0\n',
    );
    assert.doesNotMatch(describeSummary({ ...SUMMARY, accepted: 3 }, 'csv', false), /Nothing was new/);
  });
});
