// Strings of any characters, like `fc.string({ unit: 'binary' })`, which first builds a table of all 1.1 million characters in
// every test file: more than a second before the first test.
import fc from 'fast-check';

const HIGHEST = 0x10_ffff;
const FIRST_SURROGATE = 0xd800; // a lone surrogate is not a character
const SURROGATES = 0x800;

/** Property names of objects, because texts become keys. */
const RISKY = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'key', 'ref'];

const anyCharacter = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0, max: 0xffff - SURROGATES }).map(skipSurrogates),
  fc.integer({ min: 0, max: HIGHEST - SURROGATES }).map(skipSurrogates),
);

/** Lengths are in characters, of one or two UTF-16 units each. */
export function anyText({ minLength = 0, maxLength = 10 } = {}): fc.Arbitrary<string> {
  const text = fc.array(anyCharacter, { minLength, maxLength }).map((points) => String.fromCodePoint(...points));
  const risky = RISKY.filter(({ length }) => length >= minLength && length <= maxLength);
  return risky.length === 0 ? text : fc.oneof({ arbitrary: text, weight: 20 }, fc.constantFrom(...risky));
}

function skipSurrogates(index: number): number {
  return index < FIRST_SURROGATE ? index : index + SURROGATES;
}
