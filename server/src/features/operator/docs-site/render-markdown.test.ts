import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderMarkdown } from './render-markdown.ts';

const render = (text: string) =>
  renderMarkdown(text, (target) => (target.startsWith('..') ? null : `/${target}`)).text.replaceAll('\n', '');

describe('renderMarkdown', () => {
  const cases: [string, string][] = [
    ['## Rate limits\n', '<h2 id="rate-limits">Rate limits</h2>'],
    ['One line\nand another.\n\nNext.', '<p>One line and another.</p><p>Next.</p>'],
    ['`a<b` and **bold `c`**', '<p><code>a&#60;b</code> and <strong>bold <code>c</code></strong></p>'],
    ['[Sync](sync.md#x), [code](../a.ts)', '<p><a href="/sync.md#x">Sync</a>, code</p>'],
    ['- one\n  more\n- two\n', '<ul><li>one more</li><li>two</li></ul>'],
    ['1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
    ['- one\n  - inner\n- two', '<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>'],
    ['- one\n\nAfter.', '<ul><li>one</li></ul><p>After.</p>'],
    ['<script>', '<p>&#60;script&#62;</p>'],
  ];
  for (const [markdown, expected] of cases)
    it(JSON.stringify(markdown), () => {
      assert.equal(render(markdown), expected);
    });

  it('keeps code as it is, fenced and indented', () => {
    const fenced = renderMarkdown('```sh\ncurl -s "$API" \\\n  -d "{}"\n```\n', () => null).text;
    assert.match(fenced, /<code>curl -s &#34;\$API&#34; \\\n {2}-d &#34;\{\}&#34;<\/code>/);
    assert.match(
      renderMarkdown('    a\n\n      b\n\nText', () => null).text,
      /<code>a\n\n {2}b<\/code><\/pre>\n<p>Text/,
    );
  });

  it('writes tables with a head', () => {
    const table = render('| A | B |\n|---|---|\n| `x\\|y` | [l](m) |\n');
    assert.match(table, /<thead><tr><th scope="col">A<\/th><th scope="col">B<\/th><\/tr><\/thead>/);
    assert.match(table, /<td><code>x\|y<\/code><\/td><td><a href="\/m">l<\/a><\/td>/);
  });
});
