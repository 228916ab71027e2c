// Which test files a run of `npm test` means, and whether they need a database.
import { glob } from 'node:fs/promises';
import path from 'node:path';

export type TestSelection = {
  /** Files or folders, absolute, whatever their stage; none means all of the stage. */
  paths: readonly string[];
  stage: Stage;
  onlyDatabase: boolean;
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
  const ofStage = all.filter((file) => selection.onlyDatabase || stageOf(file) === selection.stage);
  const candidates = selection.paths.length === 0 ? ofStage : [...new Set(chosen)].sort();
  const files = selection.onlyDatabase ? candidates.filter((file) => isDatabaseTest(file)) : candidates;
  if (files.length === 0) throw new Error('no test file matches');
  return files;
}

const LONG = /^server\/test\/(faults|journeys)\/|\.long\./;

function stageOf(file: string): Stage {
  if (file.startsWith('server/test/install/')) return 'install'; // needs the package registry
  return LONG.test(file) ? 'long' : 'quick';
}

/** Tests of the embedded server itself, of commands, pages, protocol and waiting: their statements are in the other tests too. */
const SAME_ON_ANY_POSTGRES =
  /\/embedded-postgres\/|\/api\/(cli|cli-events|master-key|provider-setup|operator|webhook-deliveries|oauth-attacks|simulator|forms-agree|rate-limit|roster-pages|protocol)\.(long\.)?test\.ts$/;

/** What also has to pass on another PostgreSQL: the tests beside a store, and the API from outside. */
function isDatabaseTest(file: string): boolean {
  if (SAME_ON_ANY_POSTGRES.test(file)) return false;
  return file.endsWith('.db.test.ts') || file.startsWith('server/test/api/');
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
