import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dexcom } from '../../../providers/dexcom/index.ts';
import { oura } from '../../../providers/oura/index.ts';
import { liveApp } from './provider-app.ts';

const client = { clientId: 'id', clientSecret: 'secret' };

describe('an application at a provider with regions', () => {
  it('calls the servers of its region only', () => {
    for (const [region, origin] of [
      ['us', 'https://api.dexcom.com'],
      ['eu', 'https://api.dexcom.eu'],
      ['jp', 'https://api.dexcom.jp'],
    ])
      assert.deepEqual(liveApp(dexcom, client, region).origins, { authorize: origin, token: origin, api: origin });
  });

  it('calls the usual servers without a region, or at a provider without regions', () => {
    assert.deepEqual(liveApp(dexcom, client).origins, dexcom.origins);
    assert.deepEqual(liveApp(oura, client, 'eu').origins, oura.origins);
  });
});
