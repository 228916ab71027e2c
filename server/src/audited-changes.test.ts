import assert from 'node:assert/strict';
import { it } from 'node:test';
import { auditPublicChanges } from './audited-changes.ts';

it('an audited change without a route stops the program', () => {
  assert.throws(() => auditPublicChanges([]), /createUser/);
});
