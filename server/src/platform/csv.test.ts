import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatCsv } from './csv.ts';

it('quotes what needs it, and keeps formulas from running', () => {
  const rows = [
    ['name', 'n'],
    ['a "b", c', 1.5],
    ['=1+1', null],
    ['-5', -5],
    ['line\nbreak', true],
  ];
  assert.equal(formatCsv(rows), 'name,n\r\n"a ""b"", c",1.5\r\n\'=1+1,\r\n\'-5,-5\r\n"line\nbreak",true\r\n');
});

it('prefixes every character that a spreadsheet takes for the beginning of a formula', () => {
  const starts = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
  for (const start of starts) assert.match(formatCsv([[`${start}1`]]), /^"?'/, JSON.stringify(start));
});
