import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeApplied } from './replay-tombstones.ts';

const NOTHING = { read: 3, users: 0, accounts: 0, keys: 0, unshared: 0 };

describe('describeApplied', () => {
  it('names only what was done, and an erasure only if there is one', () => {
    assert.equal(describeApplied(NOTHING), 'No tombstone applies to it.');
    assert.equal(describeApplied({ ...NOTHING, unshared: 2 }), 'Ended again: the sharing of 2 users.');
    assert.equal(
      describeApplied({ ...NOTHING, users: 1, accounts: 2, keys: 1, unshared: 1 }),
      'Ended again: 1 API key, the sharing of 1 user. Erasing again: 1 user, 2 accounts. The service erases the data after its start.',
    );
  });
});
