import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatCsv } from './format-csv.ts';

describe('formatCsv', () => {
  it('quotes commas, quotes and line breaks', () => {
    assert.equal(
      formatCsv([
        ['a', 'b'],
        ['x,y', 'say "hi"\nagain'],
      ]),
      '\uFEFFa,b\r\n"x,y","say ""hi""\nagain"\r\n',
    );
  });

  it('keeps zero and negative numbers, and writes nothing for null', () => {
    assert.equal(formatCsv([[0, -1, null]]), '\uFEFF0,-1,\r\n');
  });

  it('disarms texts that a spreadsheet would run', () => {
    assert.equal(formatCsv([['=1+1', '@a', '-x']]), "\uFEFF'=1+1,'@a,'-x\r\n");
  });
});
