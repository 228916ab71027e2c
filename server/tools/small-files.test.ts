import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { checkSmallFiles } from './small-files.ts';

type Tree = Readonly<Record<string, string>>;

const importing = { 'server/src/platform/a.ts': "import './b.ts';" };
const small = { ...importing, 'server/src/platform/b.ts': 'b();' };

describe('small files', () => {
  it('report a file below the floor with one importer', async () => {
    const [found, ...others] = await check({
      'server/src/platform/a.ts': "import { b } from './b.ts';\nb();",
      'server/src/platform/b.ts': `// why\nimport {\n  c,\n} from 'node:path';\n\n${'c();\n'.repeat(19)}`,
    });
    assert.deepEqual([found?.file, others], ['server/src/platform/b.ts', []]);
    assert.match(found?.message ?? '', /^19 lines of code that only a\.ts imports/);
  });

  it('report a part that only its page imports, with text that is not code', async () => {
    const page = 'dashboard/src/features/keys/page.tsx';
    const part = 'dashboard/src/features/keys/parts/hint.tsx';
    const tree = {
      [page]: "import { Hint } from './parts/hint.tsx';\nconst page = <Hint />;",
      [part]: "export const Hint = () => <p>Import it, if it isn't there.</p>;",
    };
    assert.deepEqual(
      (await check(tree)).map(({ file }) => file),
      [part],
    );
  });

  it('report a file of a library', async () => {
    const tree = { 'sdk/mobile/src/a.ts': "import './b.ts';", 'sdk/mobile/src/b.ts': 'b();' };
    assert.deepEqual(
      (await check(tree)).map(({ file }) => file),
      ['sdk/mobile/src/b.ts'],
    );
  });

  describe('are accepted', () => {
    const accepted: Readonly<Record<string, Tree>> = {
      'with enough lines': { ...importing, 'server/src/platform/b.ts': `const text = \`${'line\n'.repeat(20)}\`;` },
      'with a test': { ...small, 'server/src/platform/b.test.ts': "import './b.ts';" },
      'with two importers': { ...small, 'server/src/platform/c.ts': "import './b.ts';" },
      'of another folder': { 'server/src/platform/a.ts': "import './x/b.ts';", 'server/src/platform/x/b.ts': 'b();' },
      'that are loaded later': { ...small, 'server/src/platform/a.ts': "await import('./b.ts');" },
      'that an index passes on': {
        'server/src/platform/x/index.ts': "export { b } from './b.ts';",
        'server/src/platform/x/b.ts': 'b();',
      },
      'with a name that every feature has': {
        'server/src/platform/x/index.ts': "import './routes.ts';",
        'server/src/platform/x/routes.ts': 'b();',
      },
      'with the mapping of a resource': {
        'server/src/providers/x/resources.ts': "import './map-days.ts';",
        'server/src/providers/x/map-days.ts': 'b();',
      },
      'with a name that every page has': {
        'dashboard/src/features/keys/page.tsx': "import './words.ts';",
        'dashboard/src/features/keys/words.ts': 'b();',
      },
    };
    for (const [title, tree] of Object.entries(accepted))
      it(title, async () => assert.deepEqual(await check(tree), []));

    it('with a reason, as long as they need one', async () => {
      const kept = { 'server/src/platform/b.ts': 'a reason' };
      assert.deepEqual(await check(small, kept), []);
      const [stale] = await check(importing, kept);
      assert.deepEqual([stale?.rule, stale?.message], ['file-floor', 'needs no entry in KEPT_SMALL_FILES']);
    });
  });
});

async function check(tree: Tree, kept: Tree = {}) {
  const root = await mkdtemp(path.join(tmpdir(), 'small-files-'));
  const manifests = ['server', 'dashboard', 'sdk/mobile'].map((folder) => [`${folder}/package.json`, '{}'] as const);
  try {
    for (const [file, text] of [...manifests, ...Object.entries(tree)]) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), text);
    }
    return await checkSmallFiles(root, kept);
  } finally {
    await rm(root, { recursive: true });
  }
}
