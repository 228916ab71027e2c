import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SETTINGS } from '../src/settings.ts';
import { describeAccepted, SETTING_TOPICS } from './generate-configuration-page.ts';

describe('docs/configuration.md', () => {
  it('has every setting once', () => {
    const listed = SETTING_TOPICS.flatMap(({ settings }) => settings);
    assert.deepEqual(listed.toSorted(), Object.keys(SETTINGS).toSorted());
  });

  it('states the accepted values as the program checks them', () => {
    assert.equal(describeAccepted('port'), '0 to 65535');
    assert.equal(describeAccepted('allowPrivateWebhooks'), '0 or 1');
    assert.equal(describeAccepted('dexcomRegion'), 'us, eu, jp');
    assert.equal(describeAccepted('host'), '–');
    assert.equal(describeAccepted('databaseUrl'), '–');
  });
});
