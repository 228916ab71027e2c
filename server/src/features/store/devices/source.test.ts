import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { classOfSource, identifySource, type SourceDescription, vendorOfSource } from './source.ts';

const source = (given: Partial<SourceDescription> = {}): SourceDescription => ({
  provider: 'apple_health',
  id: null,
  name: null,
  model: null,
  deviceClass: null,
  osVersion: null,
  ...given,
});

describe('the identity of a source', () => {
  it('is its id, even if name, model or installation change', () => {
    const one = identifySource(source({ id: 'a', name: 'Watch', model: 'Watch7,1' }), 'phone-1');
    assert.equal(identifySource(source({ id: 'a', name: 'My watch' }), 'phone-2'), one);
    assert.notEqual(identifySource(source({ id: 'b' }), 'phone-1'), one);
    assert.notEqual(identifySource(source({ id: 'a', provider: 'health_connect' }), 'phone-1'), one);
  });

  it('is its model and name without an id, and the installation without those', () => {
    const named = identifySource(source({ model: 'Watch7,1', name: 'Watch' }), 'phone-1');
    assert.equal(identifySource(source({ model: 'Watch7,1', name: 'Watch' }), 'phone-2'), named);
    assert.notEqual(identifySource(source({ model: 'Watch7,1' }), 'phone-1'), named);
    const bare = identifySource(source(), 'phone-1');
    assert.notEqual(identifySource(source(), 'phone-2'), bare);
    assert.notEqual(identifySource(source({ id: 'phone-1' }), 'x'), bare);
  });

  it('does not collide for any text that a phone sends', () => {
    const a = identifySource(source({ model: 'x","y', name: null }), 'p');
    const b = identifySource(source({ model: 'x', name: 'y' }), 'p');
    assert.notEqual(a, b);
  });
});

describe('the class of a source', () => {
  it('is the stated class, else the class of its hardware, else an app', () => {
    assert.equal(classOfSource(source({ deviceClass: 'ring', model: 'Watch7,1' })), 'ring');
    assert.equal(classOfSource(source({ model: 'Watch7,1' })), 'wrist');
    assert.equal(classOfSource(source({ model: 'iPhone15,2' })), 'phone');
    assert.equal(classOfSource(source({ model: 'Sleep tracker' })), 'app');
  });
});

describe('the vendor of a source', () => {
  const vendorOf = (given: Partial<SourceDescription>) => {
    const described = source(given);
    return vendorOfSource('sdk', { ...described, identity: identifySource(described, 'oura-phone') });
  };

  it('comes from its id, name or model, not from the installation', () => {
    assert.equal(vendorOf({ id: 'com.ouraring.oura' }), 'oura');
    assert.equal(vendorOf({ id: 'x', name: 'Oura' }), 'oura');
    assert.equal(vendorOf({ model: 'Polar Vantage' }), 'polar');
    assert.equal(vendorOf({}), null);
  });

  it('is null for a cloud source, which is an original', () => {
    assert.equal(vendorOfSource('cloud', { identity: null, name: 'Oura', model: null }), null);
  });
});
