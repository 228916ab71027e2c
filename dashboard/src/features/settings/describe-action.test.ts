import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeAction } from './describe-action.ts';

describe('describeAction', () => {
  it('says what happened', () => {
    assert.equal(describeAction('api_key.created'), 'API key created');
    assert.equal(describeAction('member.password_changed'), 'Member password changed');
    assert.equal(describeAction('member.totp_enabled'), 'Member TOTP enabled');
    assert.equal(describeAction('something_new.happened'), 'Something new happened');
  });
});
