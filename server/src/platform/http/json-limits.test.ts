import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../errors.ts';
import { createJsonMeter, type JsonLimits } from './json-limits.ts';

const LIMITS: JsonLimits = { containers: 10, values: 20, keys: 8, keysPerObject: 3, depth: 4 };

function refusalOf(text: string, limits = LIMITS, pieceBytes = text.length): AppError | null {
  const meter = createJsonMeter(limits);
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) meter.add(bytes.subarray(at, at + pieceBytes));
    return null;
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error;
  }
}

const messageOf = (error: AppError | null) =>
  (error?.details.issues as { message: string }[] | undefined)?.[0]?.message;

describe('a JSON meter', () => {
  it('accepts JSON within the limits', () => {
    for (const text of ['', '{}', '1', '{"a":1,"b":2,"c":3}', '[[[[1]]]]', `[${'1,'.repeat(19)}1]`])
      assert.equal(refusalOf(text), null, text);
  });

  it('413 for too many values and too many objects or arrays', () => {
    assert.deepEqual(refusalOf(`[${'1,'.repeat(20)}1]`)?.details, { limit_values: 20 });
    assert.deepEqual(refusalOf(`[${'{},'.repeat(9)}{}]`)?.details, { limit_containers: 10 });
    assert.equal(refusalOf(`[${'{},'.repeat(9)}{}]`)?.code, 'payload_too_large');
  });

  it('400 for an object with too many keys, wherever it is; keys of other objects do not count', () => {
    assert.equal(refusalOf('[{"a":1,"b":1},{"a":1,"b":1}]'), null);
    for (const text of [
      '{"a":1,"b":1,"c":1,"d":1}',
      '{"x":{"a":1,"b":1,"c":1,"d":1}}',
      '{"a":1,"b":{"z":1},"c":1,"d":1}',
    ])
      assert.equal(messageOf(refusalOf(text)), 'has an object with more than 3 keys', text);
  });

  it('400 for too many keys in total', () => {
    assert.equal(
      messageOf(refusalOf('[{"a":1,"b":1,"c":1},{"a":1,"b":1,"c":1},{"a":1,"b":1,"c":1}]')),
      'has more than 8 keys',
    );
  });

  it('400 for JSON that is nested too deeply', () => {
    assert.equal(messageOf(refusalOf('[[[[[')), 'is nested more than 4 levels deep');
    assert.equal(messageOf(refusalOf('[{"a":[{"b":{')), 'is nested more than 4 levels deep');
  });

  it('does not count characters inside strings', () => {
    for (const text of ['"[[[[[[,,,,,,,,,,,,,,,,,,,,,,,:::::::"', '["\\"[[[[[[[[", "\\\\"]', '{"a:b:c:d:e":1}'])
      assert.equal(refusalOf(text), null, text);
    assert.ok(refusalOf('["\\\\",[[[[[[')); // the text ended before the brackets
  });

  it('counts the same for any chunks', () => {
    const json = fc.json({ maxDepth: 6 });
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 20 }), (text, pieceBytes) => {
        assert.deepEqual(refusalOf(text, LIMITS, pieceBytes)?.details, refusalOf(text)?.details);
      }),
    );
  });

  it('counts the values that JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const { containers, values, keys, depth } = measure(JSON.parse(text));
        const exact = { containers, values, keys: Number.MAX_SAFE_INTEGER, keysPerObject: keys, depth };
        assert.equal(refusalOf(text, exact), null);
        if (containers > 0) assert.ok(refusalOf(text, { ...exact, containers: containers - 1 }));
        if (depth > 0) assert.ok(refusalOf(text, { ...exact, depth: depth - 1 }));
      }),
    );
  });
});

/** An upper bound: an empty container has no values and counts as one. */
function measure(value: unknown): { containers: number; values: number; keys: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { containers: 0, values: 1, keys: 0, depth: 0 };
  const items = Object.values(value).map(measure);
  const sum = (name: 'containers' | 'values') => items.reduce((total, item) => total + item[name], 0);
  return {
    containers: 1 + sum('containers'),
    values: Math.max(1, sum('values')),
    keys: Math.max(Array.isArray(value) ? 0 : items.length, ...items.map(({ keys }) => keys)),
    depth: 1 + Math.max(0, ...items.map(({ depth }) => depth)),
  };
}
