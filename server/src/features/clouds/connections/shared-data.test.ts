import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeHistory } from './shared-data.ts';

describe('what a person is told of their history', () => {
  const cases: [number, number, string][] = [
    [30, 365, 'The past 30 days'],
    [3_650, 365, 'The past year'],
    [3_650, 14, 'The past 14 days'],
    [3_650, 3_650, 'All of your history'],
  ];
  for (const [historyDays, maxDays, words] of cases)
    it(`${words}, of ${historyDays} days of which ${maxDays} are fetched`, () => {
      assert.equal(describeHistory({ historyDays }, maxDays), words);
    });
});
