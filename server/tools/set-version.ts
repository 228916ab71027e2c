// `npm run set-version -- 0.3.0` writes the version into every manifest, the lock file, the chart, the Python client, and the guides that
// name a package by it. Run `npm run generate` afterwards.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../src/version.ts';

const MANIFESTS = ['package.json', 'server/package.json', 'dashboard/package.json', 'sdk/*/package.json'];
const LOCK_FILE = 'package-lock.json';
/** Whose every mention of the version is that of Tributary. The changelog keeps its old versions. */
const TEXTS = [
  'CONTRIBUTING.md',
  'docs/*.md',
  'sdk/*/README.md',
  'examples/*/README.md',
  'deploy/helm/tributary/Chart.yaml',
  'sdk/python/pyproject.toml',
  'sdk/python/tributary/__init__.py',
  'server/test/golden/examples/calls.json',
];
const RELEASE = /^\d+\.\d+\.\d+$/;

type LockFile = { version: string; packages: Record<string, { version?: string }> };

/** Returns the changed files. */
export function setVersion(root: string, from: string, to: string): string[] {
  if (!RELEASE.test(to)) throw new Error(`"${to}" is not a version such as 1.2.3`);
  const isSame = new RegExp(`(?<![\\d.])${RegExp.escape(from)}(?!\\.?\\d)`, 'g');
  const ofManifest = new RegExp(`^( {2}"version": )"${RegExp.escape(from)}"`, 'm');
  const edits: [readonly string[], (text: string) => string][] = [
    [MANIFESTS, (text) => text.replace(ofManifest, `$1"${to}"`)],
    [TEXTS, (text) => text.replace(isSame, to)],
    [[LOCK_FILE], (text) => setLockedVersion(text, to)],
  ];
  return edits.flatMap(([patterns, edit]) =>
    globSync([...patterns], { cwd: root }).filter((name) => {
      const file = path.join(root, name);
      const text = readFileSync(file, 'utf8');
      const edited = edit(text);
      if (edited !== text) writeFileSync(file, edited);
      return edited !== text;
    }),
  );
}

/** Of the workspaces; everything else in the file is installed into `node_modules`. */
function setLockedVersion(text: string, to: string): string {
  const lock = JSON.parse(text) as LockFile;
  lock.version = to;
  for (const [folder, entry] of Object.entries(lock.packages))
    if (!folder.includes('node_modules/') && entry.version !== undefined) entry.version = to;
  return `${JSON.stringify(lock, null, 2)}\n`;
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '../..');
  const [to = ''] = process.argv.slice(2);
  try {
    for (const file of setVersion(root, VERSION, to)) process.stdout.write(`${file}\n`);
    process.stdout.write('Run npm run generate, and add the heading of the version to CHANGELOG.md.\n');
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
