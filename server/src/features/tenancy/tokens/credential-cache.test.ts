import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CredentialVersion } from '../../../platform/credential-version.ts';
import { createCredentialCache } from './credential-cache.ts';

/** A credential version that the test changes. */
function createVersion() {
  const listeners: (() => void)[] = [];
  let generation = 0;
  const state = { isFresh: true };
  const version: CredentialVersion = {
    bump: async () => undefined,
    isFresh: () => state.isFresh,
    refresh: async () => undefined,
    generation: () => generation,
    onChange: (listener) => void listeners.push(listener),
    start: () => undefined,
    stop: () => undefined,
  };
  const change = () => {
    generation += 1;
    for (const listener of listeners) listener();
  };
  return { version, change, state };
}

function setUp() {
  const { version, change, state } = createVersion();
  const cache = createCredentialCache<string>(version);
  let lookUps = 0;
  const load = (value: string) =>
    cache.load('key', async () => {
      lookUps += 1;
      return value;
    });
  return { cache, change, state, load, count: () => lookUps };
}

describe('createCredentialCache', () => {
  it('looks up a key once and then returns the cached value', async () => {
    const { cache, load, count } = setUp();
    assert.equal(await load('a'), 'a');
    assert.equal(await load('b'), 'a');
    assert.equal(cache.read('key'), 'a');
    assert.equal(count(), 1);
  });

  it('joins concurrent look-ups of one key', async () => {
    const { load, count } = setUp();
    assert.deepEqual(await Promise.all([load('a'), load('b'), load('c')]), ['a', 'a', 'a']);
    assert.equal(count(), 1);
  });

  it('clears all entries on a change', async () => {
    const { cache, load, change } = setUp();
    await load('a');
    change();
    assert.equal(cache.read('key'), undefined);
    assert.equal(await load('b'), 'b');
  });

  it('neither caches nor shares a look-up that started before a change', async () => {
    const { cache, change } = setUp();
    const slow = Promise.withResolvers<string>();
    const before = cache.load('key', () => slow.promise);
    change();
    const later = cache.load('key', async () => 'new');
    slow.resolve('old');
    assert.equal(await before, 'old');
    assert.equal(await later, 'new');
    assert.equal(cache.read('key'), 'new');
    assert.equal(await cache.load('key', async () => assert.fail('cached')), 'new');
  });

  it('does not cache a look-up that started before a change, without another look-up in between', async () => {
    const { cache, change } = setUp();
    const slow = Promise.withResolvers<string>();
    const before = cache.load('key', () => slow.promise);
    change();
    slow.resolve('old');
    assert.equal(await before, 'old');
    assert.equal(cache.read('key'), undefined);
  });

  it('is bypassed while the version is not fresh, and used again afterwards', async () => {
    const { cache, load, state, count } = setUp();
    await load('a');
    state.isFresh = false;
    assert.equal(cache.read('key'), undefined);
    assert.equal(await load('b'), 'b');
    assert.equal(count(), 2);
    state.isFresh = true;
    assert.equal(cache.read('key'), 'b');
  });

  it('does not cache a failed look-up', async () => {
    const { cache, load } = setUp();
    await assert.rejects(
      cache.load('key', () => Promise.reject(new Error('away'))),
      /away/,
    );
    assert.equal(await load('a'), 'a');
  });

  it('limits the number of entries', async () => {
    const { cache } = setUp();
    for (let index = 0; index < 20_001; index += 1) await cache.load(`key ${index}`, async () => 'x');
    assert.equal(cache.read('key 0'), undefined);
    assert.equal(cache.read('key 20000'), 'x');
  });
});
