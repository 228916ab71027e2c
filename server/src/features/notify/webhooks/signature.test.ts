// Checks signatures against the reference library: it accepts ours and rejects them if any byte changes.
import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { anyText } from '../../../../test/support/any-text.ts';
import { runsOf } from '../../../../test/support/property-runs.ts';
import { createTestEnvelope } from '../../../../test/support/test-envelope.ts';
import { decodeSecret, mintSigningSecret, openSecrets, sealPrevious, secretContext, signMessage } from './signature.ts';

const CASES = runsOf(1_500);
const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;
const keyOf = (secret: string) => createSecretKey(decodeSecret(secret));
const anySecret = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf);
const anyBody = fc.oneof(
  fc.json(),
  anyText({ minLength: 1, maxLength: 400 }).map((text) => JSON.stringify({ text })),
  fc.nat(20_000).map((length) => JSON.stringify('ü'.repeat(length))),
);
const anyMessage = fc.record({ id: fc.uuid(), body: anyBody });

/** The library compares the timestamp with its own clock. */
const sign = (secrets: readonly string[], message: { id: string; body: string }) =>
  signMessage(secrets.map(keyOf), { ...message, at: new Date() });

describe('signatures', () => {
  it('are accepted by the reference library', () => {
    fc.assert(
      fc.property(anySecret, anyMessage, (secret, message) => {
        const headers = sign([secret], message);
        assert.deepEqual(new Webhook(secret).verify(message.body, headers), JSON.parse(message.body));
      }),
      { numRuns: CASES },
    );
  });

  it('are accepted for both secrets while they overlap', () => {
    fc.assert(
      fc.property(anySecret, anySecret, anyMessage, (current, previous, message) => {
        const headers = sign([current, previous], message);
        for (const secret of [current, previous]) new Webhook(secret).verify(message.body, headers);
        assert.equal(headers['webhook-signature'].split(' ').length, 2);
      }),
      { numRuns: CASES },
    );
  });

  it('are rejected with another secret, or if the body, id or time changes', () => {
    fc.assert(
      fc.property(anySecret, anySecret, anyMessage, fc.nat(), (secret, other, message, index) => {
        const headers = sign([secret], message);
        const refuses = (body: string, changed: object, by = secret) =>
          assert.throws(() => new Webhook(by).verify(body, { ...headers, ...changed }));
        if (other !== secret) refuses(message.body, {}, other);
        const at = index % message.body.length;
        const letter = message.body[at] === 'x' ? 'y' : 'x';
        refuses(message.body.slice(0, at) + letter + message.body.slice(at + 1), {});
        refuses(message.body, { 'webhook-id': `${message.id}0` });
        refuses(message.body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) });
        refuses(message.body, { 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') });
      }),
      { numRuns: CASES },
    );
  });

  it('use unique secrets of 32 random bytes', () => {
    const secrets = Array.from({ length: 50 }, mintSigningSecret);
    assert.equal(new Set(secrets).size, 50);
    for (const secret of secrets) {
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.equal(decodeSecret(secret).length, 32);
    }
  });
});

describe('openSecrets', () => {
  const envelope = createTestEnvelope();
  const [current, previous] = [mintSigningSecret(), mintSigningSecret()];
  const until = new Date('2026-03-02T00:00:00Z');
  const sealed = {
    webhookId: 'w1',
    secret: envelope.seal(current, secretContext('w1')),
    previous: envelope.seal(previous, secretContext('w1')),
    previousUntil: until,
  };

  it('returns the previous secret until it expires', () => {
    const message = { id: 'e1', at: until, body: '{}' };
    const signAt = (now: Date) => signMessage(openSecrets(envelope, sealed, now), message);
    const signWith = (...secrets: string[]) => signMessage(secrets.map(keyOf), message);
    assert.deepEqual(signAt(new Date(until.getTime() - 1)), signWith(current, previous));
    assert.deepEqual(signAt(until), signWith(current));
  });

  it('keeps at most four replaced secrets', () => {
    const now = new Date(until.getTime() - 1);
    const message = { id: 'e1', at: until, body: '{}' };
    const secrets = [current, previous];
    let rotated = sealed;
    for (let count = 0; count < 4; count += 1) {
      const next = mintSigningSecret();
      secrets.unshift(next);
      rotated = {
        ...rotated,
        secret: envelope.seal(next, secretContext('w1')),
        previous: sealPrevious(envelope, rotated, now, until),
      };
    }
    assert.deepEqual(
      signMessage(openSecrets(envelope, rotated, now), message),
      signMessage(secrets.slice(0, 5).map(keyOf), message),
    );
  });

  it('rejects the secret of another webhook', () => {
    assert.throws(() => openSecrets(envelope, { ...sealed, webhookId: 'w2' }, until));
  });
});
