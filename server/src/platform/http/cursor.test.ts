import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../errors.ts';
import { createCursorCodec } from './cursor.ts';

const newCodec = () => {
  const key = randomBytes(32);
  return createCursorCodec(() => key);
};
const codec = newCodec();
const position = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 4 });
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function assertRefused(scope: string, cursor: string): void {
  assert.throws(
    () => codec.decode(scope, cursor),
    (error) => error instanceof AppError && error.code === 'invalid_cursor',
  );
}

describe('createCursorCodec', () => {
  it('reads what it wrote', () => {
    fc.assert(
      fc.property(fc.string(), position, (scope, value) =>
        assert.deepEqual(codec.decode(scope, codec.encode(scope, value)), value),
      ),
    );
  });

  it('needs no escaping in a URL', () => {
    fc.assert(fc.property(position, (value) => assert.match(codec.encode('users', value), /^[\w-]+$/)));
  });

  it('rejects a change of any character, even in unused bits', () => {
    fc.assert(
      fc.property(position, fc.nat(), fc.nat(62), (value, at, shift) => {
        const cursor = codec.encode('users', value);
        const index = at % cursor.length;
        const character = ALPHABET.charAt((ALPHABET.indexOf(cursor.charAt(index)) + 1 + shift) % 64);
        assertRefused('users', cursor.slice(0, index) + character + cursor.slice(index + 1));
      }),
      { numRuns: 1_000 },
    );
    const padded = codec.encode('users', [1]);
    for (const character of ALPHABET)
      if (!padded.endsWith(character)) assertRefused('users', padded.slice(0, -1) + character);
  });

  it('rejects truncated, extended, empty and foreign text', () => {
    const cursor = codec.encode('users', [1, 'a']);
    for (let length = 0; length < cursor.length; length += 1) assertRefused('users', cursor.slice(0, length));
    for (const text of [
      `${cursor}A`,
      `${cursor}AA`,
      `${cursor}=`,
      ` ${cursor}`,
      `${cursor}\n`,
      'é',
      '{}',
      cursor.toUpperCase(),
    ])
      assertRefused('users', text);
    fc.assert(fc.property(fc.string(), (text) => assertRefused('users', text)));
  });

  it('rejects a cursor of another scope or another key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), position, (scope, other, value) => {
        fc.pre(scope !== other);
        assertRefused(other, codec.encode(scope, value));
      }),
    );
    assertRefused('users', newCodec().encode('users', [1]));
  });
});
