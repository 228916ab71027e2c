import assert from 'node:assert/strict';
import { it } from 'node:test';
import { summarizeFindings, warning } from './finding.ts';

it('counts failed checks and warnings of the report', () => {
  const good = { check: 'port', ok: true, found: 'free' };
  const bad = { check: 'port', ok: false, found: 'in use' };
  const noted = warning('mail', 'one mail failed', 'Check the mail server.');
  assert.equal(summarizeFindings([good]), 'All checks passed.');
  assert.equal(summarizeFindings([good, noted]), 'All checks passed, with 1 warning.');
  assert.equal(summarizeFindings([good, bad, noted, noted]), '1 of 4 checks failed, with 2 warnings.');
});
