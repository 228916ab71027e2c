// Which test files a run of `npm test` means, and whether they need a database.
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

export type TestSelection = {
  /** Files or folders, absolute, whatever their stage; none means all of the stage. */
  paths: readonly string[];
  stage: Stage;
  /** `database`: what also has to pass on another PostgreSQL. `pure`: what needs neither a database nor a process. */
  only?: 'database' | 'pure' | undefined;
};

/** `quick`: what a change has to pass before anything else. `long`: kills, whole stories, and walks over everything. */
export type Stage = 'quick' | 'long' | 'install';

/** Relative to the root, sorted. Throws when a path, or the whole selection, holds no test: a typo must not pass. */
export async function findTests(root: string, selection: TestSelection): Promise<string[]> {
  const all = await listTests(root);
  const chosen = selection.paths.flatMap((place) => {
    const wanted = toPosix(path.relative(root, place));
    const found = all.filter((file) => wanted === '' || file === wanted || file.startsWith(`${wanted}/`));
    if (found.length === 0) throw new Error(`no test file matches ${wanted}`);
    return found;
  });
  const ofStage = all.filter((file) => selection.only === 'database' || stageOf(file) === selection.stage);
  const candidates = selection.paths.length === 0 ? ofStage : [...new Set(chosen)].sort();
  const files = await narrow(root, candidates, selection.only);
  if (files.length === 0) throw new Error('no test file matches');
  return files;
}

async function narrow(root: string, files: string[], only: TestSelection['only']): Promise<string[]> {
  if (only === 'database') return files.filter(isDatabaseTest);
  if (only === undefined) return files;
  const arePure = await Promise.all(files.map((file) => isPure(root, file)));
  return files.filter((_, index) => arePure[index]);
}

async function isPure(root: string, file: string): Promise<boolean> {
  if (needsDatabase(file) || stageOf(file) !== 'quick') return false;
  const text = await readFile(path.join(root, file), 'utf8');
  return !text.includes(`from 'node:child_process'`);
}

const LONG = /^server\/test\/(faults|journeys)\/|\.long\./;

function stageOf(file: string): Stage {
  if (file.startsWith('server/test/install/')) return 'install'; // needs the package registry
  return LONG.test(file) ? 'long' : 'quick';
}

/** Walks that reach the statements of every endpoint, and the rights of the roles, which differ between versions. */
const ALSO_ON_ANOTHER_POSTGRES =
  /^server\/test\/(every-route|golden\/golden|api\/(forms-agree|database-roles))\.(long\.)?test\.ts$/;

/** What also has to pass on another PostgreSQL: the tests beside a store, and walks over the whole API. */
function isDatabaseTest(file: string): boolean {
  if (file.includes('/embedded-postgres/')) return false; // that is one version, the bundled one
  return file.endsWith('.db.test.ts') || ALSO_ON_ANOTHER_POSTGRES.test(file);
}

/** Everything in `server/test/` runs the whole service; an installed one brings its own database. */
export function needsDatabase(file: string): boolean {
  return file.endsWith('.db.test.ts') || (file.startsWith('server/test/') && stageOf(file) !== 'install');
}

async function listTests(root: string): Promise<string[]> {
  const files: string[] = [];
  const exclude = (name: string) => path.basename(name) === 'node_modules';
  for await (const file of glob('server/**/*.test.ts', { cwd: root, exclude })) files.push(toPosix(file));
  return files.sort();
}

function toPosix(file: string): string {
  return file.split(path.sep).join('/');
}
