import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareScopes, sharesData } from './granted-scopes.ts';

const provider = {
  oauth: { scopes: ['personal', 'daily', 'heartrate'] },
  resources: [{ scope: 'daily' }, { scope: 'heartrate' }],
};

describe('granted scopes', () => {
  it('lists the scopes that were requested and not granted', () => {
    assert.deepEqual(compareScopes(provider, { scopes: ['daily', 'extra'] }), {
      granted: ['daily', 'extra'],
      missing: ['personal', 'heartrate'],
    });
    assert.equal(compareScopes(provider, { scopes: null }), null);
  });

  it('shares data if one scope opens a resource, or if the scopes are not known', () => {
    assert.equal(sharesData(provider, { scopes: ['daily'] }), true);
    assert.equal(sharesData(provider, { scopes: ['personal'] }), false);
    assert.equal(sharesData(provider, { scopes: [] }), false);
    assert.equal(sharesData(provider, { scopes: null }), true);
    assert.equal(sharesData({ ...provider, resources: [{ scope: null }] }, { scopes: [] }), true);
    assert.equal(sharesData({ ...provider, resources: [] }, { scopes: [] }), true, 'data is only pushed');
  });
});
