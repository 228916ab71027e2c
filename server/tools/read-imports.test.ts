// Which texts count as imports and which only look like one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readImports } from './read-imports.ts';
import { scanSource } from './scan-source.ts';

const FOUND: [source: string, specifiers: (string | null)[]][] = [
  ["import './a.ts';", ['./a.ts']],
  ['import a, { b as c, type D } from "./a.ts"', ['./a.ts']],
  ["import * as all from './a.ts'\nimport type from './b.ts'", ['./a.ts', './b.ts']],
  ["import {\n  // from './no.ts'\n  from,\n  'odd name' as odd,\n} from './a.ts';", ['./a.ts']],
  ["import type { A } from './a.ts';", ['./a.ts']],
  ["import data from './a.json' with { type: 'json' };", ['./a.json']],
  [
    "export * from './a.ts'; export * as b from './b.ts'; export type { C } from './c.ts';",
    ['./a.ts', './b.ts', './c.ts'],
  ],
  ["declare module './a.ts' { interface A { b: 1 } } declare const module = './b.ts';", ['./a.ts']],
  ["export { a };\nconst from = './no.ts';", []],
  ["export const a = { from: './no.ts' };", []],
  ["export type A = { b: typeof import('./a.ts') };", ['./a.ts']],
  ['await import(`./a.ts`);', ['./a.ts']],
  [`await import(\`./\${name}.ts\`);`, [null]],
  ["await import('./' + name);", [null]],
  ["import.meta.url; archive.import('./no.ts');", []],
  ["// import './no.ts'\n/* import './no.ts' */ const text = \"import './no.ts'\";", []],
  [
    `const text = \`import './no.ts' \${ call({ a: \`\${ await import('./a.ts') }\` }) } import './no.ts'\`;`,
    ['./a.ts'],
  ],
  ["const quote = /['\"`]/; import './a.ts';", ['./a.ts']],
  ["if (x) /[/'`]/.test(y); import './a.ts';", ['./a.ts']],
  ["const half = a / b; const it = `'`; import './a.ts'; // c / d", ['./a.ts']],
  [`const text = \`\${/\`/.test(a)}\`; import './a.ts';`, ['./a.ts']],
  ["const total = (a + b) / c; const name = 'x/y'; i++ / 2; import './a.ts';", ['./a.ts']],
  ["#!/usr/bin/env node\nimport './a.ts';", ['./a.ts']],
  ["const escaped = 'it\\'s'; import './a.ts';", ['./a.ts']],
];

describe('reading imports finds them in', () => {
  for (const [source, specifiers] of FOUND) {
    it(source.replaceAll('\n', ' '), () => {
      assert.deepEqual(
        readImports(scanSource(source).tokens).map((site) => site.specifier),
        specifiers,
      );
    });
  }

  it('separates types from values and returns their line', () => {
    const { tokens } = scanSource("import type { A } from './a.ts';\n\nimport b from './b.ts';");
    assert.deepEqual(readImports(tokens), [
      { specifier: './a.ts', typeOnly: true, line: 1, names: [{ name: 'A', as: 'A' }], isReExport: false },
      { specifier: './b.ts', typeOnly: false, line: 3, names: [], isReExport: false },
    ]);
  });

  it('returns the names, null for all', () => {
    const namesOf = (source: string) =>
      readImports(scanSource(source).tokens).map(
        ({ names, isReExport }) => `${isReExport} ${names?.map(({ name, as }) => `${name}:${as}`) ?? null}`,
      );
    const one = "import a, { b as c, type D, type as e, type } from './a.ts'; export { f as default } from './b.ts';";
    assert.deepEqual(namesOf(one), ['false b:c,D:D,type:e,type:type', 'true f:default']);
    const all = "import * as all from './a.ts'; await import('./b.ts'); export type * from './c.ts';";
    assert.deepEqual(namesOf(all), ['false null', 'false null', 'true null']);
  });

  it('returns code with the same lines but without comments and strings', () => {
    const { code } = scanSource(`a('fetch(') // fetch(\n+ \`b\${c}\nd\`;`);
    assert.equal(code.replaceAll(/ +/g, ' '), 'a( ) \n+ c \n ;');
  });
});
