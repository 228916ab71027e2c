import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { translateTo } from '../../../domain/texts/index.ts';
import { describeHistory } from './shared-data.ts';

describe('the history that the consent page announces', () => {
  const cases: [number, number, string][] = [
    [30, 365, 'The past 30 days'],
    [3_650, 365, 'The past year'],
    [3_650, 14, 'The past 14 days'],
    [3_650, 1, 'The past day'],
    [3_650, 3_650, 'All of your history'],
  ];
  for (const [historyDays, maxDays, words] of cases)
    it(`is "${words}" for ${historyDays} days at the provider and a limit of ${maxDays}`, () => {
      assert.ok(describeHistory(translateTo('en'), { historyDays }, maxDays).startsWith(words));
    });
});
