import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { translateTo } from '../../../domain/texts/index.ts';
import { CLOUD_PROVIDERS } from '../../../providers/registry.ts';
import { describeHistory, listSharedKinds } from './shared-data.ts';

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

describe('the positions of workouts on the consent page', () => {
  const words = 'Where you were during workouts';
  const providersThatShow = (keepsRoutes: boolean) =>
    CLOUD_PROVIDERS.filter((provider) => listSharedKinds(translateTo('en'), provider, keepsRoutes).includes(words)).map(
      ({ id }) => id,
    );

  it('are named if the account keeps routes, for providers that have them', () => {
    assert.deepEqual(providersThatShow(true), ['garmin', 'polar', 'strava', 'suunto', 'wahoo']);
  });

  it('are not named if the account does not', () => {
    assert.deepEqual(providersThatShow(false), []);
  });
});
