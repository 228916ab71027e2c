import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeSlices } from './encode-slices.ts';

describe('encodeSlices', () => {
  it('encodes all bytes as base64 for any length and slice size', () => {
    for (const length of [1, 2, 3, 4, 5, 6, 7]) {
      const bytes = Buffer.alloc(length, 0xff);
      for (const sliceBytes of [1, 2, 3, 4, 100])
        assert.equal([...encodeSlices(bytes, 'base64', sliceBytes)].join(''), bytes.toString('base64'));
    }
  });

  it('keeps all bytes of a payload longer than one slice', () => {
    for (const extra of [1, 2, 3, 4]) {
      const bytes = Buffer.alloc(96 * 1024 + extra, 0xfe);
      assert.ok(Buffer.from([...encodeSlices(bytes, 'base64')].join(''), 'base64').equals(bytes), `${extra}`);
    }
  });

  it('never splits a UTF-8 character', () => {
    const text = 'aé€😀z';
    for (const sliceBytes of [1, 2, 3, 4])
      assert.equal([...encodeSlices(Buffer.from(text), 'utf8', sliceBytes)].join(''), text);
  });
});
