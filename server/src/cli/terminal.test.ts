import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { printableTerminal, type Terminal } from './terminal.ts';

function print(text: string): string {
  let printed = '';
  const add = (some: string) => {
    printed += some;
  };
  const printable = printableTerminal({ stdout: add, stderr: add } as unknown as Terminal);
  printable.stdout(text);
  printable.stderr(text);
  assert.equal(printed.slice(0, printed.length / 2), printed.slice(printed.length / 2));
  return printed.slice(printed.length / 2);
}

describe('printableTerminal', () => {
  it('escapes control characters', () => {
    assert.equal(print('a\u001b[2Jb\u0007\n[K\u009b[K'), 'a\\u001b[2Jb\\u0007\n[K\\u009b[K');
    assert.equal(print('\u009b31m\u0000\u007f\u0085'), '\\u009b31m\\u0000\\u007f\\u0085');
  });

  it('leaves text, line breaks, tabs and the progress of an import unchanged', () => {
    for (const text of ['Zoë ✓ 健康\n\tb  c\r\n', '\r[====    ] 50 %\u001b[K']) assert.equal(print(text), text);
  });

  it('leaves the values of JSON unchanged', () => {
    const values = { name: 'a\u009b31m\u001b\u007f\\', lines: 'a\nb' };
    assert.deepEqual(JSON.parse(print(JSON.stringify(values))), values);
  });
});
