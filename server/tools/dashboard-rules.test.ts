import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkSources } from './dashboard-rules.ts';

const check = (files: Record<string, string>) => {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  return checkSources(sources, (file) => Object.hasOwn(files, file)).map(({ file, message }) => `${file}: ${message}`);
};

const GOOD = {
  'src/app/main.tsx': "import { keys } from '../features/keys/route.tsx';\nimport '../styles/base.css';\nkeys();",
  'src/styles/base.css': '',
  'src/features/keys/route.tsx':
    "import { api } from '../../api/client.ts';\nimport { useState } from 'react';\nexport const keys = () => import('./page.tsx');\napi;",
  'src/features/keys/page.tsx': "import { Card } from '../../shared/ui/card.tsx';\n<Card />;",
  'src/shared/ui/card.tsx': 'export function Card() {}',
  'src/api/client.ts': 'export const api = 1;',
};

describe('the rules of the dashboard', () => {
  it('accepts imports from app to features to shared and api', () => {
    assert.deepEqual(check(GOOD), []);
  });

  it('rejects an import upwards', () => {
    const found = check({
      ...GOOD,
      'src/shared/ui/card.tsx': "import '../../features/keys/page.tsx';\nexport function Card() {}",
    });
    assert.match(found.join(), /shared may not import src\/features\/keys\/page\.tsx/);
  });

  it('rejects an import of another feature, even if it is lazy', () => {
    const found = check({ ...GOOD, 'src/features/users/page.tsx': "const lazy = () => import('../keys/page.tsx');" });
    assert.match(found.join(), /features do not import each other/);
  });

  it('rejects unknown packages and missing files', () => {
    const found = check({
      ...GOOD,
      'src/api/client.ts': "import 'lodash';\nimport './gone.ts';\nexport const api = 1;",
    });
    assert.match(found.join(), /may not import the package lodash/);
    assert.match(found.join(), /file not found: \.\/gone\.ts/);
  });

  it('rejects files that import each other, also types and lazy pages', () => {
    const found = check({
      ...GOOD,
      'src/features/keys/page.tsx': "import type { Search } from './route.tsx';\n<Search />;",
      'src/features/keys/route.tsx': "export type Search = {};\nexport const keys = () => import('./page.tsx');",
    });
    assert.match(found.join(), /src\/features\/keys\/page\.tsx → src\/features\/keys\/route\.tsx → src/);
  });

  it('rejects a query key of two requests', () => {
    const query = (name: string, address: string) =>
      `export const ${name} = { queryKey: [environment, 'keys'],\n queryFn: ({ signal }) =>\n api.get<{ data: A[] }>(\`${address}\`, { signal }) };`;
    const page = { 'src/app/main.tsx': 'one; two;' };
    const of = (one: string, two: string) =>
      check({ ...page, 'src/shared/one.ts': query('one', one), 'src/shared/two.ts': query('two', two) });
    assert.deepEqual(of('/keys', '/keys'), []);
    assert.match(
      of('/keys', '/v1/keys').join(),
      /two\.ts: the query key \[environment, 'keys'\] is also that of a request/,
    );
  });

  it('rejects an export that no other file uses', () => {
    const found = check({ ...GOOD, 'src/shared/time.ts': 'export const never = 1;' });
    assert.match(found.join(), /never is used in no other file/);
  });
});
