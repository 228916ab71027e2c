// Each rule reports a problem in a small bad tree, and a good tree passes.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { checkImportRules } from './import-rules.ts';
import type { Problem } from './report-problems.ts';

type Tree = Record<string, string>;

const GOOD: Tree = {
  'package.json': '{}',
  'src/main.ts': "import { compose } from './compose.ts';\nimport './config.ts';\ncompose(process.env.PORT);",
  'src/config.ts':
    "import info from '../package.json' with { type: 'json' };\nexport const port = process.env.PORT ?? info;",
  'src/compose.ts': "export * from './features/tenancy/users/index.ts';\nimport './features/reads/daily/routes.ts';",
  'src/compose.test.ts': "import './compose.ts';\nimport './config.ts';",
  'src/domain/units.ts': "import type { Day } from './calendar.ts';\nexport const at = (day: Day) => new Date(day);",
  'src/domain/calendar.ts': '// Date.now() is in a comment here\nexport type Day = string;',
  'src/domain/units.test.ts':
    "import 'node:test';\nimport 'fast-check';\nimport './units.ts';\nimport './calendar.ts';\nassert.ok(a(b));\nconst all = list.every(isOne);",
  'src/platform/db.ts': "import { Pool } from 'pg';\nexport const pool = new Pool();",
  'src/platform/outbound.ts': 'export const send = (url: string) => fetch(url);',
  'src/providers/contract.ts': "import '../platform/outbound.ts';\nimport '../domain/units.ts';",
  'src/providers/polar/index.ts': "import '../contract.ts';\nimport sample from './sample.json' with { type: 'json' };",
  'src/providers/polar/sample.json': '{}',
  'src/features/tenancy/users/index.ts': "export { readUser } from './store.ts';",
  'src/features/tenancy/users/store.ts':
    "import '../../../platform/db.ts';\nexport const readUser = (db) => db.query('select 1');",
  'src/features/tenancy/users/store.db.test.ts':
    "import '../../../../test/support/database.ts';\nprocess.env.X; db.query('x');",
  'src/features/reads/daily/routes.ts':
    "import '../../tenancy/users/index.ts';\nimport './form1.ts';\nimport type { Server } from 'node:http';",
  'src/features/reads/daily/form1.ts':
    "import '../../../domain/units.ts';\nclient.fetch('not ours'); const text = 'fetch(1)';",
  'test/support/database.ts': "import '../../src/platform/db.ts';",
  'bench/run.ts': "import '../test/support/database.ts';",
};

const BAD: { title: string; rule: string; tree: Tree; message?: RegExp }[] = [
  {
    title: 'domain -> platform',
    rule: 'layers',
    tree: { 'src/domain/a.ts': "import type { P } from '../platform/db.ts';" },
  },
  { title: 'domain -> npm', rule: 'layers', tree: { 'src/domain/a.ts': "import { x } from 'uuidv7';" } },
  { title: 'domain -> node', rule: 'layers', tree: { 'src/domain/a.ts': "import 'fs';" }, message: /node:fs/ },
  { title: 'domain reads the clock', rule: 'pure-domain', tree: { 'src/domain/a.ts': 'const x = Date.now();' } },
  {
    title: 'platform -> features',
    rule: 'layers',
    tree: { 'src/platform/a.ts': "import '../features/tenancy/users/index.ts';" },
  },
  {
    title: 'platform -> health data',
    rule: 'platform-domain',
    tree: { 'src/platform/a.ts': "import type { Unit } from '../domain/units.ts';" },
  },
  { title: 'platform -> config', rule: 'layers', tree: { 'src/platform/a.ts': "import '../config.ts';" } },
  {
    title: 'providers -> features',
    rule: 'layers',
    tree: { 'src/providers/a.ts': "import '../features/tenancy/users/index.ts';" },
  },
  {
    title: 'providers -> database',
    rule: 'provider-purity',
    tree: { 'src/providers/a.ts': "import '../platform/db.ts';" },
  },
  {
    title: 'features -> compose',
    rule: 'layers',
    tree: { 'src/features/reads/x/a.ts': "await import('../../../compose.ts');" },
  },
  { title: 'src -> test', rule: 'layers', tree: { 'src/other.ts': "import '../test/support/database.ts';" } },
  {
    title: 'src -> bench',
    rule: 'layers',
    tree: { 'src/features/reads/x/a.ts': "import '../../../../bench/run.ts';" },
  },
  {
    title: 'src -> outside',
    rule: 'layers',
    tree: { 'src/other.ts': "import '../migrations/a.json';", 'migrations/a.json': '' },
  },
  { title: 'src -> workspace', rule: 'layers', tree: { 'src/other.ts': "import '@tributary/server';" } },
  { title: 'folder without a layer', rule: 'layers', tree: { 'src/lib/a.ts': '' } },
  {
    title: 'import of a file inside another feature',
    rule: 'feature-index',
    tree: { 'src/features/reads/x/a.ts': "import '../../tenancy/users/store.ts';" },
  },
  {
    title: 'import of a higher group',
    rule: 'group-order',
    tree: {
      'src/features/store/x/index.ts': '',
      'src/features/tenancy/users/index.ts': "export * from '../../store/x/index.ts';",
    },
  },
  {
    title: 'a group that is not listed',
    rule: 'group-order',
    tree: {
      'src/features/new/x/index.ts': '',
      'src/features/operator/a/a.ts': "import '../../new/x/index.ts';",
    },
  },
  {
    title: 'plan of a sync -> fetch',
    rule: 'sync-order',
    tree: {
      'src/features/clouds/sync/fetch/fetch-page.ts': '',
      'src/features/clouds/sync/plan/backfill.ts': "import '../fetch/fetch-page.ts';",
    },
  },
  {
    title: 'simulator -> connector',
    rule: 'layers',
    tree: { 'src/simulator/a.ts': "import '../providers/contract.ts';" },
  },
  {
    title: 'a feature -> simulator',
    rule: 'simulator-users',
    tree: { 'src/simulator/a.ts': '', 'src/features/reads/x/a.ts': "import '../../../simulator/a.ts';" },
  },
  {
    title: 'one provider by name',
    rule: 'provider-folder',
    tree: { 'src/features/reads/x/a.ts': "import '../../../providers/polar/index.ts';" },
  },
  {
    title: 'form -> store',
    rule: 'pure-forms',
    tree: { 'src/features/tenancy/users/form1.ts': "import './store.ts';" },
  },
  {
    title: 'form -> db',
    rule: 'pure-forms',
    tree: { 'src/features/reads/x/form2.ts': "import type { Db } from '../../../platform/db.ts';" },
  },
  { title: 'environment', rule: 'environment', tree: { 'src/compose.ts': 'start(process\n  .env.PORT);' } },
  {
    title: 'environment by name',
    rule: 'environment',
    tree: { 'src/platform/a.ts': "import { env } from 'node:process';" },
  },
  { title: 'destructured environment', rule: 'environment', tree: { 'src/platform/a.ts': 'const { env } = process;' } },
  { title: 'fetch', rule: 'one-fetch', tree: { 'src/platform/a.ts': 'await fetch(url);' } },
  {
    title: 'a comparison of secrets',
    rule: 'one-comparison',
    tree: { 'src/providers/a.ts': "import { timingSafeEqual } from 'node:crypto';" },
  },
  {
    title: 'all services for one function',
    rule: 'named-services',
    tree: { 'src/features/reads/x/a.ts': 'function read(services: Services): void {}' },
  },
  {
    title: 'an import of node:http',
    rule: 'node-http',
    tree: { 'src/platform/a.ts': "import { request } from 'node:http';" },
  },
  {
    title: 'fetch in a template',
    rule: 'one-fetch',
    tree: { 'src/platform/a.ts': `text(\`a \${await fetch(url)} b\`);` },
  },
  { title: 'undici', rule: 'one-fetch', tree: { 'src/platform/a.ts': "import { request } from 'undici';" } },
  {
    title: 'sockets in a feature',
    rule: 'one-fetch',
    tree: { 'src/features/reads/x/a.ts': "import { get } from 'node:https';" },
  },
  {
    title: 'SQL in a service',
    rule: 'sql-in-store',
    tree: { 'src/features/reads/x/service.ts': "await db.query<Row>('select 1');" },
  },
  {
    title: 'every in an assertion',
    rule: 'assert-every',
    tree: { 'src/domain/a.test.ts': 'assert.ok(\n  size > 0 && read(list(1)).every((one) => one > 0),\n);' },
  },
  { title: 'computed import', rule: 'computed-import', tree: { 'src/providers/a.ts': 'await import(name);' } },
  { title: 'no such file', rule: 'unresolved', tree: { 'src/compose.ts': "import './gone.ts';" }, message: /gone\.ts/ },
  { title: 'no extension', rule: 'unresolved', tree: { 'src/compose.ts': "import './config';" } },
  { title: 'grab bag', rule: 'no-grab-bag', tree: { 'src/platform/utils.ts': '' } },
  { title: 'camelCase', rule: 'kebab-case', tree: { 'test/support/testDatabase.ts': '' } },
  { title: 'too long', rule: 'file-size', tree: { 'src/platform/a.ts': 'x();\n'.repeat(401) }, message: /401 lines/ },
  {
    title: 'cycle of types',
    rule: 'no-cycles',
    tree: {
      'src/domain/a.ts': "import type { B } from './b.ts';",
      'src/domain/b.ts': "export type { C } from './c.ts';",
      'src/domain/c.ts': "type A = import('./a.ts').A;",
      'src/domain/a.test.ts': "import './b.ts';",
    },
    message: /a\.ts -> src\/domain\/b\.ts -> src\/domain\/c\.ts -> src\/domain\/a\.ts/,
  },
  {
    title: 'features that import each other without a file cycle',
    rule: 'feature-order',
    tree: {
      'src/features/reads/x/index.ts': '',
      'src/features/reads/x/a.ts': "import '../y/index.ts';",
      'src/features/reads/y/index.ts': '',
      'src/features/reads/y/a.ts': "import '../x/index.ts';",
    },
    message: /x -> src\/features\/reads\/y -> src\/features\/reads\/x/,
  },
];

describe('import rules', () => {
  it('pass a good tree', async () => {
    assert.deepEqual(await checkTree(GOOD), []);
  });

  for (const { title, rule, tree, message } of BAD) {
    it(`report: ${title}`, async () => {
      const problems = await checkTree({ ...GOOD, ...tree });
      assert.deepEqual([...new Set(problems.map((problem) => problem.rule))], [rule]);
      if (message !== undefined) assert.match(problems.map((problem) => problem.message).join('\n'), message);
    });
  }

  it('report the line', async () => {
    const problems = await checkTree({ ...GOOD, 'src/platform/a.ts': '/* one\ntwo */\n\nawait fetch(url);' });
    assert.equal(problems[0]?.line, 4);
  });

  it('ignore the length of test and generated files', async () => {
    const long = 'x();\n'.repeat(401);
    assert.deepEqual(await checkTree({ ...GOOD, 'src/platform/a.test.ts': long, 'src/generated/a.ts': long }), [
      {
        file: 'src/generated/a.ts',
        line: 1,
        rule: 'layers',
        message: 'is in no layer; add it to import-rule-table.ts',
      },
    ]);
  });

  it('fail on a root without sources instead of checking nothing', async () => {
    assert.equal((await checkTree({ 'package.json': '{}' }))[0]?.rule, 'nothing-checked');
  });
});

async function checkTree(tree: Tree): Promise<Problem[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'import-rules-'));
  try {
    for (const [file, text] of Object.entries(tree)) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), text);
    }
    return await checkImportRules(root);
  } finally {
    await rm(root, { recursive: true });
  }
}
