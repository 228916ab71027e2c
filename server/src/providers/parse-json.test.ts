import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { parseJson } from './parse-json.ts';

const LONG = '12345678901234567890';

function parseCounting(text: string): { readonly value: unknown; readonly hasReviver: boolean } {
  const parse = mock.method(JSON, 'parse');
  try {
    const value = parseJson(text);
    return { value, hasReviver: parse.mock.calls.some((call) => call.arguments.length > 1) };
  } finally {
    parse.mock.restore();
  }
}

describe('integers that a double cannot hold', () => {
  for (const [text, value] of [
    [LONG, LONG],
    [`-${LONG}`, `-${LONG}`],
    [`[1,${LONG}]`, [1, LONG]],
    [`[ -${LONG} ]`, [`-${LONG}`]],
    [`{"a":${LONG}}`, { a: LONG }],
    [`{"a":\n\t${LONG}\r\n,"b":1}`, { a: LONG, b: 1 }],
    ['[9007199254740991,9007199254740993]', [9_007_199_254_740_991, '9007199254740993']],
    [`["${LONG}",0.${LONG},${LONG}]`, [LONG, 0.12345678901234568, LONG]],
  ] as const)
    it(`become strings: ${JSON.stringify(text)}`, () => assert.deepEqual(parseJson(text), value));

  it('are found wherever they begin, also right after other long digits', () => {
    for (let padding = 0; padding < 40; padding += 1)
      for (const before of ['', `"${LONG.repeat(3)}",`, `0.${LONG},`]) {
        const text = `["${'x'.repeat(padding)}",${before}1234567890123456789]`;
        assert.equal((parseJson(text) as unknown[]).at(-1), '1234567890123456789', text);
      }
  });
});

describe('long digits that are no integer', () => {
  for (const text of [
    `[0.${LONG}]`,
    `["users/${LONG}/points"]`,
    `["${LONG}"]`,
    `[${LONG}.5]`,
    `[${LONG}e3]`,
    `[1e-${LONG}]`,
  ])
    it(`are parsed without a reviver, which takes ten times as long: ${text}`, () => {
      const { value, hasReviver } = parseCounting(text);
      assert.deepEqual(value, JSON.parse(text));
      assert.equal(hasReviver, false);
    });

  it('are scanned once, however many there are', () => {
    const digits = '7'.repeat(4_000_000); // would take hours if each step began at their start
    assert.deepEqual(parseJson(`["${digits}"]`), [digits]);
  });
});
