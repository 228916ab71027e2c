// The forbidden words are concatenated here, so that this file itself passes the check.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkText } from './check-words.ts';

const CASES: [title: string, file: string, text: string, rules: string[]][] = [
  ['a machine path', 'README.md', `see ${['', 'work', 'main'].join('/')}`, ['machine-path']],
  ['a home folder', 'docs/a.md', `see ${['', 'home', 'ann', 'x'].join('/')}`, ['machine-path']],
  ['a path that only looks like one', 'docs/a.md', 'see ./work/a, homework/root/b and /workouts/1', []],
  ['a registry', '.npmrc', ['registry', 'npmjs', 'org'].join('.'), ['registry-host']],
  ['a mirror', '.npmrc', `x=http://${['npm', 'corp', 'host'].join('.')}`, ['registry-host']],
  ['a file called registry', 'server/src/a.ts', "import './registry.db.test.ts';", []],
  ['an address in a text', 'server/src/a.ts', "call('https://evil.io/x');", ['foreign-address']],
  ['an address in a template', 'server/src/a.ts', `call(\`https://evil.io/\${x}\`);`, ['foreign-address']],
  ['an address in a comment', 'server/src/a.ts', '// https://evil.io/x', []],
  ['a host that is computed', 'server/src/a.ts', `call(\`http://\${host}\`);`, []],
  [
    'loopback',
    'server/src/a.ts',
    "call('http://127.0.0.1:1', 'http://localhost/', 'http://[::1]:8', 'http://HOST');",
    [],
  ],
  ['an allowed host', 'server/src/a.ts', "call('https://json-schema.org/draft', 'https://api.example.com');", []],
  [
    'a host that ends like an allowed one',
    'server/src/a.ts',
    "call('https://evil-json-schema.org');",
    ['foreign-address'],
  ],
  ["a provider's address", 'server/src/providers/a/index.ts', "call('https://api.vendor.io');", []],
];

for (const [title, file, text, rules] of CASES) {
  it(`${title}: ${rules.join() || 'allowed'}`, () => {
    assert.deepEqual(
      checkText(file, text).map((problem) => problem.rule),
      rules,
    );
  });
}
