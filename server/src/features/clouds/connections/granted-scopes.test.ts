import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareScopes, readRedirectScopes, sharesData } from './granted-scopes.ts';

const provider: Parameters<typeof compareScopes>[0] = {
  oauth: { scopes: { personal: [], daily: ['activity', 'sleep'], heartrate: ['vitals'], workout: ['activity'] } },
  resources: [{ scope: 'daily' }, { scope: 'heartrate' }],
};

describe('granted scopes', () => {
  it('are compared with those that were requested, by category', () => {
    assert.deepEqual(compareScopes(provider, { scopes: ['daily', 'extra'] }), {
      granted: ['activity', 'sleep'],
      missing: ['activity', 'vitals'], // no workouts
    });
    assert.deepEqual(compareScopes(provider, { scopes: ['daily', 'heartrate', 'workout'] }), {
      granted: ['activity', 'sleep', 'vitals'],
      missing: [], // the profile is not health data
    });
    assert.equal(compareScopes(provider, { scopes: null }), null);
    const inherited = compareScopes(provider, { scopes: ['constructor', '__proto__', 'toString'] });
    assert.deepEqual(inherited?.granted, []);
  });

  it('shares data if one scope opens a resource, or if the scopes are not known', () => {
    assert.equal(sharesData(provider, { scopes: ['daily'] }), true);
    assert.equal(sharesData(provider, { scopes: ['personal'] }), false);
    assert.equal(sharesData(provider, { scopes: [] }), false);
    assert.equal(sharesData(provider, { scopes: null }), true);
    assert.equal(sharesData({ ...provider, resources: [{ scope: null }] }, { scopes: [] }), true);
    assert.equal(sharesData({ ...provider, resources: [] }, { scopes: [] }), true, 'data is only pushed');
  });

  it('are read from the redirect of a provider that lists them there, under the names that were requested', () => {
    const read = (query: string, oauth: object = { hasScopeOnRedirect: true }) =>
      readRedirectScopes({ ...provider.oauth, ...oauth }, new URLSearchParams(query));
    assert.deepEqual(read('scope=personal+daily'), ['personal', 'daily']);
    assert.deepEqual(read('scope='), []);
    const implied = { hasScopeOnRedirect: true, impliedScopes: { heartrate: ['daily'] } };
    assert.deepEqual(read('scope=heartrate', implied), ['heartrate', 'daily'], 'it includes the other');
    assert.equal(read('code=C'), null);
    assert.equal(read('scope=extapi:daily'), null, 'other names');
    assert.equal(read('scope=daily', {}), null, 'the provider does not document it');
    for (const name of ['constructor', '__proto__', 'toString'])
      assert.equal(read(`scope=${name}`, implied), null, name);
  });
});
