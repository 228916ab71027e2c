// Finds files that are too small to be worth one: few lines of code, and only a file beside them imports them.
import { globSync } from 'node:fs';
import path from 'node:path';
import { GENERATED_FILE } from './import-rule-table.ts';
import { type Problem, reportProblems } from './report-problems.ts';
import { readSourceTree, type SourceFile } from './source-tree.ts';

const WORKSPACES = ['server', 'dashboard', 'sdk/*'];
/** Lines without comments and imports: below this, opening a file costs more than reading it. */
const MIN_CODE_LINES = 20;
/** Found by name in every feature, connector, simulated provider and page of the dashboard, whatever their size. */
const SMALL_BY_DESIGN =
  /^server\/.*[/-](index|routes|store|jobs|schemas|form[12]|about|budgets|oauth|webhook|not-mapped|map-[^/]+|resources(\/[^/]+)?)\.ts$|^dashboard\/src\/features\/[^/]+\/(queries|search|words)\.ts$/;
/** Files below the floor, and why they are not merged into their importer. */
const KEPT_SMALL_FILES: Readonly<Record<string, string>> = {
  'dashboard/src/app/help-dialog.tsx': 'has styles of its own',
  'dashboard/src/features/events/parts/rate-card.tsx': 'a second card with its own query beside the list',
  'sdk/mobile/src/random-id.ts': 'the importer is the longest file of the library',
  'server/src/features/notify/webhooks/make-attempt.ts': 'one attempt as a function: the dispatcher only decides when',
  'server/src/features/operator/account-erasure/erasers.ts': 'the list to which a new table is added',
  'server/src/features/people/personal-export/export-days.ts': 'each section of the export has a file',
  'server/src/features/reads/exports/read-score-records.ts': 'each resource of an export has a reader',
  'server/src/features/reads/exports/write-csv.ts': 'each format of an export has a writer',
  'server/src/features/reads/exports/write-ndjson.ts': 'each format of an export has a writer',
  'server/src/features/reads/sleep/read-sleep.ts': 'the operation of a route has a file named by its verb',
  'server/src/platform/jobs/ignore-config-files.ts': 'has to run before graphile-worker is loaded',
};

/** `root` is the repository, whose workspaces contain `src/` and tests; a path of `kept` begins there. */
export async function checkSmallFiles(root: string, kept = KEPT_SMALL_FILES): Promise<Problem[]> {
  const manifests = WORKSPACES.flatMap((folder) => globSync(`${folder}/package.json`, { cwd: root }));
  const trees = manifests.map((manifest) => findSmallFiles(root, path.dirname(manifest).replaceAll(path.sep, '/')));
  const small = (await Promise.all(trees)).flat();
  const stale = Object.keys(kept).filter((file) => !small.some((one) => one.file === file));
  return [
    ...small.filter(({ file }) => !Object.hasOwn(kept, file)),
    ...stale.map((file) => report(file, 'needs no entry in KEPT_SMALL_FILES')),
  ];
}

async function findSmallFiles(root: string, workspace: string): Promise<Problem[]> {
  const files = await readSourceTree(path.join(root, workspace));
  const importers = findImporters(files);
  return files.flatMap((source) => {
    const [importer, ...others] = importers.get(source.path) ?? [];
    const file = `${workspace}/${source.path}`;
    if (importer === undefined || others.length > 0 || !isMergeable(source, importer)) return [];
    const lines = countCodeLines(source);
    const message = `${lines} lines of code that only ${path.basename(importer)} imports: merge them, or give the reason in KEPT_SMALL_FILES`;
    return lines >= MIN_CODE_LINES || SMALL_BY_DESIGN.test(file) ? [] : [report(file, message)];
  });
}

function report(file: string, message: string): Problem {
  return { file, line: 1, rule: 'file-floor', message };
}

/** A file with a test of its own has two. */
function findImporters(files: readonly SourceFile[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const file of files)
    for (const { target, names, isReExport } of file.imports) {
      if (target === null) continue;
      const known = importers.getOrInsertComputed(target, () => new Set());
      known.add(file.path);
      // A re-export is for others, and import() loads a file only when it is needed.
      if (isReExport || names === null) known.add('others');
    }
  return importers;
}

function isMergeable({ path: file, isTest }: SourceFile, importer: string): boolean {
  return file.startsWith('src/') && !isTest && !GENERATED_FILE.test(file) && folderOf(file) === folderOf(importer);
}

/** The parts of a page are beside it. */
function folderOf(file: string): string {
  return path.posix.dirname(file).replace(/\/parts$/, '');
}

/** Lines with a token outside of imports. */
function countCodeLines({ tokens, imports }: SourceFile): number {
  const lines = new Set(tokens.flatMap(({ text, line }) => text.split('\n').map((_, offset) => line + offset)));
  for (const { specifier, line } of imports) {
    const end = tokens.find((token) => token.kind === 'string' && token.text === specifier && token.line >= line);
    for (let at = line; at <= (end?.line ?? line); at += 1) lines.delete(at);
  }
  return lines.size;
}

if (import.meta.main) reportProblems(await checkSmallFiles(path.resolve(import.meta.dirname, '../..')));
