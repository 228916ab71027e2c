import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import { isSessionOver, isWellFormedSecret, mintSecret } from './session-token.ts';

describe('a session secret', () => {
  it('has 32 random bytes and is recognized by its form', () => {
    const secret = mintSecret();
    assert.equal(Buffer.from(secret, 'base64url').length, 32);
    assert.notEqual(secret, mintSecret());
    assert.equal(isWellFormedSecret(secret), true);
    for (const text of ['', secret.slice(1), `${secret}a`, secret.replace(/^./, '+')])
      assert.equal(isWellFormedSecret(text), false);
  });
});

describe('isSessionOver', () => {
  const now = new Date('2026-03-31T12:00:00Z');
  const ago = (ms: number) => new Date(now.getTime() - ms);

  it('ends after 12 idle hours', () => {
    assert.equal(isSessionOver({ createdAt: ago(DAY_MS), lastUsedAt: ago(12 * HOUR_MS - 1) }, now), false);
    assert.equal(isSessionOver({ createdAt: ago(DAY_MS), lastUsedAt: ago(12 * HOUR_MS) }, now), true);
  });

  it('ends after 30 days, however often it is used', () => {
    assert.equal(isSessionOver({ createdAt: ago(30 * DAY_MS - 1), lastUsedAt: now }, now), false);
    assert.equal(isSessionOver({ createdAt: ago(30 * DAY_MS), lastUsedAt: now }, now), true);
  });
});
