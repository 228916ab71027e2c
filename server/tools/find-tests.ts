// Finds the test files for a run of `npm test` and whether they need a database.
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

type TestSelection = {
  /** Absolute files or folders, whatever their stage; none means all tests of the stage. */
  paths: readonly string[];
  stage: Stage;
  /** `database`: tests that must also pass on another PostgreSQL. `pure`: tests that need neither a database nor a process. */
  only?: 'database' | 'pure' | undefined;
};

/** `quick`: tests that every change must pass first. `long`: kill tests, whole user journeys, and tests over the whole API. */
export type Stage = 'quick' | 'long' | 'install';

/** Relative to the root, sorted. Throws when a path, or the whole selection, contains no test: a typo must not pass. */
export async function findTests(root: string, selection: TestSelection): Promise<string[]> {
  const all = await listTests(root);
  const selected = selection.paths.flatMap((given) => {
    const wanted = toPosix(path.relative(root, given));
    const found = all.filter((file) => wanted === '' || file === wanted || file.startsWith(`${wanted}/`));
    if (found.length === 0) throw new Error(`no test file matches ${wanted}`);
    return found;
  });
  const candidates =
    selection.paths.length === 0 ? await listStage(root, all, selection) : [...new Set(selected)].sort();
  const files = await narrow(root, candidates, selection.only);
  if (files.length === 0) throw new Error('no test file matches');
  return files;
}

/**
 * Property tests are in two stages: with some of their runs in the quick one, with all of them in the long one. The tests for another
 * PostgreSQL are those of the quick stage and the long ones over the whole API; with `--long`, all of both stages.
 */
async function listStage(root: string, all: readonly string[], { stage, only }: TestSelection): Promise<string[]> {
  if (only === 'database')
    return all.filter((file) => stage === 'long' || stageOf(file) === 'quick' || ALSO_ON_ANOTHER_POSTGRES.test(file));
  const isRepeated = async (file: string) => stage === 'long' && (await isPropertyTest(root, file));
  const areOfStage = await Promise.all(all.map(async (file) => stageOf(file) === stage || (await isRepeated(file))));
  return all.filter((_, index) => areOfStage[index]);
}

async function isPropertyTest(root: string, file: string): Promise<boolean> {
  return (await readFile(path.join(root, file), 'utf8')).includes(`test/support/property-runs.ts'`);
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

/**
 * Tests that execute the statements of every endpoint, short tests of statements that no test beside a store executes (`--only-db` lists
 * what is missing), and tests of database roles, whose rights differ by version.
 */
const ALSO_ON_ANOTHER_POSTGRES =
  /^server\/test\/(every-route|golden\/golden|api\/(forms-agree|database-roles|connect-pages|roster-pages|webhooks))\.(long\.)?test\.ts$/;

/** Tests that must also pass on another PostgreSQL: those next to a store, and those over the whole API. */
function isDatabaseTest(file: string): boolean {
  if (file.includes('/embedded-postgres/')) return false; // tests the bundled version only
  if (file.startsWith('sdk/')) return false; // tests a client, to which the database is of no concern
  return file.endsWith('.db.test.ts') || ALSO_ON_ANOTHER_POSTGRES.test(file);
}

/** Everything in `server/test/` runs the whole service; an installed service brings its own database. */
export function needsDatabase(file: string): boolean {
  return file.endsWith('.db.test.ts') || (file.startsWith('server/test/') && stageOf(file) !== 'install');
}

async function listTests(root: string): Promise<string[]> {
  const files: string[] = [];
  const exclude = (name: string) => path.basename(name) === 'node_modules';
  for await (const file of glob('{server,dashboard,sdk}/**/*.test.ts', { cwd: root, exclude }))
    files.push(toPosix(file));
  return files.sort();
}

function toPosix(file: string): string {
  return file.split(path.sep).join('/');
}
