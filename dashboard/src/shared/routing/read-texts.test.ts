import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readTexts } from './read-texts.ts';

it('texts of an address may look like numbers; other values and empty texts are dropped', () => {
  const search = { user: 42, q: 'ann', type: '', event: true, days: 7 };
  assert.deepEqual(readTexts(search, ['user', 'q', 'type', 'event', 'from']), { user: '42', q: 'ann' });
});
