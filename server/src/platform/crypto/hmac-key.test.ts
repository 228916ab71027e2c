import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HmacKey } from './hmac-key.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.nat(5_000).map((length) => 'ü'.repeat(length)),
);

describe('HmacKey', () => {
  it("signs as Node's own Hmac does, with keys below, of and above the length of a block, one text after the other", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(anyText, { minLength: 1, maxLength: 5 }),
        (bytes, texts) => {
          const key = new HmacKey(bytes);
          for (const text of texts)
            assert.equal(key.sign(text), createHmac('sha256', bytes).update(text).digest('base64'));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
