import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EditedKey } from './draft.ts';
import { groupKeys, pickKey } from './group-keys.ts';

const key = (name: string, more: Partial<EditedKey> = {}) =>
  ({ key: name, name, changed: false, differs: false, metrics: [], ...more }) as unknown as EditedKey;

const KEYS = [
  key('Weight'),
  key('Steps', { differs: true }),
  key('Vitals', { changed: true, differs: true, metrics: [{ name: 'Heart rate' }] as never }),
];

describe('the list of consolidation keys', () => {
  it('has what is set first, then where sources differ, and no empty groups', () => {
    assert.deepEqual(
      groupKeys(KEYS, '').map(({ name, keys }) => [name, keys.map((one) => one.name)]),
      [
        ['changed', ['Vitals']],
        ['differs', ['Steps']],
        ['others', ['Weight']],
      ],
    );
  });

  it('is searched by names of keys and of their metrics', () => {
    assert.deepEqual(
      groupKeys(KEYS, ' HEART ').map(({ keys }) => keys.length),
      [1],
    );
    assert.deepEqual(groupKeys(KEYS, 'nothing'), []);
  });

  it('opens the wanted key, else the first', () => {
    assert.equal(pickKey(KEYS, 'Weight')?.name, 'Weight');
    assert.equal(pickKey(KEYS, 'gone')?.name, 'Vitals');
  });
});
