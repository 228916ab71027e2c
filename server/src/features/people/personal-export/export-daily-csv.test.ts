import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeLine } from './export-daily-csv.ts';

describe('a line of a CSV file', () => {
  it('quotes commas, quotes and line breaks', () => {
    assert.equal(writeLine(['a', 'b,c', 'd"e', 'f\ng']), 'a,"b,c","d""e","f\ng"\r\n');
  });

  it('never starts a cell with a formula', () => {
    assert.equal(writeLine(['=1+1', '@x', '+1', '-x', '-1.5']), "'=1+1,'@x,'+1,'-x,-1.5\r\n");
  });
});
