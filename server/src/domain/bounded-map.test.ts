import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createBoundedMap } from './bounded-map.ts';

function fill(limit: number, keys: string): Map<string, number> {
  const map = createBoundedMap<string, number>(limit);
  for (const [index, key] of [...keys].entries()) map.set(key, index);
  return map;
}

describe('a bounded map', () => {
  it('drops the entry that was set longest ago', () => {
    assert.deepEqual([...fill(3, 'abcde')], [...new Map(Object.entries({ c: 2, d: 3, e: 4 }))]);
  });

  it('drops a 64th when a large one is full', () => {
    const map = createBoundedMap<number, number>(640);
    for (let key = 0; key <= 640; key += 1) map.set(key, key);
    assert.deepEqual([map.size, Math.min(...map.keys()), map.has(640)], [631, 10, true]);
  });

  it('keeps an entry longer that was set again, and drops nothing for it', () => {
    assert.deepEqual([...fill(3, 'abca').keys()], ['b', 'c', 'a']);
    assert.deepEqual([...fill(3, 'abcad').keys()], ['c', 'a', 'd']);
  });

  it('does not keep an entry longer that was read', () => {
    const map = fill(2, 'ab');
    assert.equal(map.get('a'), 0);
    assert.deepEqual([...map.set('c', 2).keys()], ['b', 'c']);
  });

  it('is as limited for computed entries', () => {
    const map = fill(2, 'ab');
    assert.equal(
      map.getOrInsertComputed('c', (key) => key.length),
      1,
    );
    assert.equal(
      map.getOrInsertComputed('c', () => assert.fail('known')),
      1,
    );
    assert.equal(map.getOrInsert('d', 7), 7);
    assert.deepEqual([...map.keys()], ['c', 'd']);
  });

  it('caches undefined too', () => {
    const map = createBoundedMap<string, undefined>(1);
    map.set('a', undefined);
    assert.equal(
      map.getOrInsertComputed('a', () => assert.fail('known')),
      undefined,
    );
  });

  it('refuses a limit that holds nothing', () => {
    assert.throws(() => createBoundedMap(0), RangeError);
  });

  it('does the same as a list, whatever is set, deleted and cleared', () => {
    const step = fc.oneof(
      { weight: 20, arbitrary: fc.record({ do: fc.constant('set' as const), key: fc.nat(9) }) },
      { weight: 5, arbitrary: fc.record({ do: fc.constant('delete' as const), key: fc.nat(9) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), key: fc.constant(0) }) },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
        const map = createBoundedMap<number, number>(limit);
        let list: number[] = [];
        for (const { do: what, key } of steps) {
          if (what === 'clear') {
            map.clear();
            list = [];
            continue;
          }
          list = list.filter((one) => one !== key);
          if (what === 'set') list = [...list, key].slice(-limit);
          if (what === 'set') map.set(key, key);
          else map.delete(key);
          assert.deepEqual([...map.keys()], list);
        }
      }),
    );
  });
});
